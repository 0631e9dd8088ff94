// Rules of grammars, and short sentences that are parsed with them.
#include <cmath>
#include <stdexcept>

#include "bytes.hpp"
#include "grammar/parser.hpp"

using namespace crossbranch;
using namespace crossbranch::grammar;

namespace {

// A line: left, first and second symbol as digits (second "-": a unary rule), cost, composition.
void add_rule(Grammar& grammar, std::string_view line) {
    fuzz::Bytes bytes(reinterpret_cast<const std::uint8_t*>(line.data()), line.size());
    const auto symbol = [&]() -> Symbol {
        const std::uint8_t letter = bytes.byte();
        return letter == '-' ? no_symbol : static_cast<Symbol>(letter - '0');
    };
    const Symbol left = symbol();
    const Symbol first = symbol();
    const Symbol second = symbol();
    const double cost = bytes.byte() - '0';
    try {
        grammar.add(left, first, second, std::string(bytes.rest()), cost);
    } catch (const std::invalid_argument&) {  // the others are still a grammar
    }
}

void parse(const Parser& parser, const std::vector<Axiom>& axioms, std::size_t count,
           Estimates estimates) {
    ParseOptions options;
    options.k_best = 3;
    options.estimates = estimates;
    options.limits = {2000, 0.5};
    const Parsed found = parser.parse(axioms, count, options);
    double last = 0;
    for (const Derivation& one : found.derivations) {
        REQUIRE(std::isfinite(one.cost) && one.cost >= last - 1e-6);
        REQUIRE(!one.steps.empty());
        last = one.cost;
    }
}

}  // namespace

// The first line has the fan-outs of the symbols as digits. Then comes a sentence of symbols, then
// the rules.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, std::min(size, std::size_t{600}));
    std::vector<std::size_t> fan_outs;
    for (const char digit : bytes.until('\n').substr(0, 20))
        fan_outs.push_back(static_cast<std::size_t>(static_cast<unsigned char>(digit - '0')));
    try {
        Grammar grammar = make_grammar(fan_outs, 0);
        const std::string_view sentence = bytes.until('\n').substr(0, 8);
        while (!bytes.is_empty())
            add_rule(grammar, bytes.until('\n'));
        std::vector<Axiom> axioms;
        for (std::size_t token = 0; token < sentence.size(); ++token)
            axioms.push_back({token, static_cast<Symbol>(sentence[token] - '0'), 1.0});
        const Parser parser(std::move(grammar));
        for (const Estimates estimates : {Estimates::none, Estimates::lengths, Estimates::blocks})
            parse(parser, axioms, sentence.size(), estimates);
    } catch (const std::invalid_argument&) {  // refused
    }
    return 0;
}

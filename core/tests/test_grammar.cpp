#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "grammar/deduction.hpp"
#include "grammar/parser.hpp"

namespace {

using namespace crossbranch::grammar;

constexpr Estimates all_estimates[] = {Estimates::none, Estimates::lengths, Estimates::blocks};

// The grammar of equation 3.2: S -> A B in two ways, A -> B B with two blocks.
Grammar small_grammar() {
    Grammar grammar = make_grammar({1, 2, 1}, 0);
    grammar.add(0, 1, 2, "001", -std::log(0.1));
    grammar.add(0, 1, 2, "010", -std::log(0.9));
    grammar.add(1, 2, 2, "0,1", 0);
    return grammar;
}

std::vector<Axiom> same_axioms(std::size_t count, Symbol symbol) {
    std::vector<Axiom> axioms;
    for (std::size_t i = 0; i < count; ++i)
        axioms.push_back({i, symbol, 0});
    return axioms;
}

// An item as the figure writes it, with its cost after a slash if it is not 0.
std::string in_words(const Deduction<ShortEnds>& search, const Grammar& grammar,
                     ItemNumber number) {
    const Item& item = search.items()[number];
    std::string text(1, "SAB"[item.symbol]);
    for (std::size_t block = 0; block < grammar.fan_outs[item.symbol]; ++block) {
        const auto ends = search.ends(number);
        text += ' ';
        text += std::to_string(ends[2 * block]);
        text += ':';
        text += std::to_string(ends[2 * block + 1]);
    }
    const auto percent = std::lround(100 * std::exp(-item.cost));
    return percent == 100 ? text : text + " /" + std::to_string(percent);
}

TEST(the_steps_of_figure_3_3) {
    const Grammar grammar = small_grammar();
    const RuleIndex index(grammar);
    const std::vector<Axiom> axioms = same_axioms(3, 2);
    Deduction<ShortEnds> search(Task{grammar, index, axioms, 3});
    std::vector<std::string> steps;
    search.on_taken = [&](ItemNumber item) { steps.push_back(in_words(search, grammar, item)); };
    search.on_better = [&](ItemNumber item) {
        steps.push_back("  new " + in_words(search, grammar, item));
    };
    CHECK(search.advance(-infinite) == Ending::found);
    const std::vector<std::string> expected{
        "B 0:1",           "B 1:2",           "  new A 0:1 1:2", "B 2:3",
        "  new A 1:2 2:3", "  new A 0:1 2:3", "A 0:1 1:2",       "  new S 0:3 /10",
        "A 1:2 2:3",       "A 0:1 2:3",       "  new S 0:3 /90", "S 0:3 /90",
    };
    CHECK(steps == expected);
    CHECK(search.goal() == 6);
}

TEST(all_derivations_of_figure_3_3) {
    const Parser parser(small_grammar());
    for (const Estimates estimates : all_estimates) {
        ParseOptions options;
        options.estimates = estimates;
        options.k_best = 5;
        const Parsed found = parser.parse(same_axioms(3, 2), 3, options);
        CHECK(found.ending == Ending::found);
        CHECK(found.derivations.size() == 2);
        CHECK(std::abs(found.derivations[0].cost + std::log(0.9)) < 1e-9);
        CHECK(std::abs(found.derivations[1].cost + std::log(0.1)) < 1e-9);
        CHECK(found.derivations[0].steps == std::vector<std::int64_t>{1, 2, ~0, ~2, ~1});
        CHECK(found.derivations[1].steps == std::vector<std::int64_t>{0, 2, ~0, ~1, ~2});
        CHECK(parser.parse(same_axioms(2, 2), 2, options).derivations.empty());
        CHECK(parser.parse(same_axioms(4, 2), 4, options).derivations.empty());
    }
}

// A grammar for a b ... with random rules, of all fan-outs up to `fan_out`.
Grammar random_grammar(std::mt19937& random, std::size_t fan_out) {
    const auto below = [&](std::size_t limit) { return random() % limit; };
    std::vector<std::size_t> fan_outs{1, 1, 1, 1};
    for (std::size_t i = 2; i <= fan_out; ++i)
        fan_outs.insert(fan_outs.end(), 2, i);
    Grammar grammar = make_grammar(fan_outs, 0);
    for (std::size_t i = 0; i < 60; ++i) {
        const auto first = static_cast<Symbol>(below(fan_outs.size()));
        const auto second = static_cast<Symbol>(below(fan_outs.size()));
        std::string text = "0";
        std::size_t left[2] = {fan_outs[first] - 1, fan_outs[second]};
        std::size_t blocks = 1;
        while (left[0] + left[1] > 0) {
            const std::size_t child = left[0] == 0 || (left[1] > 0 && below(2)) ? 1 : 0;
            --left[child];
            const char digit = static_cast<char>('0' + child);
            if (blocks < fan_out && (text.back() == digit || below(3) == 0)) {
                text += ',';
                ++blocks;
            }
            text += digit;
        }
        std::vector<Symbol> parents;
        for (Symbol symbol = 0; symbol < fan_outs.size(); ++symbol)
            if (fan_outs[symbol] == blocks)
                parents.push_back(symbol);
        grammar.add(parents[below(parents.size())], first, second, text,
                    static_cast<double>(below(1000)) / 100);
    }
    for (std::size_t i = 0; i < 4; ++i)
        grammar.add(static_cast<Symbol>(below(4)), static_cast<Symbol>(below(4)), no_symbol, "0",
                    0.5 + static_cast<double>(below(100)) / 100);
    return grammar;
}

TEST(estimates_change_nothing_but_the_effort) {
    std::mt19937 random(7);
    std::size_t parsed = 0;
    for (std::size_t round = 0; round < 150; ++round) {
        const Parser parser(random_grammar(random, 1 + round % 3));
        std::vector<Axiom> axioms;
        const std::size_t token_count = 2 + random() % 6;
        for (std::size_t i = 0; i < token_count; ++i)
            for (std::size_t j = 0; j < 2; ++j)
                axioms.push_back({i, static_cast<Symbol>(random() % 4),
                                  static_cast<double>(random() % 100) / 10});
        ParseOptions options;
        options.k_best = 1 + random() % 8;
        options.margin = 0.5;
        options.estimates = Estimates::none;
        const Parsed plain = parser.parse(axioms, token_count, options);
        parsed += plain.derivations.empty() ? 0 : 1;
        for (const Estimates estimates : {Estimates::lengths, Estimates::blocks}) {
            options.estimates = estimates;
            const Parsed estimated = parser.parse(axioms, token_count, options);
            CHECK(plain.ending == estimated.ending);
            CHECK(std::ranges::equal(plain.derivations, estimated.derivations,
                                     [](const Derivation& a, const Derivation& b) {
                                         return std::abs(a.cost - b.cost) < 1e-9;
                                     }));
        }
    }
    CHECK(parsed > 50);
}

TEST(long_sentences_and_wide_grammars) {
    // Enough for 16-bit ends, and for a list of ends.
    for (const std::size_t fan_out : {1U, 5U, 9U}) {
        std::vector<std::size_t> fan_outs{1, 1};
        fan_outs.resize(2 + fan_out, 1);
        for (std::size_t i = 2; i <= fan_out; ++i)
            fan_outs[1 + i] = i;
        Grammar grammar = make_grammar(fan_outs, 0);
        grammar.add(0, 1, 0, "01", 1);
        grammar.add(0, 1, no_symbol, "0", 1);
        const Parser parser(std::move(grammar));
        ParseOptions options;
        for (const Estimates estimates : all_estimates) {
            options.estimates = estimates;
            const Parsed found = parser.parse(same_axioms(300, 1), 300, options);
            CHECK(found.ending == Ending::found);
            CHECK(std::abs(found.derivations.at(0).cost - 300) < 1e-3);
            CHECK(found.derivations.at(0).steps.size() == 600);
        }
    }
}

TEST(limits_are_told) {
    const Parser parser(small_grammar());
    ParseOptions options;
    options.estimates = Estimates::none;
    options.limits.items = 4;
    const Parsed found = parser.parse(same_axioms(3, 2), 3, options);
    CHECK(found.ending == Ending::too_many_items);
    CHECK(found.derivations.empty());
}

TEST(wrong_rules_are_refused) {
    using Error = std::invalid_argument;
    Grammar grammar = make_grammar({1, 2}, 0);
    CHECK(check::throws<Error>([&] { grammar.add(0, 1, no_symbol, "0", 0); }, "does not fit"));
    CHECK(check::throws<Error>([&] { grammar.add(0, 1, 7, "001", 0); }, "unknown symbol"));
    CHECK(check::throws<Error>([&] { grammar.add(0, 1, 0, "0x", 0); }, "not a composition"));
    CHECK(check::throws<Error>([&] { grammar.add(0, 1, 0, "100", 0); }, "not a composition"));
    CHECK(check::throws<Error>([&] { grammar.add(0, 1, 0, "", 0); }, "not a composition"));
    CHECK(check::throws<Error>([&] { grammar.add(0, 1, 0, "001", -1); }, "at least 0"));
    CHECK(check::throws<Error>([] { make_grammar({2}, 0); }, "start symbol"));
    CHECK(check::throws<Error>([] { make_grammar({1, 0}, 0); }, "fan-out"));
    grammar.add(0, 1, no_symbol, "00", 0);
    const Parser parser(std::move(grammar));
    for (const Axiom& wrong : {Axiom{0, 1, 0}, Axiom{0, 2, 0}, Axiom{1, 0, 0}, Axiom{0, 0, -1}})
        CHECK(check::throws<Error>([&] { (void)parser.parse({&wrong, 1}, 1, {}); }, "fan-out 1"));
    CHECK(parser.parse({}, 0, {}).derivations.empty());
    CHECK(parser.parse({}, 1, {}).derivations.empty());
    CHECK(check::throws<Error>([&] { (void)parser.parse({}, 1, {0}); }, "at least 1"));
}

}  // namespace

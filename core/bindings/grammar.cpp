// Bindings of the parser for weighted LCFRS.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "grammar/parser.hpp"
#include "grammar/recorder.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {
namespace {

using grammar::Ending;
using PlainRule =
    std::tuple<std::uint32_t, std::uint32_t, std::optional<std::uint32_t>, std::string, double>;
using PlainAxiom = std::tuple<std::size_t, std::uint32_t, double>;
using PlainDerivation = std::tuple<double, std::vector<std::int64_t>>;

void make_parser(grammar::Parser* self, const std::vector<std::size_t>& fan_outs,
                 std::uint32_t start, const std::vector<PlainRule>& rules) {
    grammar::Grammar found = grammar::make_grammar(fan_outs, start);
    for (const auto& [left, first, second, composition, cost] : rules)
        found.add(left, first, second.value_or(grammar::no_symbol), composition, cost);
    new (self) grammar::Parser(std::move(found));
}

const char* in_words(Ending ending) {
    switch (ending) {
        case Ending::found:
            return "found";
        case Ending::too_many_items:
            return "items";
        case Ending::too_slow:
            return "time";
        default:
            return "none";
    }
}

grammar::Estimates estimates_of(const std::string& name) {
    if (name == "none")
        return grammar::Estimates::none;
    if (name == "lengths")
        return grammar::Estimates::lengths;
    if (name == "blocks")
        return grammar::Estimates::blocks;
    throw std::invalid_argument("estimates are none, lengths or blocks, not " + name);
}

std::vector<grammar::Axiom> axioms_of(const std::vector<PlainAxiom>& axioms) {
    std::vector<grammar::Axiom> found;
    found.reserve(axioms.size());
    for (const auto& [token, symbol, cost] : axioms)
        found.push_back({token, symbol, cost});
    return found;
}

std::tuple<std::vector<PlainDerivation>, std::string, std::size_t, double> parse(
    const grammar::Parser& self, const std::vector<PlainAxiom>& axioms, std::size_t token_count,
    std::size_t k_best, const std::string& estimates, double margin, std::size_t max_items,
    double max_seconds) {
    const std::vector<grammar::Axiom> given = axioms_of(axioms);
    const grammar::Estimates kind = estimates_of(estimates);
    const nb::gil_scoped_release release;
    grammar::Parsed found =
        self.parse(given, token_count, {k_best, kind, margin, {max_items, max_seconds}, nullptr});
    std::vector<PlainDerivation> derivations;
    for (grammar::Derivation& one : found.derivations)
        derivations.emplace_back(one.cost, std::move(one.steps));
    return {std::move(derivations), in_words(found.ending), found.items, found.margin};
}

// Symbol, ends, cost, priority, rule, children, whether it is in the tree.
using PlainItem = std::tuple<std::uint32_t, std::vector<std::size_t>, double, double, std::int64_t,
                             std::vector<std::size_t>, bool>;

std::tuple<std::vector<PlainItem>, std::string> taken(const grammar::Parser& self,
                                                      const std::vector<PlainAxiom>& axioms,
                                                      std::size_t token_count,
                                                      const std::string& estimates,
                                                      std::size_t max_items, double max_seconds) {
    const std::vector<grammar::Axiom> given = axioms_of(axioms);
    grammar::ParseOptions options;
    std::vector<grammar::TakenItem> items;
    options.estimates = estimates_of(estimates);
    options.limits = {max_items, max_seconds};
    options.taken = &items;
    const nb::gil_scoped_release release;
    const grammar::Parsed parsed = self.parse(given, token_count, options);
    std::vector<PlainItem> found;
    for (grammar::TakenItem& one : items) {
        const bool is_axiom = one.rule == grammar::no_rule;
        std::vector<std::size_t> children;
        for (const std::size_t child : {one.first, one.second})
            if (!is_axiom && child != grammar::no_place)
                children.push_back(child);
        found.emplace_back(
            one.symbol, std::move(one.ends), one.cost, one.priority,
            is_axiom ? ~static_cast<std::int64_t>(one.first) : static_cast<std::int64_t>(one.rule),
            std::move(children), one.is_in_tree);
    }
    return {std::move(found), in_words(parsed.ending)};
}

using PlainBlock = std::tuple<std::uint32_t, std::size_t, std::size_t, std::size_t>;

std::vector<PlainBlock> blocks(const grammar::Parser& self, const std::vector<PlainAxiom>& axioms,
                               std::size_t token_count, double margin) {
    const std::vector<grammar::Axiom> given = axioms_of(axioms);
    const nb::gil_scoped_release release;
    std::vector<PlainBlock> found;
    for (const auto& [symbol, block, start, stop] : self.blocks(given, token_count, margin))
        found.emplace_back(symbol, block, start, stop);
    return found;
}

}  // namespace

void bind_grammar(nb::module_& module) {
    nb::class_<grammar::Parser>(module, "GrammarParser", "A parser for a weighted LCFRS.")
        .def("__init__", &make_parser, "fan_outs"_a, "start"_a, "rules"_a,
             R"(Take the rules of a grammar.

Args:
    fan_outs: The fan-outs of the symbols. Symbols are numbers.
    start: The start symbol.
    rules: For each rule: its left side, its first child, its second child or None, how the blocks
        of the children form its own, and its cost, the negative logarithm of its probability. In
        the text "010,1", the parent has two blocks. The first consists of the first block of the
        first child, that of the second child, and the second block of the first child.)")
        .def("parse", &parse, "axioms"_a, "token_count"_a, nb::kw_only(), "k_best"_a = 1,
             "estimates"_a = "blocks", "margin"_a = 8.0, "max_items"_a = 0, "max_seconds"_a = 0.0,
             R"(The best derivations, how the search ended, and its number of items and margin.

Each derivation is a cost and a list of steps in preorder: the number of a rule, or ~number of an
axiom. The search ends with "found", "none", "items" or "time". After the last two, there may be a
derivation that is not the best one.

Args:
    axioms: The symbols that tokens may have: the token, the symbol, its cost.
    token_count: The number of tokens.
    k_best: The number of derivations.
    estimates: The outside estimates of the search: none, lengths or blocks. The result is always
        the same, but it is found sooner (A*).
    margin: With blocks, how much more than the lower bound of all derivations the best one may
        cost at first. If there is none, the search begins again with a larger margin.
    max_items: The largest number of items; 0 means no limit.
    max_seconds: The longest time for one search; 0 means no limit.)")
        .def("taken", &taken, "axioms"_a, "token_count"_a, nb::kw_only(), "estimates"_a = "blocks",
             "max_items"_a = 0, "max_seconds"_a = 0.0,
             R"(The items of a search in the order in which they leave the agenda, and its ending.

Each item is its symbol, the ends of its blocks, its cost, its priority on the agenda, its rule or
~number of an axiom, its children as places in the list, and whether the best derivation has it. If
an item is found again with a lower cost, it leaves the agenda again. See `parse` for the arguments.
If the search began several times, with larger margins, these are the items of the last time.)")
        .def("blocks", &blocks, "axioms"_a, "token_count"_a, "margin"_a,
             R"(The blocks that good derivations may have: symbol, block, first token, end.

Derivations of the LCFRS that cost at most `margin` more than the lower bound of all derivations
have no other blocks.)");
}

}  // namespace crossbranch::bindings

// A parser for weighted LCFRS: sentences in, their best derivations out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "grammar/block_grammar.hpp"
#include "grammar/chart.hpp"
#include "grammar/rule_index.hpp"
#include "grammar/rules.hpp"

namespace crossbranch::grammar {

// A derivation in preorder: the number of a rule, or ~number of an axiom.
struct Derivation {
    double cost;
    std::vector<std::int64_t> steps;
};

// What the order of the agenda depends on. The result is always the same.
enum class Estimates : std::uint8_t {
    none,     // costs: Algorithm 3.2
    lengths,  // lower bounds by the number of tokens
    blocks,   // lower bounds of the block grammar: by far the fastest search
};

struct TakenItem;  // see recorder.hpp

struct ParseOptions {
    std::size_t k_best = 1;
    Estimates estimates = Estimates::blocks;
    // With blocks: how much a derivation may first cost above the lower bound of all
    // derivations. It grows until there is one.
    double margin = 8;
    Limits limits = {};
    // If given: the items that leave the agenda in the last search, in this order.
    std::vector<TakenItem>* taken = nullptr;
};

struct Parsed {
    std::vector<Derivation> derivations;  // the best one first
    Ending ending = Ending::exhausted;    // found: these are the best ones
    std::size_t items = 0;                // how many items there were
    std::size_t taken = 0;                // how many of them are in the chart
    double margin = 0;                    // the largest one that was tried
};

// Block number `block` of a symbol, and the tokens that it may have: [start, stop).
struct SymbolBlock {
    Symbol symbol;
    std::size_t block, start, stop;
};

class Parser {
  public:
    explicit Parser(Grammar grammar);
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;

    [[nodiscard]] Parsed parse(std::span<const Axiom> axioms, std::size_t token_count,
                               const ParseOptions& options) const;
    // The blocks of symbols that are in derivations of the block grammar which cost at most
    // `margin` more than its best one. A derivation of the LCFRS that costs no more than that has
    // no other blocks.
    [[nodiscard]] std::vector<SymbolBlock> blocks(std::span<const Axiom> axioms,
                                                  std::size_t token_count, double margin) const;
    [[nodiscard]] const Grammar& grammar() const { return grammar_; }

  private:
    [[nodiscard]] Parsed parse_relative(std::span<const Axiom> axioms, std::size_t token_count,
                                        const ParseOptions& options) const;

    const Grammar grammar_;
    const RuleIndex index_;
    const BlockGrammar blocks_;
};

}  // namespace crossbranch::grammar

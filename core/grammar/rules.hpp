// The rules of a weighted LCFRS with at most two children, ordered and without empty words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crossbranch::grammar {

using Symbol = std::uint32_t;
using RuleNumber = std::uint32_t;

inline constexpr Symbol no_symbol = ~Symbol{0};

// A block of a child, in its place in a block of the parent.
struct Part {
    std::uint16_t child;  // 0 or 1
    std::uint16_t block;
    bool opens;  // it begins a block of the parent; otherwise it touches the part before it
};

// How the blocks of the children form those of the parent, from left to right. The text "010,1" has
// one digit for each block: the parent's first block is the first block of the first child, the
// first block of the second, and the second block of the first. Blocks of a child are in order.
struct Composition {
    std::vector<Part> parts;
    std::size_t fan_out = 0;
    std::size_t children[2] = {0, 0};  // the fan-outs of the children

    static Composition parse(std::string_view text);

    // Whether two neighbouring blocks of one child touch.
    [[nodiscard]] bool joins_own_blocks() const;
};

// The cost is the negative logarithm of a probability. It must not be negative.
struct Rule {
    Symbol left;
    Symbol first;
    Symbol second;  // no_symbol: a unary rule
    std::uint32_t composition;
    double cost;
};

struct Grammar {
    Symbol start = 0;
    std::vector<std::size_t> fan_outs;  // by symbol
    std::vector<Composition> compositions;
    std::vector<Rule> rules;
    // Whether a rule joins neighbouring blocks of a child. If none does, blocks that touch are of
    // no use: no rule can make one block of them.
    bool joins_own_blocks = false;
    std::size_t largest_fan_out = 1;

    // `add` checks a rule and returns its number.
    RuleNumber add(Symbol left, Symbol first, Symbol second, const std::string& composition,
                   double cost);

  private:
    std::uint32_t composition_number(const std::string& text);

    std::vector<std::string> texts_;  // of the compositions
};

Grammar make_grammar(std::vector<std::size_t> fan_outs, Symbol start);

}  // namespace crossbranch::grammar

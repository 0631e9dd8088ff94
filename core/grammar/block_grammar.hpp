// The context-free grammar of the blocks of an LCFRS: each block is a constituent of its own.
//
// A rule with k blocks on its left side becomes k rules, which share its cost. Every derivation of
// the LCFRS is then a derivation of this grammar that costs the same or less. So its charts give
// lower bounds: outside estimates for an A* search, and what cannot be part of a good tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/rules.hpp"

namespace crossbranch::grammar {

using BlockSymbol = std::uint32_t;

class BlockGrammar {
  public:
    struct Binary {
        BlockSymbol right;
        BlockSymbol parent;
        float cost;
    };
    struct Unary {
        BlockSymbol parent;
        float cost;
    };

    explicit BlockGrammar(const Grammar& grammar);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] BlockSymbol start() const { return start_; }
    // The symbol of a block.
    [[nodiscard]] BlockSymbol of(Symbol symbol, std::size_t block) const {
        return first_block_[symbol] + static_cast<BlockSymbol>(block);
    }
    // The part of a rule's cost that one of its blocks bears.
    [[nodiscard]] double share(std::uint32_t composition, std::size_t block) const {
        return shares_[composition][block];
    }
    // The binary rules whose left child is this symbol.
    [[nodiscard]] std::span<const Binary> binaries(BlockSymbol left) const {
        return {binaries_.data() + first_binary_[left], binaries_.data() + first_binary_[left + 1]};
    }
    // The unary rules above a symbol.
    [[nodiscard]] std::span<const Unary> unaries(BlockSymbol child) const {
        return {unaries_.data() + first_unary_[child], unaries_.data() + first_unary_[child + 1]};
    }

  private:
    std::size_t size_ = 0;
    BlockSymbol start_;
    std::vector<BlockSymbol> first_block_;     // by symbol
    std::vector<std::vector<double>> shares_;  // by composition
    std::vector<Binary> binaries_;
    std::vector<std::size_t> first_binary_;
    std::vector<Unary> unaries_;
    std::vector<std::size_t> first_unary_;
};

}  // namespace crossbranch::grammar

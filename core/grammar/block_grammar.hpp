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
    // A parent of two neighbours, or a pair of children.
    struct Above {
        BlockSymbol parent;
        float cost;
    };
    struct Below {
        BlockSymbol left;
        BlockSymbol right;
        float cost;
    };
    // What may stand to the right of a symbol, and where the parents of both are.
    struct Neighbour {
        BlockSymbol right;
        std::uint32_t begin;
        std::uint32_t end;
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
    [[nodiscard]] std::span<const Neighbour> neighbours(BlockSymbol left) const {
        return neighbours_[left];
    }
    [[nodiscard]] std::span<const Above> parents(const Neighbour& neighbour) const {
        return {parents_.data() + neighbour.begin, parents_.data() + neighbour.end};
    }
    [[nodiscard]] std::span<const Below> children(BlockSymbol parent) const {
        return children_[parent];
    }
    // The unary rules above a symbol.
    [[nodiscard]] std::span<const Above> unaries(BlockSymbol child) const {
        return unaries_[child];
    }

  private:
    std::size_t size_ = 0;
    BlockSymbol start_;
    std::vector<BlockSymbol> first_block_;            // by symbol
    std::vector<std::vector<double>> shares_;         // by composition
    std::vector<std::vector<Neighbour>> neighbours_;  // by the left child
    std::vector<Above> parents_;
    std::vector<std::vector<Below>> children_;  // by parent
    std::vector<std::vector<Above>> unaries_;   // by child
};

}  // namespace crossbranch::grammar

// TreeShape: what a tree is without its labels, and what loops over all of its nodes.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "trees/blocks.hpp"
#include "trees/span.hpp"

namespace crossbranch {

// A vertex as input: it may be -1, and anything else before it has been checked.
using Parent = std::int64_t;

// Vertices 0 .. n-1 are the tokens, vertex n is the root, and the other nodes follow in any order.
// Node k is vertex n + k; results are in the order of the nodes, and the root is node 0.
class TreeShape {
  public:
    using NodePair = std::pair<Index, Index>;

    // parents[v] is the vertex above vertex v, -1 for the root. Throws std::invalid_argument, with
    // a message that names the vertex, for what is not a tree with tokens below every node. Only
    // the root of an empty sentence has no tokens.
    TreeShape(Index token_count, std::span<const Parent> parents);

    [[nodiscard]] Index token_count() const { return token_count_; }
    [[nodiscard]] Index node_count() const { return blocks_.size(); }

    // Throws std::invalid_argument for a node that does not exist.
    [[nodiscard]] const Blocks& blocks(Index node) const;

    [[nodiscard]] std::vector<Span> spans() const;

    // The fan-outs once the ignored tokens are deleted: a gap made only of them is no gap, and a
    // node with no other tokens has fan-out 0.
    [[nodiscard]] std::vector<Index> fan_outs(std::span<const Index> ignored = {}) const;

    // The pairs of disjoint nodes (a, b), a < b, each with tokens in a gap of the other, once the
    // ignored tokens are deleted; sorted. Finds only one pair where `stop_at_first` is set.
    [[nodiscard]] std::vector<NodePair> ill_nested_pairs(std::span<const Index> ignored = {},
                                                         bool stop_at_first = false) const;

    [[nodiscard]] bool is_ill_nested(std::span<const Index> ignored = {}) const {
        return !ill_nested_pairs(ignored, true).empty();
    }

  private:
    [[nodiscard]] std::vector<Blocks> blocks_without(std::span<const Index> ignored) const;

    Index token_count_;
    std::vector<Blocks> blocks_;  // one entry for each node
};

}  // namespace crossbranch

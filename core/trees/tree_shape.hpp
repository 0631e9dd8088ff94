// TreeShape: a tree without its labels, and the computations that loop over all of its nodes.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "trees/blocks.hpp"
#include "trees/span.hpp"

namespace crossbranch {

// A vertex as input: -1, or any other number until it has been checked.
using Parent = std::int64_t;

// Vertices 0 .. n-1 are the tokens, vertex n is the root, and the other nodes follow in any order.
// Node k is vertex n + k; results are in the order of the nodes, and the root is node 0.
class TreeShape {
  public:
    using NodePair = std::pair<Index, Index>;

    // parents[v] is the vertex above vertex v, -1 for the root. Throws std::invalid_argument, with
    // a message that names the vertex, if this is not a tree with tokens below every node. Only the
    // root of an empty sentence has no tokens.
    TreeShape(Index token_count, std::span<const Parent> parents);

    [[nodiscard]] Index token_count() const { return token_count_; }
    [[nodiscard]] Index node_count() const { return blocks_.size(); }

    // Throws std::invalid_argument for a node that does not exist.
    [[nodiscard]] const Blocks& blocks(Index node) const;

    [[nodiscard]] std::vector<Span> spans() const;

    // The fan-outs after deleting the ignored tokens: a gap with only ignored tokens does not
    // count, and a node with only ignored tokens has fan-out 0.
    [[nodiscard]] std::vector<Index> fan_outs(std::span<const Index> ignored = {}) const;

    // The sorted pairs of disjoint nodes (a, b), a < b, each with tokens in a gap of the other,
    // after deleting the ignored tokens. Finds only one pair if `stop_at_first` is set.
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

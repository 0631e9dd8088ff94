// Binarization of one node, so that the items between it and its children have low fan-out.
#pragma once

#include <utility>
#include <vector>

#include "trees/blocks.hpp"

namespace crossbranch {

struct Binarization {
    // Children are items 0 .. k-1. Merge m joins two items into item k + m. The last one is the
    // node.
    std::vector<std::pair<Index, Index>> merges;
    bool exact = true;  // false: too many subsets of children, so they were merged greedily
};

inline constexpr Index default_subset_limit = 2048;

// Minimises the largest fan-out of the intermediate items (those that are neither a child nor the
// whole node), then the sum of their fan-outs. Among equals, small and left items merge first.
//
// As in Gomez-Rodriguez et al. (2009): raise a bound d = 1, 2, ... on the fan-out and close the set
// of children under disjoint union within the bound, until the whole node is reached. If the
// closure has more than `subset_limit` sets, neighbours are merged greedily, lowest fan-out first.
//
// Throws std::invalid_argument, with a message that names the child, unless every child has a block
// and all blocks are disjoint.
Binarization optimal_binarization(std::vector<Blocks> children,
                                  Index subset_limit = default_subset_limit);

}  // namespace crossbranch

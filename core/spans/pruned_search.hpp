// Search in the quintic space among few discontinuous items. Its time is that of the continuous
// chart, and of the pairs of items.
//
// An item without a label is only of use if it is part of a discontinuous constituent, and a
// constituent only if its score is positive. So all items but promising ones can be left out: a
// constituent with at most one discontinuous child is made of this child and of continuous items
// beside it. The result is exact if no promising item was pruned.
#pragma once

#include <cstddef>

#include "spans/best_tree.hpp"

namespace crossbranch::spans {

struct PrunedTree {
    SpanTree tree;
    float bound;  // no tree of the space has a higher score

    [[nodiscard]] bool is_best() const { return tree.score >= bound; }
};

// The best tree with discontinuous constituents among the `limit` most promising items. It is not
// worse than the best one of the cubic space.
[[nodiscard]] PrunedTree best_pruned_tree(const SpanScores& scores, bool ill_nested,
                                          std::size_t limit);

}  // namespace crossbranch::spans

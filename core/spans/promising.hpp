// Discontinuous items that are worth a search: those with a label of a positive score.
#pragma once

#include <cstddef>
#include <vector>

#include "spans/items.hpp"
#include "spans/span_scores.hpp"

namespace crossbranch::spans {

struct PromisingItem {
    Item item;
    float score;  // of its best label
};

struct PromisingItems {
    // Parts come before the items that they can be part of. Those with the same outer borders stand
    // together.
    std::vector<PromisingItem> items;
    // Whether all other items are useless: they have no label of a positive score, or no tree with
    // them is better than the best cubic one. If not, no tree with others has a score above
    // `bound`.
    bool are_all = true;
    float bound = 0;
};

// At most `limit` items: those that trees with high bounds have.
[[nodiscard]] PromisingItems find_promising(const SpanScores& scores, bool ill_nested,
                                            std::size_t limit);

}  // namespace crossbranch::spans

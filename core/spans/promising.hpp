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
    // Parts come before the items that they can be part of.
    std::vector<PromisingItem> items;
    // Whether all other items are useless: they have no label of a positive score, or no tree with
    // them is better than the best cubic one. If not, no tree with others has a score above
    // `bound`.
    bool are_all = true;
    float bound = 0;
};

// At most `limit` items. Those that fit the best continuous tree are kept first.
[[nodiscard]] PromisingItems find_promising(const SpanScores& scores, std::size_t limit);

}  // namespace crossbranch::spans

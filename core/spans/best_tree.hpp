// The best tree of a chart: its constituents with their labels.
#pragma once

#include <span>
#include <vector>

#include "spans/items.hpp"
#include "spans/search_space.hpp"
#include "spans/span_scores.hpp"

namespace crossbranch::spans {

struct Constituent {
    Item item;
    Label label;  // of continuous or of discontinuous constituents

    friend bool operator==(const Constituent&, const Constituent&) = default;
};

// Throws std::invalid_argument if a sentence cannot have these constituents.
void check(const SpanScores& scores, std::span<const Constituent> constituents);

struct SpanTree {
    float score;
    std::vector<Constituent> constituents;  // parents before their children
};

// The tree with the highest score that a space contains. Of equal ones, always the same. Items
// without a label are no constituents; so are those whose best label is worse than none.
[[nodiscard]] SpanTree best_tree(const SpanScores& scores, SearchSpace space);

// The best label of an item, or no_label. Of equal ones, the first; a label rather than none.
[[nodiscard]] Label best_label(const SpanScores& scores, SearchSpace space, const Item& item);

}  // namespace crossbranch::spans

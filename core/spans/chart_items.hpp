// The items of a chart in the order in which the search computes them, to be looked at.
#pragma once

#include <cstddef>
#include <vector>

#include "spans/items.hpp"
#include "spans/search_space.hpp"
#include "spans/span_scores.hpp"

namespace crossbranch::spans {

// A way to make an item: a rule of figure 3 and two parts, with the score of the item.
struct ItemWay {
    char rule;
    Item left, right;
    float score;
};

struct ItemLabel {
    Label label;
    float score;
};

struct ChartItem {
    std::size_t place;  // among all items, from 0
    Item item;
    float score;                    // as in the chart
    std::vector<ItemLabel> labels;  // the best ones, and having none; the first one is taken
    std::vector<ItemWay> ways;      // the best ones; the first one is taken; none for a token
    bool is_in_tree;
    bool is_shown;  // otherwise, it is only a part of another one
};

struct ChartItems {
    std::vector<ChartItem> items;
    std::size_t total;  // of the whole chart
};

// The rule that makes an item of two parts.
[[nodiscard]] char rule_of(const Item& item, const Item& left, const Item& right);

// All items of the best tree; `others` further ones, those whose labels have the highest scores;
// and all parts of these. Each has at most `best` labels and ways. The cubic space has the trees
// of the quartic one, and its items are those of the quartic one, too.
[[nodiscard]] ChartItems chart_items(const SpanScores& scores, SearchSpace space,
                                     std::size_t others, std::size_t best);

}  // namespace crossbranch::spans

// Items of span charts, and the pairs of smaller items that they are made of.
#pragma once

#include "spans/search_space.hpp"
#include "spans/span_scores.hpp"

namespace crossbranch::spans {

// The tokens [i, j), without those of the gap [k, l) if there is one.
struct Item {
    Place i, k, l, j;

    [[nodiscard]] static Item whole(Place i, Place j) { return {i, -1, -1, j}; }
    [[nodiscard]] bool has_gap() const { return k >= 0; }
    [[nodiscard]] Place size() const { return has_gap() ? j - l + k - i : j - i; }

    friend bool operator==(const Item&, const Item&) = default;
};

// The pairs of items with gaps that make a continuous item.
template <typename Visit>
void each_ill_nested_pair(const Item& item, SearchSpace space, Visit visit) {
    const auto [i, no_k, no_l, j] = item;
    if (!space.nests_gaps() || !space.ill_nested)
        return;
    for (Place m = i + 1; m < j; ++m)  // (i)
        for (Place k = m + 1; k < j; ++k)
            for (Place n = k + 1; n < j; ++n)
                visit(Item{i, m, k, n}, Item{m, k, n, j});
}

// Calls visit(left, right) for all pairs of items that make a continuous item.
template <typename Visit>
void each_pair_of_whole(const Item& item, SearchSpace space, Visit visit) {
    const auto [i, no_k, no_l, j] = item;
    for (Place m = i + 1; m < j; ++m)  // (a)
        visit(Item::whole(i, m), Item::whole(m, j));
    for (Place k = i + 1; space.has_gaps() && k < j; ++k)  // (c)
        for (Place l = k + 1; l < j; ++l)
            visit(Item{i, k, l, j}, Item::whole(k, l));
    each_ill_nested_pair(item, space, visit);
}

// The pairs of which both have a gap and that make an item with a gap.
template <typename Visit>
void each_pair_of_gaps(const Item& item, SearchSpace space, Visit visit) {
    const auto [i, k, l, j] = item;
    for (Place m = i + 1; m < k; ++m)  // (d)
        for (Place n = l + 1; n < j; ++n)
            visit(Item{i, m, n, j}, Item{m, k, l, n});
    if (!space.ill_nested)
        return;
    for (Place m = i + 1; m < k; ++m) {
        for (Place n = l + 1; n < j; ++n)  // (j)
            visit(Item{i, m, l, n}, Item{m, k, n, j});
        for (Place n = m + 1; n < k; ++n)  // (k)
            visit(Item{i, m, n, k}, Item{m, n, l, j});
    }
    for (Place m = l + 1; m < j; ++m)  // (l)
        for (Place n = m + 1; n < j; ++n)
            visit(Item{i, k, m, n}, Item{l, m, n, j});
}

// Calls visit(left, right) for all pairs of items that make an item. The left one has the first
// token.
template <typename Visit>
void each_pair(const Item& item, SearchSpace space, Visit visit) {
    if (!item.has_gap()) {
        each_pair_of_whole(item, space, visit);
        return;
    }
    const auto [i, k, l, j] = item;
    visit(Item::whole(i, k), Item::whole(l, j));  // (b)
    if (!space.nests_gaps())
        return;
    for (Place m = i + 1; m < k; ++m) {
        visit(Item::whole(i, m), Item{m, k, l, j});  // (e)
        visit(Item{i, m, l, j}, Item::whole(m, k));  // (g)
    }
    for (Place m = l + 1; m < j; ++m) {
        visit(Item{i, k, l, m}, Item::whole(m, j));  // (f)
        visit(Item{i, k, m, j}, Item::whole(l, m));  // (h)
    }
    if (space.joins_two_gaps())
        each_pair_of_gaps(item, space, visit);
}

}  // namespace crossbranch::spans

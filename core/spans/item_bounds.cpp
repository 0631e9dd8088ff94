#include "spans/item_bounds.hpp"

#include <algorithm>

#include "spans/chart.hpp"

namespace crossbranch::spans {

ItemBounds::ItemBounds(const SpanScores& scores, bool ill_nested,
                       std::span<const PromisingItem> items)
    : scores_(scores),
      count_(scores.token_count()),
      ill_nested_(ill_nested),
      items_(items),
      groups_(cell(count_, count_) + 1),
      below_(items.size()),
      above_(items.size()),
      crossing_(groups_.size()),
      outside_(groups_.size(), impossible<float>),
      bounds_(items.size()) {
    find_groups();
    find_chains_below();
    find_chains_above();
    if (ill_nested)
        find_crossings();
    fill_inside();
    fill_outside();
    find_bounds();
}

void ItemBounds::find_groups() {
    for (std::size_t at = 0; at < items_.size(); ++at) {
        Group& group = groups_[cell(items_[at].item.i, items_[at].item.j)];
        if (group.end == 0)
            group.begin = at;
        group.end = at + 1;
    }
}

template <typename Visit>
void ItemBounds::each_group(bool narrow_first, Visit visit) const {
    for (Place step = 1; step <= count_; ++step) {
        const Place width = narrow_first ? step : count_ + 1 - step;
        for (Place i = 0, j = width; j <= count_; ++i, ++j)
            visit(i, j, groups_[cell(i, j)]);
    }
}

void ItemBounds::find_chains_below() {
    std::vector<float> best(groups_.size());  // of all items inside some borders
    std::vector<float> around(groups_.size());
    std::vector<std::size_t> item_at(groups_.size());
    each_group(true, [&](Place i, Place j, const Group& group) {
        float& found = best[cell(i, j)];
        if (j - i > 1)
            found = std::max(best[cell(i + 1, j)], best[cell(i, j - 1)]);
        if (group.end == 0)
            return;
        const float inside = found;
        for (std::size_t at = group.begin; at < group.end; ++at)
            item_at[cell(items_[at].item.k, items_[at].item.l)] = at + 1;
        for (Place size = j - i - 2; size > 0; --size)  // large gaps first
            for (Place k = i + 1, l = k + size; l < j; ++k, ++l) {
                float& here = around[cell(k, l)];  // the best item whose gap contains this one
                here = std::max(k > i + 1 ? around[cell(k - 1, l)] : 0,
                                l + 1 < j ? around[cell(k, l + 1)] : 0);
                if (std::size_t& at = item_at[cell(k, l)]; at != 0) {
                    here = items_[at - 1].score + std::max(inside, here);
                    below_[at - 1] = here;
                    found = std::max(found, here);
                    at = 0;
                }
            }
    });
    highest_ = best[cell(0, count_)];
}

void ItemBounds::find_chains_above() {
    std::vector<float> best(groups_.size());  // of all items outside some borders
    std::vector<float> within(groups_.size());
    std::vector<std::size_t> item_at(groups_.size());
    each_group(false, [&](Place i, Place j, const Group& group) {
        float& found = best[cell(i, j)];
        found = std::max(i > 0 ? best[cell(i - 1, j)] : 0, j < count_ ? best[cell(i, j + 1)] : 0);
        if (group.end == 0)
            return;
        const float outside = found;
        for (std::size_t at = group.begin; at < group.end; ++at)
            item_at[cell(items_[at].item.k, items_[at].item.l)] = at + 1;
        for (Place size = 1; size <= j - i - 2; ++size)  // small gaps first
            for (Place k = i + 1, l = k + size; l < j; ++k, ++l) {
                float& here = within[cell(k, l)];  // the best item whose gap is in this one
                here = size > 1 ? std::max(within[cell(k + 1, l)], within[cell(k, l - 1)]) : 0;
                if (std::size_t& at = item_at[cell(k, l)]; at != 0) {
                    above_[at - 1] = std::max(outside, here);
                    here = items_[at - 1].score + above_[at - 1];
                    found = std::max(found, here);
                    at = 0;
                }
            }
    });
}

// Two that are ill-nested: one begins at i, and the other one ends at j.
void ItemBounds::find_crossings() {
    std::vector<float> from(groups_.size()), until(groups_.size());
    each_group(true, [&](Place i, Place j, const Group& group) {
        if (j - i > 1) {
            from[cell(i, j)] = from[cell(i, j - 1)];
            until[cell(i, j)] = until[cell(i + 1, j)];
        }
        crossing_[cell(i, j)] = from[cell(i, j)] + until[cell(i, j)];
        for (std::size_t at = group.begin; at < group.end; ++at) {
            from[cell(i, j)] = std::max(from[cell(i, j)], below_[at]);
            until[cell(i, j)] = std::max(until[cell(i, j)], below_[at]);
        }
    });
}

float ItemBounds::filled(std::size_t at) const {
    const auto [i, k, l, j] = items_[at].item;
    return below_[at] + inside_.at(i, k) + inside_.at(k, l) + inside_.at(l, j);
}

void ItemBounds::fill_inside() {
    inside_.resize(count_);
    each_group(true, [&](Place i, Place j, const Group& group) {
        float best = 0;
        if (j - i > 1)
            best = crossing_[cell(i, j)] +
                   add_pairs<Best>(inside_.from(i) + i + 1, inside_.until(j) + i + 1, j - 1 - i);
        for (std::size_t at = group.begin; at < group.end; ++at)
            best = std::max(best, filled(at));
        inside_.set(i, j, best + whole_label_score<Best>(scores_, i, j));
    });
}

void ItemBounds::raise(Place i, Place j, float score) {
    float& old = outside_[cell(i, j)];
    old = std::max(old, score);
}

// What trees have outside [i, j), with the label of [i, j) itself.
void ItemBounds::fill_outside() {
    outside_[cell(0, count_)] = 0;
    each_group(false, [&](Place i, Place j, const Group& group) {
        float& mine = outside_[cell(i, j)];
        mine += whole_label_score<Best>(scores_, i, j);
        const float split = mine + crossing_[cell(i, j)];
        for (Place m = i + 1; m < j; ++m) {
            raise(i, m, split + inside_.at(m, j));
            raise(m, j, split + inside_.at(i, m));
        }
        for (std::size_t at = group.begin; at < group.end; ++at) {
            const auto [first, k, l, last] = items_[at].item;
            const float all = mine + filled(at);
            raise(i, k, all - inside_.at(i, k));
            raise(k, l, all - inside_.at(k, l));
            raise(l, j, all - inside_.at(l, j));
        }
    });
}

// An item is inside a chain, perhaps ill-nested with another chain; all else is as if it was not.
void ItemBounds::find_bounds() {
    for (std::size_t at = 0; at < items_.size(); ++at)
        bounds_[at] = outside_[cell(items_[at].item.i, items_[at].item.j)] + filled(at) +
                      above_[at] + (ill_nested_ ? highest_ : 0);
}

}  // namespace crossbranch::spans

// What a tree with some discontinuous item can have at most: a search that forgets on purpose.
//
// The bonus of an item is the highest sum of scores of a chain of items, where each one can be
// inside the one before. Chains look at outer borders only, unless these are the same; then they
// look at gaps. A continuous chart with bonuses bounds all trees of the quintic space, in about the
// time of the continuous chart.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "spans/item_table.hpp"
#include "spans/promising.hpp"

namespace crossbranch::spans {

class ItemBounds {
  public:
    // Items with the same outer borders stand together; narrow ones come first.
    ItemBounds(const SpanScores& scores, bool ill_nested, std::span<const PromisingItem> items);

    // No tree of these items has a higher score, and no tree with this one.
    [[nodiscard]] float of_all() const { return inside_.at(0, count_); }
    [[nodiscard]] float of_item(std::size_t at) const { return bounds_[at]; }

  private:
    // Items with the same outer borders: those from `begin` up to `end`.
    struct Group {
        std::size_t begin = 0, end = 0;
    };

    void find_groups();
    void find_chains_below();
    void find_chains_above();
    void find_crossings();
    void fill_inside();
    void fill_outside();
    void raise(Place i, Place j, float score);
    void find_bounds();

    [[nodiscard]] std::size_t cell(Place x, Place y) const {
        return static_cast<std::size_t>(x * (count_ + 1) + y);
    }
    // Calls visit(i, j, group) for all outer borders of items, narrow or wide ones first.
    template <typename Visit>
    void each_group(bool narrow_first, Visit visit) const;
    // All that a tree has inside the outer borders of an item.
    [[nodiscard]] float filled(std::size_t at) const;

    const SpanScores& scores_;
    Place count_;
    bool ill_nested_;
    std::span<const PromisingItem> items_;
    std::vector<Group> groups_;         // by outer borders
    std::vector<float> below_, above_;  // bonuses of chains: from an item down; above an item
    std::vector<float> crossing_;       // by outer borders: the bonus of two that are ill-nested
    float highest_ = 0;                 // bonus of all
    ContinuousTable<float> inside_;
    std::vector<float> outside_, bounds_;
};

}  // namespace crossbranch::spans

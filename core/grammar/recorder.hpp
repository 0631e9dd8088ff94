// Takes down which items leave the agenda, so that a search can be shown step by step.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "grammar/chart.hpp"
#include "grammar/deduction.hpp"
#include "grammar/rules.hpp"

namespace crossbranch::grammar {

// An item that left the agenda. An item that returns to the agenda is there several times.
struct TakenItem {
    Symbol symbol;
    std::vector<std::size_t> ends;
    double cost;      // what its derivation costs
    double priority;  // its place on the agenda
    RuleNumber rule;  // no_rule: an axiom
    // Places in the list, before this one. Of an axiom, the first is its number.
    std::size_t first, second;
    bool is_in_tree = false;
};

inline constexpr std::size_t no_place = ~std::size_t{0};

template <typename Ends>
class Recorder {
  public:
    Recorder(const Deduction<Ends>& search, const Grammar& grammar, std::vector<TakenItem>& list)
        : search_(search), grammar_(grammar), list_(list) {
        list_.clear();
    }

    void take(ItemNumber number) {
        const Item& item = search_.items()[number];
        const Ends& ends = search_.ends(number);
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < 2 * grammar_.fan_outs[item.symbol]; ++i)
            places.push_back(ends[i]);
        const bool is_axiom = item.way.rule == no_rule;
        list_.push_back({item.symbol, std::move(places), item.cost, item.priority, item.way.rule,
                         is_axiom ? item.way.first : place_of(item.way.first),
                         is_axiom ? no_place : place_of(item.way.second)});
        if (last_.size() <= number)
            last_.resize(number + 1, no_place);
        last_[number] = list_.size() - 1;
    }

    // Marks what the derivation of the goal item is made of. If a limit ended the search, the goal
    // item may still be on the agenda.
    void finish() {
        const ItemNumber goal = search_.goal();
        if (goal == no_item)
            return;
        if (!search_.items()[goal].is_done)
            take(goal);
        list_[place_of(goal)].is_in_tree = true;
        for (std::size_t place = list_.size(); place-- > 0;) {
            const TakenItem& one = list_[place];
            if (!one.is_in_tree || one.rule == no_rule)
                continue;
            list_[one.first].is_in_tree = true;
            if (one.second != no_place)
                list_[one.second].is_in_tree = true;
        }
    }

  private:
    // Where an item was taken last.
    [[nodiscard]] std::size_t place_of(ItemNumber number) const {
        return number < last_.size() ? last_[number] : no_place;
    }

    const Deduction<Ends>& search_;
    const Grammar& grammar_;
    std::vector<TakenItem>& list_;
    std::vector<std::size_t> last_;  // by item
};

// The search does not know what the cheapest axioms cost; their costs are put back.
inline void add_costs(std::span<TakenItem> items, std::span<const double> of_tokens) {
    for (TakenItem& item : items) {
        double more = 0;
        for (std::size_t i = 0; i < item.ends.size(); i += 2)
            for (std::size_t token = item.ends[i]; token < item.ends[i + 1]; ++token)
                more += of_tokens[token];
        item.cost += more;
    }
}

}  // namespace crossbranch::grammar

// Weighted deduction with an agenda: Algorithm 3.2 of the thesis whose figure 3.3 is in the tests
// (Kallmeyer & Maier 2013; Nederhof 2003), and the same as an A* search.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "grammar/block_chart.hpp"
#include "grammar/chart.hpp"
#include "grammar/ends.hpp"
#include "grammar/length_estimates.hpp"
#include "grammar/pair_table.hpp"
#include "grammar/rule_index.hpp"
#include "grammar/rules.hpp"

namespace crossbranch::grammar {

struct Item {
    double cost;      // of its best derivation so far
    double priority;  // no complete derivation with this one inside costs less
    Way way;
    Symbol symbol;
    std::uint32_t shares;     // where the costs of its blocks are, if it has several
    bool is_done = false;     // it was on the top of the agenda: it is in the chart
    bool is_shelved = false;  // other items can meet it
};

// What a search is told.
struct Task {
    const Grammar& grammar;
    const RuleIndex& index;
    std::span<const Axiom> axioms;
    std::size_t token_count;
    const BlockGrammar* blocks = nullptr;      // with `estimates`
    const BlockChart* estimates = nullptr;     // an A* search with bounds by blocks
    const LengthEstimates* lengths = nullptr;  // an A* search with bounds by length
    double greed = 1;          // above 1, estimates by blocks count more: a quick search, not exact
    bool keeps_edges = false;  // for lists of several derivations
    Limits limits = {};
};

// The search for one sentence.
//
// Without estimates, items leave the agenda in the order of their costs, and each is final then.
// With estimates, they leave it in the order of a lower bound of what a whole derivation costs.
// Estimates by length are monotonic: items are final, too. With a block chart, the bound of an item
// with one block is its cost plus the outside cost of the block. For an item with several blocks,
// it is the largest bound of its blocks. An item may then leave the agenda before its best
// derivation is known; it returns when a better one is found. When the goal item leaves the agenda,
// its derivation is the best one in all cases.
template <typename Ends>
class Deduction {
  public:
    explicit Deduction(const Task& task);

    // Searches until the goal item is done and no priority on the agenda is below `until`.
    Ending advance(double until);

    [[nodiscard]] const std::vector<Item>& items() const { return items_; }
    [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
    [[nodiscard]] const Ends& ends(ItemNumber item) const { return ends_[item]; }
    // The item of the start symbol over the whole sentence, done or not; no_item if there is none.
    [[nodiscard]] ItemNumber goal() const { return goal_; }
    // The lowest priority on the agenda. Items with derivations below it are all done.
    [[nodiscard]] double next_priority();

    // Called with each item that is taken from the agenda, and with each derivation that is better
    // than those before it; for tests.
    std::function<void(ItemNumber)> on_taken;
    std::function<void(ItemNumber)> on_better;

  private:
    struct Waiting {
        double priority;
        ItemNumber item;
    };
    // An item in the table. Most derivations are not better than one before; the table has all that
    // it takes to see that.
    struct Slot {
        Ends ends;
        double cost;
        Symbol symbol;
        ItemNumber item = no_item;
    };
    // An item in a shelf; `next` is the one that was put there before it.
    struct Shelved {
        Ends ends;
        ItemNumber item;
        std::uint32_t next;
    };

    static bool is_later(const Waiting& a, const Waiting& b) {
        return a.priority > b.priority || (a.priority == b.priority && a.item > b.item);
    }

    void take(ItemNumber number);
    void shelve(ItemNumber number);
    void apply_unaries(ItemNumber number);
    void meet(ItemNumber number, const Meeting& meeting);
    void meet_all(ItemNumber number, const Meeting& meeting, std::uint32_t place);
    std::uint32_t& last_at(std::uint32_t shelf, std::size_t position) {
        return shelves_[position * task_.index.shelf_count() + shelf];
    }
    bool compose(const Composition& composition, const Ends& first, const Ends& second,
                 Ends& found) const;
    void deduce(Symbol symbol, const Ends& ends, double cost, const Way& way);
    double priority(Symbol symbol, const Ends& ends, double cost, const Way& way);
    double bound(Symbol symbol, const Ends& ends, double cost, const Way& way);
    double block_cost(ItemNumber item, std::size_t block) const;
    Slot& slot(Symbol symbol, const Ends& ends);
    void grow();
    [[nodiscard]] bool is_goal(Symbol symbol, const Ends& ends) const;
    [[nodiscard]] bool has_many_items() const;
    [[nodiscard]] double limit() const;
    [[nodiscard]] bool is_too_far(double priority) const;

    Task task_;
    std::vector<Item> items_;
    std::vector<Ends> ends_;  // by item
    std::vector<double> shares_;
    std::vector<double> new_shares_;
    std::vector<Edge> edges_;
    std::vector<Waiting> agenda_;
    std::vector<Slot> table_;
    std::vector<Shelved> shelved_;
    std::vector<std::uint32_t> shelves_;  // by position and shelf: what was put there last
    PairTable pairs_;                     // the same for shelves by two ends
    ItemNumber goal_ = no_item;
    std::size_t taken_ = 0;
    bool is_repeated_ = false;  // the current item was in the chart before
    std::chrono::steady_clock::time_point end_time_;
};

extern template class Deduction<ShortEnds>;
extern template class Deduction<LongEnds>;
extern template class Deduction<AnyEnds>;

}  // namespace crossbranch::grammar

#include "grammar/deduction.hpp"

#include <algorithm>
#include <utility>

namespace crossbranch::grammar {
namespace {

constexpr std::size_t first_table_size = 1024;
constexpr std::size_t takes_between_looks = 256;  // at the clock

}  // namespace

template <typename Ends>
Deduction<Ends>::Deduction(const Task& task)
    : task_(task),
      table_(first_table_size),
      shelves_((task.token_count + 1) * task.index.shelf_count(), PairTable::nothing) {
    const auto seconds = std::chrono::duration<double>(task.limits.seconds);
    end_time_ = std::chrono::steady_clock::now() +
                std::chrono::duration_cast<std::chrono::steady_clock::duration>(seconds);
    for (std::size_t i = 0; i < task.axioms.size(); ++i) {
        const Axiom& axiom = task.axioms[i];
        Ends ends(2);
        ends.set(0, axiom.token);
        ends.set(1, axiom.token + 1);
        deduce(axiom.symbol, ends, axiom.cost, {no_rule, static_cast<ItemNumber>(i), no_item});
    }
}

template <typename Ends>
Ending Deduction<Ends>::advance(double until) {
    while (true) {
        const double next = next_priority();
        const bool has_goal = goal_ != no_item && items_[goal_].is_done;
        const bool is_over = agenda_.empty() || next > limit();
        if (has_goal && (is_over || next >= until))
            return Ending::found;
        if (is_over)
            return Ending::exhausted;
        if (has_many_items())
            return Ending::too_many_items;
        if (task_.limits.seconds > 0 && taken_++ % takes_between_looks == 0 &&
            std::chrono::steady_clock::now() > end_time_)
            return Ending::too_slow;
        const ItemNumber number = agenda_.front().item;
        std::ranges::pop_heap(agenda_, is_later);
        agenda_.pop_back();
        take(number);
    }
}

// Items that got a better place on the agenda are still in their old one; these are dropped here.
template <typename Ends>
double Deduction<Ends>::next_priority() {
    while (!agenda_.empty()) {
        const Waiting& top = agenda_.front();
        const Item& item = items_[top.item];
        if (!item.is_done && item.priority == top.priority)
            return top.priority;
        std::ranges::pop_heap(agenda_, is_later);
        agenda_.pop_back();
    }
    return infinite;
}

template <typename Ends>
bool Deduction<Ends>::has_many_items() const {
    // An edge takes about a third of the memory of an item.
    return task_.limits.items > 0 && items_.size() + edges_.size() / 3 > task_.limits.items;
}

template <typename Ends>
void Deduction<Ends>::take(ItemNumber number) {
    if (on_taken)
        on_taken(number);
    Item& item = items_[number];
    item.is_done = true;
    // An item that returned with a better derivation is on its shelves, and its edges are known.
    is_repeated_ = item.is_shelved;
    if (!is_repeated_)
        shelve(number);
    apply_unaries(number);
    for (const Meeting& meeting : task_.index.meetings(items_[number].symbol))
        meet(number, meeting);
}

template <typename Ends>
void Deduction<Ends>::shelve(ItemNumber number) {
    const Ends& ends = ends_[number];
    items_[number].is_shelved = true;
    for (const Shelf& shelf : task_.index.shelves(items_[number].symbol)) {
        std::uint32_t& last = shelf.second_end == no_end ? last_at(shelf.number, ends[shelf.end])
                                                         : pairs_.at(shelf.number, ends[shelf.end],
                                                                     ends[shelf.second_end]);
        shelved_.push_back({ends, number, last});
        last = static_cast<std::uint32_t>(shelved_.size() - 1);
    }
}

template <typename Ends>
void Deduction<Ends>::apply_unaries(ItemNumber number) {
    const Symbol symbol = items_[number].symbol;
    for (const RuleNumber rule_number : task_.index.unaries(symbol)) {
        const Rule& rule = task_.grammar.rules[rule_number];
        Ends ends(2 * task_.grammar.fan_outs[rule.left]);
        const Ends own = ends_[number];
        if (compose(task_.grammar.compositions[rule.composition], own, own, ends))
            deduce(rule.left, ends, items_[number].cost + rule.cost,
                   {rule_number, number, no_item});
    }
}

template <typename Ends>
void Deduction<Ends>::meet(ItemNumber number, const Meeting& meeting) {
    const std::size_t end = ends_[number][meeting.own_end];
    switch (meeting.contact) {
        case Contact::touch:
            return meet_all(number, meeting, last_at(meeting.shelf, end));
        case Contact::two_touches:
            return meet_all(number, meeting,
                            pairs_.find(meeting.shelf, end, ends_[number][meeting.own_second_end]));
        case Contact::before:
            for (std::size_t position = task_.token_count; position-- > end;)
                meet_all(number, meeting, last_at(meeting.shelf, position));
            return;
        case Contact::after:
            for (std::size_t position = end; position > 0; --position)
                meet_all(number, meeting, last_at(meeting.shelf, position));
            return;
    }
}

// Meets all items of a shelf, beginning with the one that was put there last.
template <typename Ends>
void Deduction<Ends>::meet_all(ItemNumber number, const Meeting& meeting, std::uint32_t place) {
    if (place == PairTable::nothing)
        return;
    const Ends own = ends_[number];
    const Composition& composition = task_.grammar.compositions[meeting.composition];
    const auto outcomes = task_.index.outcomes(meeting);
    const bool is_simple = composition.parts.size() == 2 && composition.fan_out == 1;
    Ends ends(2 * composition.fan_out);
    for (; place != PairTable::nothing; place = shelved_[place].next) {
        const Shelved& partner = shelved_[place];
        const Ends& left = meeting.is_first ? own : partner.ends;
        const Ends& right = meeting.is_first ? partner.ends : own;
        if (is_simple) {  // they touch, or they would not meet
            ends.set(0, left[0]);
            ends.set(1, right[1]);
        } else if (!compose(composition, left, right, ends)) {
            continue;
        }
        const ItemNumber first = meeting.is_first ? number : partner.item;
        const ItemNumber second = meeting.is_first ? partner.item : number;
        const double cost = items_[number].cost + items_[partner.item].cost;
        for (const Outcome& outcome : outcomes)
            deduce(outcome.left, ends, cost + outcome.cost, {outcome.rule, first, second});
    }
}

// Puts the blocks of the children together; false if they do not fit.
template <typename Ends>
bool Deduction<Ends>::compose(const Composition& composition, const Ends& first, const Ends& second,
                              Ends& found) const {
    std::size_t end = 0;  // the number of ends so far
    std::size_t last = 0;
    for (const Part& part : composition.parts) {
        const Ends& child = part.child == 0 ? first : second;
        const std::size_t start = child[2 * part.block];
        if (!part.opens) {
            if (start != last)
                return false;
            --end;
        } else {
            if (end > 0 && (start < last || (start == last && !task_.grammar.joins_own_blocks)))
                return false;
            found.set(end++, start);
        }
        last = child[2 * part.block + 1];
        found.set(end++, last);
    }
    return true;
}

// Takes note of a derivation: a new item, a better derivation of an item, or neither.
template <typename Ends>
void Deduction<Ends>::deduce(Symbol symbol, const Ends& ends, double cost, const Way& way) {
    Slot* place = &slot(symbol, ends);
    if (place->item != no_item) {
        if (task_.keeps_edges && !is_repeated_)
            edges_.push_back({place->item, way});
        if (cost >= place->cost)
            return;
        Item& item = items_[place->item];
        item.priority = priority(symbol, ends, cost, way);
        if (task_.grammar.fan_outs[symbol] > 1 && task_.estimates)
            std::ranges::copy(new_shares_, shares_.begin() + item.shares);
        place->cost = item.cost = cost;
        item.way = way;
        item.is_done = false;
    } else {
        const double bound = priority(symbol, ends, cost, way);
        if (bound == infinite || is_too_far(bound))
            return;
        const auto number = static_cast<ItemNumber>(items_.size());
        *place = {ends, cost, symbol, number};
        items_.push_back({cost, bound, way, symbol, static_cast<std::uint32_t>(shares_.size())});
        ends_.push_back(ends);
        if (task_.grammar.fan_outs[symbol] > 1 && task_.estimates)
            shares_.insert(shares_.end(), new_shares_.begin(), new_shares_.end());
        if (task_.keeps_edges)
            edges_.push_back({number, way});
        if (is_goal(symbol, ends))
            goal_ = number;
        if (2 * items_.size() > table_.size())
            grow();
        place = &slot(symbol, ends);
    }
    agenda_.push_back({items_[place->item].priority, place->item});
    std::ranges::push_heap(agenda_, is_later);
    if (on_better)
        on_better(place->item);
}

// Items with a higher priority are of no use.
template <typename Ends>
double Deduction<Ends>::limit() const {
    return task_.estimates && task_.greed == 1 ? task_.estimates->limit() : infinite;
}

// Whether an item can be forgotten. If edges are kept, it cannot: when the item gets better, the
// edges that it had before are needed.
template <typename Ends>
bool Deduction<Ends>::is_too_far(double priority) const {
    return !task_.keeps_edges && priority > limit();
}

template <typename Ends>
double Deduction<Ends>::priority(Symbol symbol, const Ends& ends, double cost, const Way& way) {
    if (task_.estimates)
        return bound(symbol, ends, cost, way);
    if (!task_.lengths)
        return cost;
    std::size_t length = 0;
    for (std::size_t block = 0; block < task_.grammar.fan_outs[symbol]; ++block)
        length += ends[2 * block + 1] - ends[2 * block];
    return cost + task_.lengths->outside(symbol, length);
}

// A lower bound of what a derivation of the whole sentence costs that contains this derivation.
template <typename Ends>
double Deduction<Ends>::bound(Symbol symbol, const Ends& ends, double cost, const Way& way) {
    const BlockChart& estimates = *task_.estimates;
    const BlockGrammar& blocks = *task_.blocks;
    double found = cost;  // no derivation costs less than what is inside it
    if (way.rule != no_rule && task_.greed == 1)
        for (const ItemNumber child : {way.first, way.second})
            if (child != no_item)
                found = std::max(found, items_[child].priority);
    const std::size_t fan_out = task_.grammar.fan_outs[symbol];
    if (fan_out == 1)
        return std::max(
            found, cost + task_.greed * estimates.outside(blocks.of(symbol, 0), ends[0], ends[1]));
    const Rule& rule = task_.grammar.rules[way.rule];
    new_shares_.clear();
    for (const Part& part : task_.grammar.compositions[rule.composition].parts) {
        if (part.opens)
            new_shares_.push_back(rule.cost * blocks.share(rule.composition, new_shares_.size()));
        new_shares_.back() += block_cost(part.child == 0 ? way.first : way.second, part.block);
    }
    for (std::size_t block = 0; block < fan_out; ++block)
        found = std::max(
            found, new_shares_[block] + task_.greed * estimates.outside(blocks.of(symbol, block),
                                                                        ends[2 * block],
                                                                        ends[2 * block + 1]));
    return found;
}

// The cost of a derivation is shared by the blocks: that of each rule, as the block grammar does.
template <typename Ends>
double Deduction<Ends>::block_cost(ItemNumber number, std::size_t block) const {
    const Item& item = items_[number];
    return task_.grammar.fan_outs[item.symbol] == 1 ? item.cost : shares_[item.shares + block];
}

template <typename Ends>
bool Deduction<Ends>::is_goal(Symbol symbol, const Ends& ends) const {
    return symbol == task_.grammar.start && ends[0] == 0 && ends[1] == task_.token_count;
}

// The place of an item in the table: its own, or the free one where it belongs.
template <typename Ends>
typename Deduction<Ends>::Slot& Deduction<Ends>::slot(Symbol symbol, const Ends& ends) {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t i = ends.hash(symbol) & mask;; i = (i + 1) & mask) {
        Slot& found = table_[i];
        if (found.item == no_item || (found.symbol == symbol && found.ends == ends))
            return found;
    }
}

template <typename Ends>
void Deduction<Ends>::grow() {
    std::vector<Slot> old(2 * table_.size());
    old.swap(table_);
    for (Slot& one : old)
        if (one.item != no_item)
            slot(one.symbol, one.ends) = std::move(one);
}

template class Deduction<ShortEnds>;
template class Deduction<LongEnds>;
template class Deduction<AnyEnds>;

}  // namespace crossbranch::grammar

#include "grammar/k_best.hpp"

#include <algorithm>
#include <tuple>

namespace crossbranch::grammar {
namespace {

// The best candidate is on top of the heap. Ties are broken, so that lists are always the same.
bool is_worse(const KBest::Derivation& a, const KBest::Derivation& b) {
    const auto key = [](const KBest::Derivation& one) {
        return std::tuple(one.cost, one.way.rule, one.way.first, one.way.second, one.first_rank,
                          one.second_rank);
    };
    return key(a) > key(b);
}

}  // namespace

KBest::KBest(const Grammar& grammar, std::span<const Axiom> axioms, std::span<const Item> items,
             std::span<const Edge> edges)
    : grammar_(grammar),
      axioms_(axioms),
      items_(items),
      ways_(edges.size()),
      first_way_(items.size() + 1),
      lists_(items.size()) {
    for (const Edge& edge : edges)
        ++first_way_[edge.item + 1];
    for (std::size_t i = 0; i < items.size(); ++i)
        first_way_[i + 1] += first_way_[i];
    std::vector<std::size_t> next(first_way_.begin(), first_way_.end() - 1);
    for (const Edge& edge : edges)
        ways_[next[edge.item]++] = edge.way;
}

bool KBest::has(ItemNumber item, std::size_t rank) {
    start(item);
    while (lists_[item].found.size() <= rank) {
        List& list = lists_[item];
        if (list.is_complete)
            return false;
        const Derivation last = list.found.back();
        add_next(item, last);  // only now: what comes after it was not needed before
        if (list.candidates.empty()) {
            list.is_complete = true;
            return false;
        }
        std::ranges::pop_heap(list.candidates, is_worse);
        list.found.push_back(list.candidates.back());
        list.candidates.pop_back();
    }
    return true;
}

// The best derivation is the one that the search found. All others are candidates.
void KBest::start(ItemNumber item) {
    List& list = lists_[item];
    if (list.is_started)
        return;
    list.is_started = true;
    const Way& best = items_[item].way;
    list.found.push_back({items_[item].cost, best, 0, 0});
    bool is_best_seen = false;
    for (std::size_t i = first_way_[item]; i < first_way_[item + 1]; ++i) {
        if (!is_best_seen && ways_[i] == best) {
            is_best_seen = true;
            continue;
        }
        add(item, {cost_of(ways_[i], 0, 0), ways_[i], 0, 0});
    }
}

// Adds the derivations that come after one of the list: the next one of one of its children. To
// come to each only once, the first child goes on only if the second one is at its best.
void KBest::add_next(ItemNumber item, const Derivation& last) {
    const Way& way = last.way;
    if (way.rule == no_rule)
        return;
    if (last.second_rank == 0 && has(way.first, last.first_rank + 1))
        add(item, {cost_of(way, last.first_rank + 1, 0), way, last.first_rank + 1, 0});
    if (way.second != no_item && has(way.second, last.second_rank + 1))
        add(item, {cost_of(way, last.first_rank, last.second_rank + 1), way, last.first_rank,
                   last.second_rank + 1});
}

void KBest::add(ItemNumber item, Derivation candidate) {
    auto& candidates = lists_[item].candidates;
    candidates.push_back(candidate);
    std::ranges::push_heap(candidates, is_worse);
}

double KBest::cost_of(const Way& way, std::size_t first_rank, std::size_t second_rank) const {
    if (way.rule == no_rule)
        return axioms_[way.first].cost;
    double found = grammar_.rules[way.rule].cost + cost_or_best(way.first, first_rank);
    if (way.second != no_item)
        found += cost_or_best(way.second, second_rank);
    return found;
}

double KBest::cost_or_best(ItemNumber item, std::size_t rank) const {
    return rank == 0 ? items_[item].cost : lists_[item].found[rank].cost;
}

}  // namespace crossbranch::grammar

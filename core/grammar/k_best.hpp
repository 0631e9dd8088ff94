// The best derivations of an item, found lazily (Huang & Chiang 2005, algorithm 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/chart.hpp"
#include "grammar/deduction.hpp"

namespace crossbranch::grammar {

class KBest {
  public:
    // The edges are all ways to make the items.
    KBest(const Grammar& grammar, std::span<const Axiom> axioms, std::span<const Item> items,
          std::span<const Edge> edges);

    // Whether an item has a derivation of this rank; the best one has rank 0.
    bool has(ItemNumber item, std::size_t rank);
    // Its cost.
    [[nodiscard]] double cost(ItemNumber item, std::size_t rank) const {
        return lists_[item].found[rank].cost;
    }
    // Its way, and the ranks of the children.
    struct Derivation {
        double cost;
        Way way;
        std::uint32_t first_rank;
        std::uint32_t second_rank;
    };
    [[nodiscard]] const Derivation& derivation(ItemNumber item, std::size_t rank) const {
        return lists_[item].found[rank];
    }

  private:
    struct List {
        std::vector<Derivation> found;
        std::vector<Derivation> candidates;  // a heap
        bool is_started = false;
        bool is_complete = false;
    };

    void start(ItemNumber item);
    void add_next(ItemNumber item, const Derivation& last);
    void add(ItemNumber item, Derivation candidate);
    [[nodiscard]] double cost_of(const Way& way, std::size_t first_rank,
                                 std::size_t second_rank) const;
    [[nodiscard]] double cost_or_best(ItemNumber item, std::size_t rank) const;

    const Grammar& grammar_;
    std::span<const Axiom> axioms_;
    std::span<const Item> items_;
    std::vector<Way> ways_;  // by item
    std::vector<std::size_t> first_way_;
    std::vector<List> lists_;  // by item
};

}  // namespace crossbranch::grammar

// Many configurations of one system, for sentences of different lengths, that take their steps
// together. For scorers that score a whole batch at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "transitions/stepper.hpp"

namespace crossbranch {

// The number of items of each kind that are written for a configuration, and of blocks for an item.
struct ItemWidths {
    std::size_t stack = 2;   // from the top, below the focus
    std::size_t aside = 0;   // items set aside, in the order in which this was done
    std::size_t queue = 1;   // from the front
    std::size_t blocks = 2;  // at least 1

    // The focus comes first, then the stack, the items set aside, and the queue.
    [[nodiscard]] std::size_t item_count() const { return 1 + stack + aside + queue; }
    // Vertex, label (-1: a token, -2: joined items without a label), head token, number of blocks;
    // then start and stop of each block.
    [[nodiscard]] std::size_t item_size() const { return 4 + 2 * blocks; }
};

class Batch {
  public:
    // Throws std::invalid_argument for a sentence without tokens.
    Batch(const std::shared_ptr<const System>& system, std::span<const std::int32_t> token_counts);

    [[nodiscard]] std::size_t size() const { return steppers_.size(); }
    // The number of transitions. If the system has an open move, these are all that can be legal
    // now: the number changes with the deepest stack.
    [[nodiscard]] std::size_t transition_count() const {
        return system_->id_count(deepest_stack());
    }
    [[nodiscard]] const Stepper& stepper(std::size_t i) const { return steppers_.at(i); }

    // One row per configuration, one byte per transition: 1 if it is legal, otherwise 0.
    void write_legal(std::span<std::uint8_t> mask);

    // One byte per configuration: 1 if it is final.
    void write_final(std::span<std::uint8_t> is_final) const;
    [[nodiscard]] bool is_done() const;

    // Takes one transition in each configuration that is not final. The numbers for final ones are
    // ignored. Throws std::invalid_argument, and changes nothing, if one is not legal.
    void apply(std::span<const TransitionId> chosen);

    // size() x item_count() x item_size() numbers. If there is no item or block, all are -1. If an
    // item has too many blocks, the last place has its last block, so that its first and last
    // tokens and the outer ends of its gaps are always written.
    void write_items(const ItemWidths& widths, std::span<std::int32_t> items) const;

    // A batch of copies of these configurations, in this order. A configuration may occur several
    // times, as in a beam. Throws std::invalid_argument for a number that is not below size().
    [[nodiscard]] Batch select(std::span<const std::int32_t> numbers) const;

    // The number of items of the deepest stack.
    [[nodiscard]] std::int32_t deepest_stack() const;

    // The trees that were built; empty if a configuration is not final.
    [[nodiscard]] std::vector<TreeCodes> codes() const;

  private:
    explicit Batch(std::shared_ptr<const System> system) : system_(std::move(system)) {}

    std::shared_ptr<const System> system_;
    std::vector<Stepper> steppers_;
};

}  // namespace crossbranch

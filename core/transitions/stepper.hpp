// One configuration with its forest, changed step by step.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "transitions/system.hpp"
#include "transitions/tree_codes.hpp"

namespace crossbranch {

class Stepper {
  public:
    // The first configuration of a sentence. Throws std::invalid_argument if there are no tokens.
    Stepper(std::shared_ptr<const System> system, std::int32_t token_count);

    // The transitions that are legal, as ranges in ascending order.
    [[nodiscard]] const Legal& legal();
    [[nodiscard]] bool is_legal(TransitionId id);

    // Throws std::invalid_argument for a transition that is not legal.
    void apply(TransitionId id);
    // The same for a transition that is known to be legal.
    void apply_legal(TransitionId id);

    // Item i of the stack from its top, or of the queue from its front; no_vertex if there is none.
    [[nodiscard]] Vertex stack_item(std::int32_t i) const;
    [[nodiscard]] Vertex queue_item(std::int32_t i) const;

    // The items of a stack, from its top.
    [[nodiscard]] std::vector<Vertex> items(CellId cell) const;

    // The tree that was built. Throws std::invalid_argument before the end.
    [[nodiscard]] TreeCodes codes() const;

    [[nodiscard]] bool is_final() const { return system_->is_final(forest_, at_); }
    [[nodiscard]] std::int32_t stack_size() const { return forest_.depth(at_.stack); }
    [[nodiscard]] const System& system() const { return *system_; }
    [[nodiscard]] const Forest& forest() const { return forest_; }
    [[nodiscard]] const Configuration& at() const { return at_; }

  private:
    std::shared_ptr<const System> system_;
    Forest forest_;
    Configuration at_;
    Legal legal_;
    bool legal_is_known_ = false;
};

}  // namespace crossbranch

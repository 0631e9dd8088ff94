// What ML-GAP and stack-free have in common: a structural transition makes a candidate, which is a
// set of tokens, and then a labelling transition says whether it is a constituent.
//
//   LABEL X    the focus becomes a node with the label X
//   NO-LABEL   the focus stays as it is
//
// A root label is legal for the whole sentence only, and there is no other choice then.
#pragma once

#include "transitions/system.hpp"

namespace crossbranch {

class CandidateSystem : public System {
  public:
    void find_legal(const Forest& forest, const Configuration& from, Legal& legal) const final;
    [[nodiscard]] Configuration apply(Forest& forest, const Configuration& from,
                                      TransitionId transition) const final;
    [[nodiscard]] bool is_final(const Forest& forest, const Configuration& at) const final;
    [[nodiscard]] Vertex queue_item(const Forest& forest, const Configuration& at,
                                    std::int32_t i) const final {
        return at.next + i < forest.token_count() ? at.next + i : no_vertex;
    }

    // Whether the next transition labels the focus.
    [[nodiscard]] static bool is_labelling(const Configuration& at);
    // Whether it may be SHIFT.
    [[nodiscard]] static bool can_shift(const Forest& forest, const Configuration& at) {
        return at.next < forest.token_count() && at.last != Move::gap && !is_labelling(at);
    }

    // How many items of the stack, from its top, the focus can be joined with before a SHIFT.
    [[nodiscard]] virtual std::int32_t partner_count(const Forest& forest,
                                                     const Configuration& at) const {
        return forest.depth(at.stack);
    }
    // The next transition if the focus is to be joined with item i of the stack.
    [[nodiscard]] virtual TransitionId toward(const Configuration& at, std::int32_t i,
                                              Side head) const = 0;
    // Whether the head of joined items is known.
    [[nodiscard]] virtual bool has_heads() const { return false; }

    [[nodiscard]] TransitionId shift() const { return range(Move::shift).begin; }
    [[nodiscard]] TransitionId unlabelled() const { return range(Move::unlabelled).begin; }

  protected:
    CandidateSystem(Labels labels, std::vector<Transition> transitions);

    virtual void allow_structural(const Forest& forest, const Configuration& from,
                                  Legal& legal) const = 0;
    // Takes any transition but LABEL and NO-LABEL; `at.last` is already set.
    virtual void apply_structural(Forest& forest, Configuration& at, Transition taken) const = 0;
};

}  // namespace crossbranch

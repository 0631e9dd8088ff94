// Stack-free parsing (Coavoux & Cohen 2019): the focus may be joined with any item of a memory.
//
//   SHIFT        <S, f, i>       =>  <S+f, {i}, i+1>
//   COMBINE s    <S+s, f, i>     =>  <S, s+f, i>
//
// After each of them comes LABEL X or NO-LABEL. So derivations have exactly 4n-2 transitions. The
// memory S is `stack`. Its items are ordered by their last tokens, and s is named by its position
// from the top: 0 is the item with the largest last token. COMBINE is an open move.
#pragma once

#include "transitions/candidates.hpp"

namespace crossbranch {

class StackFreeSystem final : public CandidateSystem {
  public:
    StackFreeSystem(Labels labels, std::vector<Transition> transitions);
    [[nodiscard]] TransitionId toward(const Configuration&, std::int32_t i, Side) const override {
        return first_open() + i;
    }

  private:
    void allow_structural(const Forest& forest, const Configuration& from,
                          Legal& legal) const override;
    void apply_structural(Forest& forest, Configuration& at, Transition taken) const override;
};

}  // namespace crossbranch

// SR-GAP and SR-CGAP (Coavoux & Crabbé 2017): a reduction may take any item of the stack.
//
//   SHIFT     <S, D, w|B>          =>  <S|D, w, B>
//   UNARY X   <S, d0, B>           =>  <S, X, B>                    RU(X)
//   LEFT X    <S|s0, D|d0, B>      =>  <S|D, X[head of s0], B>      RL(X)
//   RIGHT X   <S|s0, D|d0, B>      =>  <S|D, X[head of d0], B>      RR(X)
//   GAP       <S|s0, D, B>         =>  <S, s0|D, B>
//
// Here d0 is `focus`, the rest of D is `aside`, and B starts at `next`.
#pragma once

#include "transitions/system.hpp"

namespace crossbranch {

// The common part of the two variants.
class GapBase : public System {
  public:
    [[nodiscard]] Configuration apply(Forest& forest, const Configuration& from,
                                      TransitionId transition) const final;
    [[nodiscard]] bool is_final(const Forest& forest, const Configuration& at) const final;
    [[nodiscard]] Vertex queue_item(const Forest& forest, const Configuration& at,
                                    std::int32_t i) const final {
        return at.next + i < forest.token_count() ? at.next + i : no_vertex;
    }

  protected:
    using System::System;

    // The unary reductions after a SHIFT: to the root if and only if the sentence has one word.
    void allow_unary(const Forest& forest, Legal& legal) const;
    // The binary reductions of Table 7. `allows_temporary` says whether a temporary symbol would
    // find a partner that is not temporary.
    void allow_binary(const Forest& forest, const Configuration& from, bool allows_temporary,
                      Legal& legal) const;
};

class GapSystem final : public GapBase {
  public:
    GapSystem(Labels labels, std::vector<Transition> transitions, const SystemOptions& options);
    void find_legal(const Forest& forest, const Configuration& from, Legal& legal) const override;

  private:
    [[nodiscard]] bool finds_partner(const Forest& forest, const Configuration& from) const;

    bool is_continuous_;
};

// After every SHIFT comes a unary reduction or a ghost. Before every binary reduction comes one GAP
// of any size, possibly 0. So derivations have exactly 4n-2 transitions.
class CompoundGapSystem final : public GapBase {
  public:
    CompoundGapSystem(Labels labels, std::vector<Transition> transitions,
                      const SystemOptions& options);
    void find_legal(const Forest& forest, const Configuration& from, Legal& legal) const override;

  private:
    void allow_gaps(const Forest& forest, const Configuration& from, Legal& legal) const;
    [[nodiscard]] bool finds_partner(const Forest& forest, const Configuration& from) const;

    std::int32_t largest_ = 0;
};

}  // namespace crossbranch

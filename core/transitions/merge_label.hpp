// ML-GAP (Coavoux, Crabbé & Cohen 2019): SR-GAP with labels apart from structure, and nodes with
// any number of children.
//
//   SHIFT      <S, D, i>           =>  <S|D, {i}, i+1>
//   MERGE      <S|s0, D|d0, i>     =>  <S|D, s0+d0, i>
//   GAP        <S|s0, D, i>        =>  <S, s0|D, i>
//
// After SHIFT and MERGE comes LABEL X or NO-LABEL, after GAP another GAP or a MERGE. Here d0 is
// `focus`, the rest of D is `aside`, and i is `next`.
#pragma once

#include "transitions/candidates.hpp"

namespace crossbranch {

// The common part of the variants.
class MergeLabelBase : public CandidateSystem {
  protected:
    using CandidateSystem::CandidateSystem;

    void apply_structural(Forest& forest, Configuration& at, Transition taken) const final;
};

// Lexicalised, MERGE-LEFT and MERGE-RIGHT replace MERGE: they say whether the head of the candidate
// is that of s0 or that of d0.
class MergeLabelSystem final : public MergeLabelBase {
  public:
    MergeLabelSystem(Labels labels, std::vector<Transition> transitions, bool is_lexicalised);
    [[nodiscard]] TransitionId toward(const Configuration& at, std::int32_t i,
                                      Side head) const override;
    [[nodiscard]] bool has_heads() const override { return is_lexicalised_; }

  private:
    void allow_structural(const Forest& forest, const Configuration& from,
                          Legal& legal) const override;

    bool is_lexicalised_;
};

// Before every MERGE comes one GAP of any size, possibly 0. So derivations have exactly 5n-3
// transitions. GAP is an open move.
class CompoundMergeLabelSystem final : public MergeLabelBase {
  public:
    CompoundMergeLabelSystem(Labels labels, std::vector<Transition> transitions);
    [[nodiscard]] std::int32_t partner_count(const Forest& forest,
                                             const Configuration& at) const override;
    [[nodiscard]] TransitionId toward(const Configuration& at, std::int32_t i,
                                      Side head) const override;

  private:
    void allow_structural(const Forest& forest, const Configuration& from,
                          Legal& legal) const override;
};

}  // namespace crossbranch

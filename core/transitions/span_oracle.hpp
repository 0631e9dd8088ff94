// Oracles of the systems that build candidates (ML-GAP and its variants, stack-free): which
// transitions lead to the gold tree, or to the best tree that can still be built.
//
// A gold constituent g is *reachable* from a configuration if it is not built yet and
//
//   - its last token is not before the last token of the focus (nodes are built in that order), and
//   - each item, the focus included, is a part of g or has no token in common with it
//
// (Coavoux & Cohen 2019; for ML-GAP the same holds, since GAPs and a MERGE do what a COMBINE does).
// After a GAP, the MERGE that must follow may lose some of them. Otherwise, all reachable
// constituents can be built together. So a transition is optimal if it leaves as many of them
// reachable as any other, and the trees with the most of them have the best F1.
#pragma once

#include <memory>
#include <vector>

#include "transitions/candidates.hpp"
#include "transitions/gold_spans.hpp"

namespace crossbranch {

// Which of several optimal transitions `best` chooses.
enum class Preference : std::uint8_t {
    // Join the focus with another part of the smallest reachable constituent that contains it, as
    // soon as there is one: the last such part. From configurations without mistakes, this is the
    // static oracle: Algorithm 3.6 of ML-GAP and Algorithm 4.1 of stack-free parsing. If merges
    // have heads, the part with the head is joined with the others, the last one first.
    eager,
    // The same, but only if this constituent is the first of all reachable ones. Otherwise SHIFT.
    // This is the dynamic oracle of stack-free parsing as it is defined (definition 4.13).
    next
};

class SpanOracle {
  public:
    // Throws std::invalid_argument if the system builds no candidates, or cannot build the tree.
    SpanOracle(std::shared_ptr<const System> system, GoldSpans gold, Preference preference);

    // The preferred one of the optimal transitions; IDLE at the end. Throws std::invalid_argument
    // if the sentence has another length than the gold tree. Of merges with heads, it is the one
    // with the gold head.
    [[nodiscard]] TransitionId best(const Forest& forest, const Configuration& at) const;

    // Replaces `ids` by all optimal transitions, in ascending order; none at the end.
    void optimal(const Forest& forest, const Configuration& at,
                 std::vector<TransitionId>& ids) const;

    // Replaces `places` by the positions of the reachable constituents in the gold spans. The first
    // one is called *next* in the papers.
    void reach(const Forest& forest, const Configuration& at,
               std::vector<std::size_t>& places) const;

    // Whether the gold tree can still be built: no constituent is lost and none is wrong.
    [[nodiscard]] bool is_on_the_way(const Forest& forest, const Configuration& at) const;

    // The transitions that build the gold tree. `forest` is reset and used.
    [[nodiscard]] std::vector<TransitionId> derive(Forest& forest) const;

    [[nodiscard]] const GoldSpans& gold() const { return gold_; }
    [[nodiscard]] const CandidateSystem& system() const { return *system_; }

  private:
    struct Items;

    [[nodiscard]] TransitionId label(const Forest& forest, const Configuration& at) const;
    [[nodiscard]] TransitionId join(const Items& items, const Configuration& at,
                                    std::size_t i) const;
    [[nodiscard]] bool is_reachable(const Items& items, const GoldConstituent& gold) const;
    [[nodiscard]] static bool survives_merge(const Items& items, const GoldConstituent& gold);
    [[nodiscard]] std::size_t preferred_part(Items& items) const;
    [[nodiscard]] std::size_t preferred_part(const Items& items, const GoldConstituent& gold) const;
    [[nodiscard]] std::vector<std::size_t> losses(const Items& items) const;
    void check(const Forest& forest) const;

    std::shared_ptr<const CandidateSystem> system_;
    GoldSpans gold_;
    std::vector<TransitionId> labels_;  // the LABEL of each constituent
    Preference preference_;
};

}  // namespace crossbranch

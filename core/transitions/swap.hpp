// SR-SWAP (Maier 2015): items between two parts of a constituent go back to the queue.
//
//   SHIFT      <S, q|Q>       =>  <S|q, Q>
//   UNARY X    <S|s0, Q>      =>  <S|X, Q>
//   LEFT X     <S|s1|s0, Q>   =>  <S|X[head of s1], Q>       BINARY-X-L
//   RIGHT X    <S|s1|s0, Q>   =>  <S|X[head of s0], Q>       BINARY-X-R
//   SWAP i     <S|si..s1|s0, Q>  =>  <S|s0, si..s1|Q>        i = 1 but for COMPOUNDSWAP
//   FINISH     <X, >          =>  done
//
// Here s0 is `focus`, and Q is `aside` followed by the tokens from `next` on.
#pragma once

#include "transitions/system.hpp"

namespace crossbranch {

class SwapSystem final : public System {
  public:
    SwapSystem(Labels labels, std::vector<Transition> transitions, bool is_compound,
               const SystemOptions& options);

    void find_legal(const Forest& forest, const Configuration& from, Legal& legal) const override;
    [[nodiscard]] Configuration apply(Forest& forest, const Configuration& from,
                                      TransitionId transition) const override;
    [[nodiscard]] bool is_final(const Forest&, const Configuration& at) const override {
        return at.is_finished;
    }
    [[nodiscard]] bool is_whole(const Forest& forest, const Configuration& at) const override;
    [[nodiscard]] Vertex queue_item(const Forest& forest, const Configuration& at,
                                    std::int32_t i) const override;

  private:
    void require_bases();
    void allow_unary(const Forest& forest, const Configuration& from, bool at_end,
                     Legal& legal) const;
    void allow_binary(const Forest& forest, const Configuration& from, bool at_end,
                      Legal& legal) const;
    void allow_labels(Move move, Vertex temporary, const Forest& forest, bool at_end,
                      bool allows_temporary, Legal& legal) const;
    [[nodiscard]] bool finds_partner(const Forest& forest, const Configuration& from) const;
    void allow_swaps(const Forest& forest, const Configuration& from, Legal& legal) const;

    SystemOptions options_;
};

}  // namespace crossbranch

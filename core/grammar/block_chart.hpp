// The chart of a block grammar for one sentence: the costs of the best derivations inside and
// outside each block.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "grammar/block_grammar.hpp"
#include "grammar/chart.hpp"

namespace crossbranch::grammar {

class BlockChart {
  public:
    BlockChart(const BlockGrammar& grammar, std::span<const Axiom> axioms, std::size_t token_count);

    // Computes outside costs. Blocks that only occur in derivations that cost more than the best
    // one plus `margin` are left out: their outside costs are infinite.
    void look_outside(double margin);

    // The cost of the best derivation of the sentence; infinite if there is none.
    [[nodiscard]] double best() const { return best_; }
    // All derivations with a cost of at most this one are complete.
    [[nodiscard]] double limit() const { return limit_; }
    [[nodiscard]] double inside(BlockSymbol symbol, std::size_t start, std::size_t stop) const {
        return inside_[cell(start, stop) + symbol];
    }
    // Rounded down a little, so that it never is above the exact cost.
    [[nodiscard]] double outside(BlockSymbol symbol, std::size_t start, std::size_t stop) const {
        return outside_[cell(start, stop) + symbol] * (1 - rounding);
    }

  private:
    static constexpr double rounding = 1e-5;
    static constexpr float far = std::numeric_limits<float>::infinity();

    // The place of a block in a triangle of rows.
    [[nodiscard]] std::size_t cell(std::size_t start, std::size_t stop) const {
        return (start * (2 * token_count_ - start + 1) / 2 + stop - start - 1) * grammar_.size();
    }
    void fill_inside(std::span<const Axiom> axioms);
    void join(std::size_t start, std::size_t stop);
    void close_inside(std::size_t start, std::size_t stop);
    void fill_outside();
    std::span<const BlockSymbol> close_outside(std::size_t start, std::size_t stop);
    void divide(std::size_t start, std::size_t stop);

    const BlockGrammar& grammar_;
    std::size_t token_count_;
    double best_ = infinite;
    double limit_ = infinite;
    float highest_ = far;  // the limit, rounded up a little
    std::vector<float> inside_;
    std::vector<float> outside_;
    std::vector<std::vector<BlockSymbol>> present_;  // by start * token_count + stop - 1
    std::vector<BlockSymbol> waiting_;
};

}  // namespace crossbranch::grammar

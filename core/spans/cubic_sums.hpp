// Sums over all trees of the cubic space, and probabilities of constituents.
//
// Sums are ordinary numbers, not logarithms, so that rules are multiplications of rows. To keep
// them in range, each token has a factor e^-scale; the scales of all tokens add up to about the
// logarithm of the sum over all trees. If some numbers are out of range all the same, this says so,
// and slower charts with logarithms do the work.
#pragma once

#include <optional>
#include <vector>

#include "spans/exponential_scores.hpp"
#include "spans/item_table.hpp"
#include "spans/marginals.hpp"
#include "spans/token_scales.hpp"

namespace crossbranch::spans {

class CubicSums {
  public:
    // The logarithm of the sum over all trees; nothing if numbers are out of range.
    [[nodiscard]] std::optional<double> log_partition(const SpanScores& scores);

    // The same with probabilities. `found` has zeros. Says whether all numbers are in range.
    [[nodiscard]] bool find_marginals(const SpanScores& scores, const Ask& ask, Marginals& found);

  private:
    void resize();
    void fill_inside(const TokenScales& scales);
    [[nodiscard]] double joined(Place i, Place j);
    void fill_half(Place i, Place l);
    void fill_outside();
    void pass_on_whole(Place i, Place j);
    void pass_on_half(Place i, Place l);
    [[nodiscard]] bool is_in_range() const;
    void write_continuous(Marginals& found, Place i, Place j) const;
    void write_outer(Marginals& found, Place i, Place j);
    void write_gap(Marginals& found, Place k, Place l);
    [[nodiscard]] double probability(const Constituent& constituent) const;

    [[nodiscard]] std::ptrdiff_t cell(Place x, Place y) const { return x * (count_ + 1) + y; }
    [[nodiscard]] double outside(Place i, Place j) const {
        return outside_from_[static_cast<std::size_t>(cell(i, j))] +
               outside_until_[static_cast<std::size_t>(cell(j, i))];
    }

    const SpanScores* scores_ = nullptr;
    Place count_ = 0;
    std::ptrdiff_t stride_ = 0;
    ExponentialScores exponentials_;
    ContinuousTable<double> inside_;
    // The sums of all pairs that make an item, and the derivatives by them of the logarithm of the
    // sum over all trees.
    std::vector<double> joined_, by_joined_;
    // The derivatives by the items, in two parts: in rows of equal beginnings and of equal ends.
    std::vector<double> outside_from_, outside_until_;
    std::vector<double> halves_, by_halves_;  // half items, and the derivatives by them
    std::vector<double> row_, labels_;        // of one item at a time
};

}  // namespace crossbranch::spans

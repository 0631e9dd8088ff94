// The cubic chart of Corro (2020), section 3.6: the trees of the quartic space. A discontinuous
// constituent with label D, the blocks [i, k) and [l, j), and its gap [k, l) are joined in two
// steps. After the first one, k is forgotten: what is left is a half item [D, i, l).
#pragma once

#include <vector>

#include "spans/best_tree.hpp"
#include "spans/item_table.hpp"
#include "spans/semirings.hpp"
#include "spans/span_scores.hpp"

namespace crossbranch::spans {

template <typename Semiring>
class CubicChart {
  public:
    using Number = typename Semiring::Number;

    explicit CubicChart(const SpanScores& scores);

    [[nodiscard]] Number goal() const { return continuous_.at(0, scores_->token_count()); }
    [[nodiscard]] const ContinuousTable<Number>& continuous() const { return continuous_; }
    // The half items [., i, l), one for each label.
    [[nodiscard]] const Number* halves(Place i, Place l) const {
        return halves_.data() + (i * (scores_->token_count() + 1) + l) * labels_;
    }
    // A half item with a label and its outer borders [i, j).
    [[nodiscard]] Number half(Label label, Place i, Place l, Place j) const;

  private:
    void fill_halves(Place i, Place l);
    [[nodiscard]] Number joined(Place i, Place j) const;
    [[nodiscard]] Number best_half(Place i, Place l, Place j) const;

    const SpanScores* scores_;
    std::ptrdiff_t labels_;
    ContinuousTable<Number> continuous_;
    std::vector<Number> halves_;
    std::vector<Number> sums_, half_;  // of one half item at a time
};

[[nodiscard]] SpanTree best_cubic_tree(const SpanScores& scores);

}  // namespace crossbranch::spans

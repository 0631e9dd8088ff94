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

class CubicChart {
  public:
    CubicChart() = default;
    explicit CubicChart(const SpanScores& scores) { fill(scores); }

    // The memory of longer sentences is kept. The scores must live as long as the chart is used.
    void fill(const SpanScores& scores);

    [[nodiscard]] float goal() const { return continuous_.at(0, scores_->token_count()); }
    [[nodiscard]] const ContinuousTable<float>& continuous() const { return continuous_; }
    // A half item with a label and its outer borders [i, j).
    [[nodiscard]] float half(Label label, Place i, Place l, Place j) const;
    // The best of all labels, for each l from i + 2 on. They are there until the next call.
    [[nodiscard]] const float* best_halves(Place i, Place j);

  private:
    friend void fill_quickly(CubicChart& chart);

    void fill_items();
    void fill_halves(Place i, Place l);
    [[nodiscard]] float joined(Place i, Place j);
    [[nodiscard]] float best_half(Place i, Place l, Place j) const;
    // The half items [., i, .), in rows of equal labels, by l.
    [[nodiscard]] std::ptrdiff_t half_index(Label label, Place i, Place l) const {
        return (i * labels_ + label) * stride_ + l;
    }

    const SpanScores* scores_ = nullptr;
    std::ptrdiff_t labels_ = 0, stride_ = 0;
    ContinuousTable<float> continuous_;
    std::vector<float> halves_;
    std::vector<float> sums_, half_;  // of one half item at a time
    std::vector<float> best_halves_;  // of one continuous item, by l
};

[[nodiscard]] SpanTree best_cubic_tree(const SpanScores& scores);

}  // namespace crossbranch::spans

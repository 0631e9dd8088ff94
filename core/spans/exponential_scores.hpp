// The exponentials of all scores of a sentence: what sums over trees are made of.
#pragma once

#include <cstddef>
#include <vector>

#include "spans/span_scores.hpp"

namespace crossbranch::spans {

class ExponentialScores {
  public:
    // The memory of earlier sentences is used again.
    void fill(const SpanScores& scores);

    // Whether all of them can be multiplied without going out of range.
    [[nodiscard]] bool are_moderate() const { return are_moderate_; }

    // All labels of a continuous span, 0 for those that are not possible; and the sum of them, and
    // of having none where that is possible.
    [[nodiscard]] const double* continuous(Place i, Place j) const {
        return continuous_.data() + cell(i, j) * continuous_labels_;
    }
    [[nodiscard]] double label_sum(Place i, Place j) const { return label_sums_[index(i, j)]; }
    [[nodiscard]] double log_label_sum(Place i, Place j) const {
        return log_label_sums_[index(i, j)];
    }

    // All labels of outer borders, in one row after the other by j; of gaps, by k. A row ends with
    // zeros, so that its length is a multiple of `sum_width`.
    [[nodiscard]] const double* outer(Place i, Place j) const {
        return outer_.data() + cell(i, j) * stride_;
    }
    [[nodiscard]] const double* gap(Place k, Place l) const {
        return gap_.data() + cell(l, k) * stride_;
    }
    [[nodiscard]] std::ptrdiff_t stride() const { return stride_; }

  private:
    void fill_continuous(const SpanScores& scores, Place i, Place j);
    void fill_gaps(const SpanScores& scores, Place i, Place j);
    [[nodiscard]] std::ptrdiff_t cell(Place x, Place y) const { return x * width_ + y; }
    [[nodiscard]] std::size_t index(Place x, Place y) const {
        return static_cast<std::size_t>(cell(x, y));
    }

    std::ptrdiff_t width_ = 0, continuous_labels_ = 0, stride_ = 0;
    bool are_moderate_ = false;
    std::vector<double> continuous_, label_sums_, log_label_sums_, outer_, gap_;
};

}  // namespace crossbranch::spans

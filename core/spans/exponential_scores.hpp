// The exponentials of all scores of a sentence: what sums over trees are made of.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "spans/span_scores.hpp"

namespace crossbranch::spans {

class ExponentialScores {
  public:
    // The memory of earlier sentences is used again.
    void fill(const SpanScores& scores);

    // Multiplies the sums of single tokens by e^-scale.
    void scale(const std::vector<double>& scales);
    // Makes the rows of gaps.
    void make_rows();

    [[nodiscard]] Place token_count() const { return static_cast<Place>(width_ - 1); }
    [[nodiscard]] Label discontinuous_labels() const { return labels_; }

    // Whether all of them can be multiplied without going out of range.
    [[nodiscard]] bool are_moderate() const { return are_moderate_; }

    // All labels of a continuous span, 0 for those that are not possible; and the sum of them, and
    // of having none where that is possible.
    [[nodiscard]] const double* continuous(Place i, Place j) const {
        return continuous_.data() + cell(i, j) * continuous_labels_;
    }
    [[nodiscard]] double label_sum(Place i, Place j) const { return label_sums_[index(i, j)]; }
    // The same with the scale of a single token.
    [[nodiscard]] double scaled_label_sum(Place i, Place j) const {
        return j - i == 1 ? scaled_[static_cast<std::size_t>(i)] : label_sum(i, j);
    }
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
    // The gaps that begin at a place: for each label a row, by the place where they end.
    [[nodiscard]] const double* gaps_from(Place k) const {
        return gap_rows_.data() + k * labels_ * width_;
    }
    [[nodiscard]] std::ptrdiff_t gap_stride() const { return width_; }
    // Constituents with own scores have no place here.
    [[nodiscard]] static std::span<const OwnScore> own_scores(Place /*i*/, Place /*j*/) {
        return {};
    }
    [[nodiscard]] double discontinuous(Label label, Place i, Place k, Place l, Place j) const {
        return outer(i, j)[label] * gap(k, l)[label];
    }

  private:
    void fill_continuous(const SpanScores& scores, Place i, Place j);
    void fill_gaps(const SpanScores& scores, Place i, Place j);
    [[nodiscard]] std::ptrdiff_t cell(Place x, Place y) const { return x * width_ + y; }
    [[nodiscard]] std::size_t index(Place x, Place y) const {
        return static_cast<std::size_t>(cell(x, y));
    }

    Label labels_ = 0;
    std::ptrdiff_t width_ = 0, continuous_labels_ = 0, stride_ = 0;
    bool are_moderate_ = false;
    std::vector<double> continuous_, label_sums_, log_label_sums_, outer_, gap_;
    std::vector<double> scaled_, gap_rows_;
};

}  // namespace crossbranch::spans

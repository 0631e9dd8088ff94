#include "spans/exponential_scores.hpp"

#include <algorithm>
#include <cmath>

#include "spans/semirings.hpp"
#include "spans/sum_kernels.hpp"

namespace crossbranch::spans {

namespace {

constexpr double moderate = 1e100;

double highest(const double* numbers, std::ptrdiff_t count) {
    return count == 0 ? 0 : *std::max_element(numbers, numbers + count);
}

}  // namespace

void ExponentialScores::fill(const SpanScores& scores) {
    width_ = scores.token_count() + 1;
    labels_ = scores.discontinuous_labels();
    continuous_labels_ = scores.continuous_labels();
    stride_ = (scores.discontinuous_labels() + sum_width - 1) / sum_width * sum_width;
    const auto cells = static_cast<std::size_t>(width_ * width_);
    continuous_.resize(cells * static_cast<std::size_t>(continuous_labels_));
    label_sums_.resize(cells);
    log_label_sums_.resize(cells);
    outer_.assign(cells * static_cast<std::size_t>(stride_), 0);
    gap_.assign(outer_.size(), 0);
    are_moderate_ = true;
    for (Place i = 0; i < scores.token_count(); ++i)
        for (Place j = i + 1; j <= scores.token_count(); ++j) {
            fill_continuous(scores, i, j);
            fill_gaps(scores, i, j);
        }
}

void ExponentialScores::scale(const std::vector<double>& scales) {
    scaled_.resize(scales.size());
    for (Place i = 0; i < token_count(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        scaled_[at] = label_sum(i, i + 1) * std::exp(-scales[at]);
    }
}

void ExponentialScores::make_rows() {
    gap_rows_.resize(static_cast<std::size_t>(width_ * width_ * labels_) + padding);
    for (Place k = 0; k < token_count(); ++k)
        for (Place l = k + 1; l <= token_count(); ++l)
            for (Label label = 0; label < labels_; ++label)
                gap_rows_[static_cast<std::size_t>((k * labels_ + label) * width_ + l)] =
                    gap(k, l)[label];
}

void ExponentialScores::fill_continuous(const SpanScores& scores, Place i, Place j) {
    double* const found = continuous_.data() + cell(i, j) * continuous_labels_;
    exponentials(scores.continuous(i, j), found, continuous_labels_);
    double sum = scores.is_possible(no_label, i, j) ? 1 : 0;
    const double* const mask = scores.mask<double>(i, j);
    for (std::ptrdiff_t label = 0; label < continuous_labels_; ++label) {
        found[label] = mask[label] == 0 ? found[label] : 0;
        sum += found[label];
    }
    label_sums_[index(i, j)] = sum;
    log_label_sums_[index(i, j)] = std::log(sum);
    are_moderate_ &= sum < moderate && sum > 1 / moderate;
}

void ExponentialScores::fill_gaps(const SpanScores& scores, Place i, Place j) {
    double* const outer = outer_.data() + cell(i, j) * stride_;
    double* const gap = gap_.data() + cell(j, i) * stride_;
    exponentials(scores.outer(i, j), outer, scores.discontinuous_labels());
    exponentials(scores.gap(i, j), gap, scores.discontinuous_labels());
    are_moderate_ &= highest(outer, stride_) < moderate && highest(gap, stride_) < moderate;
}

}  // namespace crossbranch::spans

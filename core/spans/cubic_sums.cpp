#include "spans/cubic_sums.hpp"

#include <algorithm>
#include <cmath>

#include "spans/sum_kernels.hpp"

namespace crossbranch::spans {

namespace {

// Exponentials are below 1e100. So an item that was too small for a number has a derivative above
// this, or it does not matter.
constexpr double highest_derivative = 1e190;

std::size_t size(std::ptrdiff_t number) {
    return static_cast<std::size_t>(number);
}

}  // namespace

std::optional<double> CubicSums::log_partition(const SpanScores& scores) {
    scores_ = &scores;
    count_ = scores.token_count();
    exponentials_.fill(scores);
    if (!exponentials_.are_moderate())
        return std::nullopt;
    stride_ = exponentials_.stride();
    resize();
    const TokenScales scales = find_scales(exponentials_);
    fill_inside(scales);
    const double found = std::log(inside_.at(0, count_)) + scales.sum();
    if (!std::isfinite(found) || found < scales.least - 1e-3)
        return std::nullopt;
    return found;
}

bool CubicSums::find_marginals(const SpanScores& scores, const Ask& ask, Marginals& found) {
    const std::optional<double> sum = log_partition(scores);
    if (!sum)
        return false;
    found.log_partition = *sum;
    fill_outside();
    if (!is_in_range())
        return false;
    for (Place i = 0; i < count_; ++i)
        for (Place j = i + 1; j <= count_; ++j) {
            write_continuous(found, i, j);
            write_outer(found, i, j);
            write_gap(found, i, j);
        }
    found.asked = ask(found);
    for (const Constituent& one : found.asked)
        found.probabilities.push_back(probability(one));
    return true;
}

void CubicSums::resize() {
    const std::size_t cells = size(count_ + 1) * size(count_ + 1);
    inside_.resize(count_);
    joined_.resize(cells);
    by_joined_.resize(cells);
    halves_.assign(cells * size(stride_), 0);
    by_halves_.assign(cells * size(stride_), 0);
    row_.resize(size(count_ + 1));
    labels_.resize(size(stride_));
}

void CubicSums::fill_inside(const TokenScales& scales) {
    for (Place width = 1; width <= count_; ++width)
        for (Place i = 0, j = width; j <= count_; ++i, ++j) {
            const double sum = width == 1 ? std::exp(-scales.scales[size(i)]) : joined(i, j);
            joined_[size(cell(i, j))] = sum;
            inside_.set(i, j, sum * exponentials_.label_sum(i, j));
            if (width > 1)
                fill_half(i, j);
        }
}

// Rules (a), and (o): the second block [l, j).
double CubicSums::joined(Place i, Place j) {
    const double sum =
        sum_of_products(inside_.from(i) + i + 1, inside_.until(j) + i + 1, j - 1 - i);
    if (j - i < 3)
        return sum;
    const std::ptrdiff_t number = j - i - 2;
    multiply_rows({halves_.data() + cell(i, i + 2) * stride_, stride_, number},
                  exponentials_.outer(i, j), stride_, row_.data());
    return sum + sum_of_products(row_.data(), inside_.until(j) + i + 2, number);
}

// Rule (n): the first block [i, k), and what stands in the gap.
void CubicSums::fill_half(Place i, Place l) {
    const std::ptrdiff_t number = l - 1 - i;
    for (std::ptrdiff_t x = 0; x < number; ++x)
        row_[size(x)] = inside_.from(i)[i + 1 + x] * inside_.until(l)[i + 1 + x];
    sum_weighted(row_.data(), {exponentials_.gap(i + 1, l), stride_, number}, stride_,
                 halves_.data() + cell(i, l) * stride_);
}

void CubicSums::fill_outside() {
    outside_from_.assign(joined_.size(), 0);
    outside_until_.assign(joined_.size(), 0);
    outside_from_[size(cell(0, count_))] = 1 / inside_.at(0, count_);
    for (Place width = count_; width > 0; --width)
        for (Place i = 0, j = width; j <= count_; ++i, ++j) {
            if (width > 1)
                pass_on_half(i, j);
            pass_on_whole(i, j);
        }
}

// Rules (a) and (o) in reverse.
void CubicSums::pass_on_whole(Place i, Place j) {
    const double mine = outside(i, j) * exponentials_.label_sum(i, j);
    by_joined_[size(cell(i, j))] = mine;
    double* const from = outside_from_.data() + cell(i, 0);
    double* const until = outside_until_.data() + cell(j, 0);
    for (Place m = i + 1; m < j; ++m) {
        from[m] += mine * inside_.until(j)[m];
        until[m] += mine * inside_.from(i)[m];
    }
    if (j - i < 3)
        return;
    const std::ptrdiff_t number = j - i - 2;
    multiply_rows({halves_.data() + cell(i, i + 2) * stride_, stride_, number},
                  exponentials_.outer(i, j), stride_, row_.data());
    for (std::ptrdiff_t x = 0; x < number; ++x)
        until[i + 2 + x] += mine * row_[size(x)];
}

// Rule (n) in reverse, after rule (o) of all items that the half item is part of.
void CubicSums::pass_on_half(Place i, Place l) {
    for (Place j = l + 1; j <= count_; ++j)
        row_[size(j - l - 1)] = by_joined_[size(cell(i, j))] * inside_.from(l)[j];
    double* const mine = by_halves_.data() + cell(i, l) * stride_;
    sum_weighted(row_.data(), {exponentials_.outer(i, l + 1), stride_, count_ - l}, stride_, mine);
    multiply_rows({exponentials_.gap(i + 1, l), stride_, l - 1 - i}, mine, stride_, row_.data());
    double* const from = outside_from_.data() + cell(i, 0);
    double* const until = outside_until_.data() + cell(l, 0);
    for (Place k = i + 1; k < l; ++k) {
        from[k] += row_[size(k - i - 1)] * inside_.until(l)[k];
        until[k] += row_[size(k - i - 1)] * inside_.from(i)[k];
    }
}

bool CubicSums::is_in_range() const {
    const auto is_small = [](double one) { return one < highest_derivative; };  // not if it is NaN
    return std::ranges::all_of(outside_from_, is_small) &&
           std::ranges::all_of(outside_until_, is_small) &&
           std::ranges::all_of(by_halves_, is_small);
}

void CubicSums::write_continuous(Marginals& found, Place i, Place j) const {
    const double mine = outside(i, j) * joined_[size(cell(i, j))];
    const double* const labels = exponentials_.continuous(i, j);
    double* const target = found.continuous.data() + scores_->continuous_index(0, i, j);
    for (Label label = 0; label < scores_->continuous_labels(); ++label)
        target[label] = mine * labels[label];
}

void CubicSums::write_outer(Marginals& found, Place i, Place j) {
    if (j - i < 3)
        return;
    sum_weighted(inside_.until(j) + i + 2,
                 {halves_.data() + cell(i, i + 2) * stride_, stride_, j - i - 2}, stride_,
                 labels_.data());
    const double mine = by_joined_[size(cell(i, j))];
    const double* const scores = exponentials_.outer(i, j);
    double* const target = found.outer.data() + scores_->outer_index(0, i, j);
    for (Label label = 0; label < scores_->discontinuous_labels(); ++label)
        target[label] = mine * labels_[size(label)] * scores[label];
}

void CubicSums::write_gap(Marginals& found, Place k, Place l) {
    if (k == 0 || l == count_)
        return;
    sum_weighted(inside_.until(k),
                 {by_halves_.data() + cell(0, l) * stride_, cell(1, 0) * stride_, k}, stride_,
                 labels_.data());
    const double mine = inside_.at(k, l);
    const double* const scores = exponentials_.gap(k, l);
    double* const target = found.gap.data() + scores_->outer_index(0, k, l);
    for (Label label = 0; label < scores_->discontinuous_labels(); ++label)
        target[label] = mine * labels_[size(label)] * scores[label];
}

double CubicSums::probability(const Constituent& constituent) const {
    const auto [i, k, l, j] = constituent.item;
    const Label label = constituent.label;
    if (!constituent.item.has_gap())
        return outside(i, j) * joined_[size(cell(i, j))] * exponentials_.continuous(i, j)[label];
    return by_joined_[size(cell(i, j))] * inside_.at(i, k) * inside_.at(k, l) * inside_.at(l, j) *
           exponentials_.outer(i, j)[label] * exponentials_.gap(k, l)[label];
}

}  // namespace crossbranch::spans

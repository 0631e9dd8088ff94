#include "spans/gapped_sums.hpp"

#include <algorithm>
#include <cmath>

#include "spans/sum_kernels.hpp"

namespace crossbranch::spans {

namespace {

constexpr double highest_derivative = 1e190;  // see cubic_sums.cpp

}  // namespace

std::optional<double> GappedSums::log_partition(const SpanScores& scores, SearchSpace space) {
    scores_ = &scores;
    count_ = scores.token_count();
    exponentials_.fill(scores);
    if (!exponentials_.are_moderate())
        return std::nullopt;
    const TokenScales scales = find_scales(exponentials_);
    exponentials_.scale(scales.scales);
    exponentials_.make_rows();
    chart_.fill(exponentials_, space);
    const double found = std::log(chart_.goal()) + scales.sum();
    if (!std::isfinite(found) || found < scales.least - 1e-3)
        return std::nullopt;
    return found;
}

bool GappedSums::find_marginals(const SpanScores& scores, SearchSpace space, const Ask& ask,
                                Marginals& found) {
    const std::optional<double> sum = log_partition(scores, space);
    if (!sum)
        return false;
    found.log_partition = *sum;
    fill_outside();
    if (!is_in_range())
        return false;
    for (Place i = 0; i < count_; ++i)
        for (Place j = i + 1; j <= count_; ++j)
            write(found, i, j);
    found.asked = ask(found);
    for (const Constituent& one : found.asked)
        found.probabilities.push_back(probability(one));
    return true;
}

void GappedSums::fill_outside() {
    const bool has_gaps = chart_.space().has_gaps();
    const std::size_t cells = cell(count_, count_) + 1;
    whole_.assign(cells, 0);
    gapped_.clear(has_gaps ? count_ : 0);
    outer_.assign(cells * static_cast<std::size_t>(exponentials_.stride()), 0);
    gap_.assign(outer_.size(), 0);
    highest_ = 0;
    whole_[cell(0, count_)] = 1 / chart_.goal();
    for (Place width = count_; width > 0; --width)
        for (Place i = 0, j = width; j <= count_; ++i, ++j) {
            pass_on(Item::whole(i, j));
            for (Place k = j - 2; has_gaps && k > i; --k)
                for (Place l = k + 1; l < j; ++l)
                    pass_on({i, k, l, j});
        }
}

double GappedSums::label_sum(const Item& item) const {
    if (!item.has_gap())
        return exponentials_.label_sum(item.i, item.j);
    const double labels =
        sum_of_products(exponentials_.outer(item.i, item.j), exponentials_.gap(item.k, item.l),
                        exponentials_.stride());
    return (chart_.space().nests_gaps() ? 1 : 0) + labels;
}

// The rules in reverse.
void GappedSums::pass_on(const Item& item) {
    const double mine = outside(item);
    const double labels = label_sum(item);
    if (item.has_gap()) {
        highest_ = std::max(highest_, std::isnan(mine) ? highest_derivative : mine);
        if (mine != 0 && labels > 0)
            add_labels(item, mine * inside(item) / labels);
    }
    if (item.size() == 1)
        return;
    const double share = mine * labels;
    each_pair(item, chart_.space(), [&](const Item& left, const Item& right) {
        outside(left) += share * inside(right);
        outside(right) += share * inside(left);
    });
}

void GappedSums::add_labels(const Item& item, double amount) {
    const std::ptrdiff_t stride = exponentials_.stride();
    double* const outer =
        outer_.data() + (exponentials_.outer(item.i, item.j) - exponentials_.outer(0, 0));
    double* const gap = gap_.data() + (exponentials_.gap(item.k, item.l) - exponentials_.gap(0, 0));
    add_scaled(amount, exponentials_.gap(item.k, item.l), stride, outer);
    add_scaled(amount, exponentials_.outer(item.i, item.j), stride, gap);
}

bool GappedSums::is_in_range() const {
    return highest_ < highest_derivative &&
           std::ranges::all_of(
               whole_,
               [](double one) {
                   return one < highest_derivative;  // not if it is NaN
               });
}

void GappedSums::write(Marginals& found, Place i, Place j) const {
    const double mine =
        whole_[cell(i, j)] * inside(Item::whole(i, j)) / exponentials_.label_sum(i, j);
    for (Label label = 0; label < scores_->continuous_labels(); ++label)
        found.continuous[scores_->continuous_index(label, i, j)] =
            mine * exponentials_.continuous(i, j)[label];
    const double* const outer = exponentials_.outer(i, j);
    const double* const gap = exponentials_.gap(i, j);
    const double* const by_outer = outer_.data() + (outer - exponentials_.outer(0, 0));
    const double* const by_gap = gap_.data() + (gap - exponentials_.gap(0, 0));
    for (Label label = 0; label < scores_->discontinuous_labels(); ++label) {
        found.outer[scores_->outer_index(label, i, j)] = outer[label] * by_outer[label];
        found.gap[scores_->outer_index(label, i, j)] = gap[label] * by_gap[label];
    }
}

double GappedSums::probability(const Constituent& constituent) const {
    const auto& [item, label] = constituent;
    const double score = item.has_gap() ? exponentials_.outer(item.i, item.j)[label] *
                                              exponentials_.gap(item.k, item.l)[label]
                                        : exponentials_.continuous(item.i, item.j)[label];
    const double labels = label_sum(item);
    return labels > 0 ? outside(item) * inside(item) / labels * score : 0;
}

}  // namespace crossbranch::spans

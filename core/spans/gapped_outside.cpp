#include "spans/gapped_outside.hpp"

#include <algorithm>
#include <cmath>

#include "base/wide_vectors.hpp"
#include "spans/sum_kernels.hpp"

namespace crossbranch::spans {

namespace {

constexpr double highest_derivative = 1e190;  // see cubic_sums.cpp

// With all loops inside, so that they are compiled for wide vectors.
[[gnu::flatten]] FOR_WIDE_VECTORS void fill_quickly(GappedOutside& outside) {
    outside.fill_items();
}

}  // namespace

void GappedOutside::fill(const Chart<Sum>& chart) {
    chart_ = &chart;
    scores_ = &chart.scores();
    count_ = scores_->token_count();
    from_.assign(cell(count_, count_) + 1, 0);
    until_.assign(from_.size(), 0);
    gapped_.clear(chart.space().has_gaps() ? count_ : 0);
    outer_.assign(from_.size() * static_cast<std::size_t>(scores_->stride()), 0);
    gap_.assign(outer_.size(), 0);
    labels_.resize(static_cast<std::size_t>(count_) + 1 + padding);
    shares_.resize(labels_.size());
    highest_ = 0;
    from(0)[count_] = 1 / chart.goal();
    fill_quickly(*this);
}

void GappedOutside::fill_items() {
    const bool has_gaps = chart_->space().has_gaps();
    for (Place width = count_; width > 1; --width)
        for (Place i = 0, j = width; j <= count_; ++i, ++j) {
            pass_on_whole(i, j);
            for (Place k = j - 2; has_gaps && k > i; --k)
                pass_on_row(i, k, j);
        }
}

void GappedOutside::pass_on_pair(double share, const Item& left, const Item& right) {
    const auto add = [this](const Item& item, double amount) {
        (item.has_gap() ? gapped_.row(item.i, item.k, item.j)[item.l] : from(item.i)[item.j]) +=
            amount;
    };
    add(left, share * inside(right));
    add(right, share * inside(left));
}

// Rules (a), (c) and (i).
void GappedOutside::pass_on_whole(Place i, Place j) {
    const ContinuousTable<double>& whole_items = chart_->continuous();
    const double share = whole(i, j) * scores_->label_sum(i, j);
    add_all<Sum>(from(i) + i + 1, share, whole_items.until(j) + i + 1, j - 1 - i);
    add_all<Sum>(until(j) + i + 1, share, whole_items.from(i) + i + 1, j - 1 - i);
    for (Place k = i + 1; chart_->space().has_gaps() && k + 1 < j; ++k) {
        add_all<Sum>(gapped_.row(i, k, j) + k + 1, share, whole_items.from(k) + k + 1, j - 1 - k);
        add_all<Sum>(from(k) + k + 1, share, chart_->gapped().row(i, k, j) + k + 1, j - 1 - k);
    }
    each_ill_nested_pair(
        Item::whole(i, j), chart_->space(),
        [&](const Item& left, const Item& right) { pass_on_pair(share, left, right); });
}

// All rules for (i, k, l, j), for all l.
void GappedOutside::pass_on_row(Place i, Place k, Place j) {
    find_shares(i, k, j);
    add_label_derivatives(i, k, j);
    pass_on_parts(i, k, j);
    for (Place l = k + 1; chart_->space().joins_two_gaps() && l < j; ++l)
        each_pair_of_gaps({i, k, l, j}, chart_->space(), [&](const Item& left, const Item& right) {
            pass_on_pair(shares_[static_cast<std::size_t>(l)], left, right);
        });
}

// What each item of a row passes on. Rule (h): an item is part of those whose gap begins where its
// own does and ends earlier.
void GappedOutside::find_shares(Place i, Place k, Place j) {
    const bool nests_gaps = chart_->space().nests_gaps();
    const std::ptrdiff_t count = j - 1 - k;
    double* const mine = gapped_.row(i, k, j);
    double* const labels = labels_.data() + k + 1;
    std::fill_n(labels, count, nests_gaps ? 1 : 0);
    add_rows<Sum>(labels, scores_->outer(i, j), scores_->gaps_from(k) + k + 1,
                  scores_->discontinuous_labels(), scores_->gap_stride(), count);
    for (Place l = k + 1; l < j; ++l) {
        const double share = mine[l] * labels_[static_cast<std::size_t>(l)];
        shares_[static_cast<std::size_t>(l)] = share;
        highest_ = std::max(highest_, std::isnan(mine[l]) ? highest_derivative : mine[l]);
        if (!nests_gaps)
            continue;
        add_all<Sum>(mine + l + 1, share, chart_->continuous().from(l) + l + 1, j - 1 - l);
        add_all<Sum>(from(l) + l + 1, share, chart_->gapped().row(i, k, j) + l + 1, j - 1 - l);
    }
}

void GappedOutside::add_label_derivatives(Place i, Place k, Place j) {
    const std::ptrdiff_t stride = scores_->stride();
    const double* const mine = gapped_.row(i, k, j);
    const double* const insides = chart_->gapped().row(i, k, j);
    double* const by_outer = outer_.data() + outer_place(i, j);
    for (Place l = k + 1; l < j; ++l) {
        const double labels = labels_[static_cast<std::size_t>(l)];
        if (mine[l] == 0 || labels <= 0)
            continue;
        const double amount = mine[l] * insides[l] / labels;
        add_scaled(amount, scores_->gap(k, l), stride, by_outer);
        add_scaled(amount, scores_->outer(i, j), stride, gap_.data() + gap_place(k, l));
    }
}

// Rules (b), (e), (f) and (g).
void GappedOutside::pass_on_parts(Place i, Place k, Place j) {
    const ContinuousTable<double>& whole_items = chart_->continuous();
    const GappedTable<double>& gapped_items = chart_->gapped();
    const double* const shares = shares_.data() + k + 1;
    const std::ptrdiff_t count = j - 1 - k;
    // The items [start, end), whose other part is a row of items.
    const auto pass_on = [&](Place start, Place end, const double* inside_row, double* outside_row,
                             std::ptrdiff_t length) {
        from(start)[end] += add_pairs<Sum>(shares, inside_row, length);
        add_all<Sum>(outside_row, whole_items.at(start, end), shares, length);
    };
    pass_on(i, k, whole_items.until(j) + k + 1, until(j) + k + 1, count);  // (b)
    if (!chart_->space().nests_gaps())
        return;
    for (Place m = i + 1; m < k; ++m) {  // (e), (g)
        pass_on(i, m, gapped_items.row(m, k, j) + k + 1, gapped_.row(m, k, j) + k + 1, count);
        pass_on(m, k, gapped_items.row(i, m, j) + k + 1, gapped_.row(i, m, j) + k + 1, count);
    }
    for (Place m = k + 2; m < j; ++m)  // (f)
        pass_on(m, j, gapped_items.row(i, k, m) + k + 1, gapped_.row(i, k, m) + k + 1, m - 1 - k);
}

bool GappedOutside::is_in_range() const {
    const auto is_small = [](double one) { return one < highest_derivative; };  // not if it is NaN
    return highest_ < highest_derivative && std::ranges::all_of(from_, is_small) &&
           std::ranges::all_of(until_, is_small);
}

}  // namespace crossbranch::spans

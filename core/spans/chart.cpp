#include "spans/chart.hpp"

#include "base/wide_vectors.hpp"

namespace crossbranch::spans {

namespace {

// With all loops inside, so that they are compiled for wide vectors.
[[gnu::flatten]] FOR_WIDE_VECTORS void fill_quickly(Chart<Best>& chart) {
    chart.fill_items();
}
[[gnu::flatten]] FOR_WIDE_VECTORS void fill_quickly(Chart<Sum>& chart) {
    chart.fill_items();
}
void fill_quickly(Chart<LogSum>& chart) {
    chart.fill_items();
}

}  // namespace

template <typename Semiring>
void Chart<Semiring>::fill(const Scores& scores, SearchSpace space) {
    scores_ = &scores;
    space_ = space;
    continuous_.resize(scores.token_count());
    gapped_.resize(space.has_gaps() ? scores.token_count() : 0,
                   space.ill_nested && space.nests_gaps());
    labels_.resize(static_cast<std::size_t>(scores.token_count()) + 1 + padding);
    outer_.resize(static_cast<std::size_t>(scores.discontinuous_labels()));
    fill_quickly(*this);
}

template <typename Semiring>
void Chart<Semiring>::fill_items() {
    const Place count = scores_->token_count();
    for (Place width = 1; width <= count; ++width)
        for (Place i = 0, j = width; j <= count; ++i, ++j) {
            // Items with a larger gap are parts of those with a smaller one.
            for (Place k = i + 1; space_.has_gaps() && k + 1 < j; ++k) {
                fill_row(i, k, j);
                finish_row(i, k, j);
            }
            const Number inside = width == 1 ? Semiring::one : joined(i, j);
            continuous_.set(i, j,
                            Semiring::times(inside, whole_label_score<Semiring>(*scores_, i, j)));
        }
}

// All rules for (i, k, l, j) but (h), for all l at once.
template <typename Semiring>
void Chart<Semiring>::fill_row(Place i, Place k, Place j) {
    Number* const found = gapped_.row(i, k, j) + k + 1;
    const std::ptrdiff_t count = j - 1 - k;
    const Number* const until = continuous_.until(j) + k + 1;
    for (std::ptrdiff_t x = 0; x < count; ++x)  // (b)
        found[x] = Semiring::times(continuous_.at(i, k), until[x]);
    if (!space_.nests_gaps())
        return;
    for (Place m = i + 1; m < k; ++m) {
        add_all<Semiring>(found, continuous_.at(i, m), gapped_.row(m, k, j) + k + 1, count);  // (e)
        add_all<Semiring>(found, continuous_.at(m, k), gapped_.row(i, m, j) + k + 1, count);  // (g)
    }
    for (Place m = k + 2; m < j; ++m)  // (f)
        add_all<Semiring>(found, continuous_.at(m, j), gapped_.row(i, k, m) + k + 1, m - 1 - k);
    if (space_.joins_two_gaps())
        join_two_gaps(i, k, j);
}

// The rules for (i, k, l, j) that join two items with gaps.
template <typename Semiring>
void Chart<Semiring>::join_two_gaps(Place i, Place k, Place j) {
    Number* const found = gapped_.row(i, k, j) + k + 1;
    for (Place m = i + 1; m < k; ++m) {
        const Number* const outer = gapped_.row(i, m, j);
        for (Place n = k + 2; n < j; ++n)  // (d)
            add_all<Semiring>(found, outer[n], gapped_.row(m, k, n) + k + 1, n - 1 - k);
    }
    if (!space_.ill_nested)
        return;
    for (Place m = i + 1; m < k; ++m) {
        const Number* const right = gapped_.row(m, k, j);
        for (Place n = k + 2; n < j; ++n)  // (j)
            add_all<Semiring>(found, right[n], gapped_.row(i, m, n) + k + 1, n - 1 - k);
        const Number* const left = gapped_.row(i, m, k);
        for (Place n = m + 1; n < k; ++n)  // (k)
            add_all<Semiring>(found, left[n], gapped_.row(m, n, j) + k + 1, j - 1 - k);
    }
    for (Place n = k + 3; n < j; ++n) {  // (l)
        const Number* const left = gapped_.row(i, k, n);
        for (Place m = k + 2; m < n; ++m)
            add_all<Semiring>(found, left[m], gapped_.row_over_i(m, n, j) + k + 1, m - 1 - k);
    }
}

// Adds labels, and (h): an item is part of those whose gap ends earlier.
template <typename Semiring>
void Chart<Semiring>::finish_row(Place i, Place k, Place j) {
    Number* const found = gapped_.row(i, k, j);
    Number* const labels = labels_.data() + k + 1;
    const std::ptrdiff_t count = j - 1 - k;
    std::fill_n(labels, count, space_.nests_gaps() ? Semiring::one : Semiring::zero);
    std::copy_n(scores_->outer(i, j), scores_->discontinuous_labels(), outer_.data());
    add_rows<Semiring>(labels, outer_.data(), scores_->gaps_from(k) + k + 1,
                       scores_->discontinuous_labels(), scores_->gap_stride(), count);
    for (const OwnScore& one : scores_->own_scores(i, j))
        if (one.k == k)
            labels_[static_cast<std::size_t>(one.l)] = label_score({i, k, one.l, j});
    for (Place l = j - 1; l > k; --l) {
        found[l] = Semiring::times(found[l], labels_[static_cast<std::size_t>(l)]);
        if (space_.nests_gaps())
            add_all<Semiring>(found + k + 1, found[l], continuous_.until(l) + k + 1, l - 1 - k);
    }
    gapped_.spread(i, k, j);
}

// The labels of an item with own scores.
template <typename Semiring>
typename Chart<Semiring>::Number Chart<Semiring>::label_score(const Item& item) const {
    Number found = space_.nests_gaps() ? Semiring::one : Semiring::zero;
    for (Label label = 0; label < scores_->discontinuous_labels(); ++label)
        found = Semiring::add(found, static_cast<Number>(scores_->discontinuous(
                                         label, item.i, item.k, item.l, item.j)));
    return found;
}

// The rules for the continuous item [i, j): (a), (c), (i).
template <typename Semiring>
typename Chart<Semiring>::Number Chart<Semiring>::joined(Place i, Place j) const {
    Number found =
        add_pairs<Semiring>(continuous_.from(i) + i + 1, continuous_.until(j) + i + 1, j - 1 - i);
    for (Place k = i + 1; space_.has_gaps() && k + 1 < j; ++k)
        found = Semiring::add(found, add_pairs<Semiring>(gapped_.row(i, k, j) + k + 1,
                                                         continuous_.from(k) + k + 1, j - 1 - k));
    if (!space_.nests_gaps() || !space_.ill_nested)
        return found;
    for (Place m = i + 1; m < j; ++m)
        for (Place k = m + 1; k + 1 < j; ++k)
            found =
                Semiring::add(found, add_pairs<Semiring>(gapped_.row_over_j(i, m, k) + k + 1,
                                                         gapped_.row(m, k, j) + k + 1, j - 1 - k));
    return found;
}

template class Chart<Best>;
template class Chart<LogSum>;
template class Chart<Sum>;

}  // namespace crossbranch::spans

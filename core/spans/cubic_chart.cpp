#include "spans/cubic_chart.hpp"

#include <algorithm>
#include <utility>

#include "base/wide_vectors.hpp"
#include "spans/chart.hpp"

namespace crossbranch::spans {

// With all loops inside, so that they are compiled for wide vectors.
[[gnu::flatten]] FOR_WIDE_VECTORS void fill_quickly(CubicChart& chart) {
    chart.fill_items();
}

void CubicChart::fill(const SpanScores& scores) {
    const auto width = static_cast<std::size_t>(scores.token_count()) + 1;
    const auto labels = static_cast<std::size_t>(scores.discontinuous_labels());
    scores_ = &scores;
    labels_ = scores.discontinuous_labels();
    stride_ = scores.token_count() + 1;
    continuous_.resize(scores.token_count());
    halves_.resize(width * labels * width + padding);
    sums_.resize(width);
    half_.resize(labels + padding);
    best_halves_.resize(width + padding);
    fill_quickly(*this);
}

void CubicChart::fill_items() {
    const Place count = scores_->token_count();
    for (Place width = 1; width <= count; ++width)
        for (Place i = 0, j = width; j <= count; ++i, ++j) {
            const float inside = width == 1 ? 0.0F : joined(i, j);
            continuous_.set(i, j, inside + whole_label_score<Best>(*scores_, i, j));
            if (width > 1)
                fill_halves(i, j);
        }
}

// Rule (n): the first block [i, k), and what stands in the gap.
void CubicChart::fill_halves(Place i, Place l) {
    const float* const left = continuous_.from(i) + i + 1;
    const float* const right = continuous_.until(l) + i + 1;
    const std::ptrdiff_t count = l - 1 - i;
    for (std::ptrdiff_t x = 0; x < count; ++x)
        sums_[static_cast<std::size_t>(x)] = left[x] + right[x];
    std::ranges::fill(half_, impossible<float>);
    add_rows<Best>(half_.data(), sums_.data(), scores_->gaps_until(l, i + 1), count, labels_,
                   labels_);
    for (Label label = 0; label < labels_; ++label)
        halves_[static_cast<std::size_t>(half_index(label, i, l))] =
            half_[static_cast<std::size_t>(label)];
}

// Rules (a), and (o): the second block [l, j).
float CubicChart::joined(Place i, Place j) {
    const float two =
        add_pairs<Best>(continuous_.from(i) + i + 1, continuous_.until(j) + i + 1, j - 1 - i);
    const Place first = i + 2;
    if (first >= j)
        return two;
    return std::max(two,
                    add_pairs<Best>(best_halves(i, j), continuous_.until(j) + first, j - first));
}

const float* CubicChart::best_halves(Place i, Place j) {
    const Place first = i + 2;
    std::fill_n(best_halves_.data(), j - first, impossible<float>);
    add_rows<Best>(best_halves_.data(), scores_->outer(i, j),
                   halves_.data() + half_index(0, i, first), labels_, stride_, j - first);
    Place last = -1;
    for (const OwnScore& own : scores_->own_scores(i, j))  // in the order of l
        if (own.l != std::exchange(last, own.l))
            best_halves_[static_cast<std::size_t>(own.l - first)] = best_half(i, own.l, j);
    return best_halves_.data();
}

float CubicChart::best_half(Place i, Place l, Place j) const {
    float found = impossible<float>;
    for (Label label = 0; label < labels_; ++label)
        found = std::max(found, half(label, i, l, j));
    return found;
}

// A half item forgets where its gap begins; with own scores, that must be found again.
float CubicChart::half(Label label, Place i, Place l, Place j) const {
    const auto place_of = [](const OwnScore& one) { return std::pair(one.l, one.label); };
    if (!std::ranges::binary_search(scores_->own_scores(i, j), std::pair(l, label), {}, place_of))
        return halves_[static_cast<std::size_t>(half_index(label, i, l))] +
               scores_->outer(i, j)[label];
    float found = impossible<float>;
    for (Place k = i + 1; k < l; ++k)
        found = std::max(found, continuous_.at(i, k) + continuous_.at(k, l) +
                                    scores_->discontinuous(label, i, k, l, j));
    return found;
}

namespace {

class Reader {
  public:
    Reader(const SpanScores& scores, CubicChart& chart) : scores_(scores), chart_(chart) {}

    SpanTree read() {
        SpanTree found{chart_.goal(), {}};
        open_ = {Item::whole(0, scores_.token_count())};
        while (!open_.empty()) {
            const Item item = open_.back();
            open_.pop_back();
            const Label label = best_label(scores_, {Rules::cubic}, item);
            if (label != no_label)
                found.constituents.push_back({item, label});
            if (item.size() > 1)
                split(item.i, item.j, found);
        }
        return found;
    }

  private:
    [[nodiscard]] float at(Place i, Place j) const { return chart_.continuous().at(i, j); }

    void split(Place i, Place j, SpanTree& found) {
        float best = impossible<float>;
        Place where = -1;
        bool has_gap = false;
        for (Place m = i + 1; m < j; ++m)
            if (const float sum = at(i, m) + at(m, j); sum > best) {
                best = sum;
                where = m;
            }
        const Place first = i + 2;
        const float* const halves = first < j ? chart_.best_halves(i, j) : nullptr;
        for (Place l = first; l < j; ++l)
            if (const float sum = halves[l - first] + at(l, j); sum > best) {
                best = sum;
                where = l;
                has_gap = true;
            }
        open_.push_back(Item::whole(where, j));
        if (!has_gap) {
            open_.push_back(Item::whole(i, where));
            return;
        }
        const Label label = label_of(i, where, j);
        const Place k = gap_of(i, where, j, label);
        found.constituents.push_back({{i, k, where, j}, label});
        open_.push_back(Item::whole(k, where));
        open_.push_back(Item::whole(i, k));
    }

    // The label of the best half item.
    [[nodiscard]] Label label_of(Place i, Place l, Place j) const {
        Label found = 0;
        for (Label label = 1; label < scores_.discontinuous_labels(); ++label)
            if (chart_.half(label, i, l, j) > chart_.half(found, i, l, j))
                found = label;
        return found;
    }

    // Where the gap of the best half item begins.
    [[nodiscard]] Place gap_of(Place i, Place l, Place j, Label label) const {
        float best = impossible<float>;
        Place found = -1;
        for (Place k = i + 1; k < l; ++k)
            if (const float sum = at(i, k) + at(k, l) + scores_.discontinuous(label, i, k, l, j);
                sum > best) {
                best = sum;
                found = k;
            }
        return found;
    }

    const SpanScores& scores_;
    CubicChart& chart_;
    std::vector<Item> open_;
};

[[gnu::flatten]] FOR_WIDE_VECTORS SpanTree read_quickly(const SpanScores& scores,
                                                        CubicChart& chart) {
    return Reader(scores, chart).read();
}

}  // namespace

SpanTree best_cubic_tree(const SpanScores& scores) {
    thread_local CubicChart chart;  // keeps its memory
    chart.fill(scores);
    return read_quickly(scores, chart);
}

}  // namespace crossbranch::spans

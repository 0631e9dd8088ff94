#include "spans/cubic_chart.hpp"

#include <algorithm>
#include <utility>

#include "spans/chart.hpp"

namespace crossbranch::spans {

template <typename Semiring>
CubicChart<Semiring>::CubicChart(const SpanScores& scores)
    : scores_(&scores),
      labels_(scores.discontinuous_labels()),
      halves_(static_cast<std::size_t>((scores.token_count() + 1) * (scores.token_count() + 1) *
                                       labels_),
              impossible<Number>),
      sums_(static_cast<std::size_t>(scores.token_count())),
      half_(static_cast<std::size_t>(labels_) + padding, impossible<Number>) {
    const Place count = scores.token_count();
    continuous_.resize(count);
    for (Place width = 1; width <= count; ++width)
        for (Place i = 0, j = width; j <= count; ++i, ++j) {
            const Number inside = width == 1 ? Number{0} : joined(i, j);
            continuous_.set(i, j, inside + whole_label_score<Semiring>(scores, i, j));
            if (width > 1)
                fill_halves(i, j);
        }
}

// Rule (n): the first block [i, k), and what stands in the gap.
template <typename Semiring>
void CubicChart<Semiring>::fill_halves(Place i, Place l) {
    Number* const found = halves_.data() + (i * (scores_->token_count() + 1) + l) * labels_;
    const Number* const left = continuous_.from(i) + i + 1;
    const Number* const right = continuous_.until(l) + i + 1;
    const std::ptrdiff_t count = l - 1 - i;
    for (std::ptrdiff_t x = 0; x < count; ++x)
        sums_[static_cast<std::size_t>(x)] = left[x] + right[x];
    std::copy_n(found, labels_, half_.data());
    add_rows<Semiring>(half_.data(), sums_.data(), scores_->gaps_until(l, i + 1), count, labels_,
                       labels_);
    std::copy_n(half_.data(), labels_, found);
}

// Rules (a), and (o): the second block [l, j).
template <typename Semiring>
typename CubicChart<Semiring>::Number CubicChart<Semiring>::joined(Place i, Place j) const {
    Number found =
        add_pairs<Semiring>(continuous_.from(i) + i + 1, continuous_.until(j) + i + 1, j - 1 - i);
    const float* const outer = scores_->outer(i, j);
    const bool has_own_scores = !scores_->own_scores(i, j).empty();
    for (Place l = i + 2; l < j; ++l) {
        const Number best =
            has_own_scores ? best_half(i, l, j) : add_pairs<Semiring>(halves(i, l), outer, labels_);
        found = Semiring::add(found, best + continuous_.at(l, j));
    }
    return found;
}

template <typename Semiring>
typename CubicChart<Semiring>::Number CubicChart<Semiring>::best_half(Place i, Place l,
                                                                      Place j) const {
    Number found = impossible<Number>;
    for (Label label = 0; label < labels_; ++label)
        found = Semiring::add(found, half(label, i, l, j));
    return found;
}

// A half item forgets where its gap begins; with own scores, that must be found again.
template <typename Semiring>
typename CubicChart<Semiring>::Number CubicChart<Semiring>::half(Label label, Place i, Place l,
                                                                 Place j) const {
    const auto place_of = [](const OwnScore& one) { return std::pair(one.l, one.label); };
    if (!std::ranges::binary_search(scores_->own_scores(i, j), std::pair(l, label), {}, place_of))
        return halves(i, l)[label] + scores_->outer(i, j)[label];
    Number found = impossible<Number>;
    for (Place k = i + 1; k < l; ++k)
        found = Semiring::add(found, continuous_.at(i, k) + continuous_.at(k, l) +
                                         scores_->discontinuous(label, i, k, l, j));
    return found;
}

namespace {

class Reader {
  public:
    Reader(const SpanScores& scores, const CubicChart<Best>& chart)
        : scores_(scores), chart_(chart) {}

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
        Label label = no_label;
        for (Place m = i + 1; m < j; ++m)
            if (const float sum = at(i, m) + at(m, j); sum > best) {
                best = sum;
                where = m;
            }
        for (Place l = i + 2; l < j; ++l)
            for (Label one = 0; one < scores_.discontinuous_labels(); ++one)
                if (const float sum = chart_.half(one, i, l, j) + at(l, j); sum > best) {
                    best = sum;
                    where = l;
                    label = one;
                }
        if (label == no_label) {
            open_.push_back(Item::whole(where, j));
            open_.push_back(Item::whole(i, where));
            return;
        }
        const Place k = gap_of(i, where, j, label);
        found.constituents.push_back({{i, k, where, j}, label});
        open_.push_back(Item::whole(where, j));
        open_.push_back(Item::whole(k, where));
        open_.push_back(Item::whole(i, k));
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
    const CubicChart<Best>& chart_;
    std::vector<Item> open_;
};

}  // namespace

SpanTree best_cubic_tree(const SpanScores& scores) {
    return Reader(scores, CubicChart<Best>(scores)).read();
}

template class CubicChart<Best>;

}  // namespace crossbranch::spans

// Exact search over discontinuous trees of at most two blocks: the deduction rules of Corro (2020),
// figure 3. An item is a span; its score is that of the best tree above these tokens (or the
// logarithm of the sum over all of them), with the best label of the span, or with none.
#pragma once

#include "spans/exponential_scores.hpp"
#include "spans/item_table.hpp"
#include "spans/items.hpp"
#include "spans/search_space.hpp"
#include "spans/semirings.hpp"
#include "spans/span_scores.hpp"

namespace crossbranch::spans {

// The inside scores of all items, for continuous, quartic, quintic and sextic spaces.
template <typename Semiring>
class Chart {
  public:
    using Number = typename Semiring::Number;
    using Scores = typename Semiring::Scores;

    Chart() = default;
    Chart(const Scores& scores, SearchSpace space) { fill(scores, space); }

    // Computes all items. The memory of earlier sentences is used again. The scores must outlive
    // the chart.
    void fill(const Scores& scores, SearchSpace space);
    void fill_items();  // what takes time; `fill` calls it

    [[nodiscard]] Number goal() const { return continuous_.at(0, scores_->token_count()); }
    [[nodiscard]] const ContinuousTable<Number>& continuous() const { return continuous_; }
    [[nodiscard]] const GappedTable<Number>& gapped() const { return gapped_; }
    [[nodiscard]] const Scores& scores() const { return *scores_; }
    [[nodiscard]] SearchSpace space() const { return space_; }

  private:
    void fill_row(Place i, Place k, Place j);
    void join_two_gaps(Place i, Place k, Place j);
    void finish_row(Place i, Place k, Place j);
    [[nodiscard]] Number label_score(const Item& item) const;
    [[nodiscard]] Number joined(Place i, Place j) const;

    const Scores* scores_ = nullptr;
    SearchSpace space_;
    ContinuousTable<Number> continuous_;
    GappedTable<Number> gapped_;
    std::vector<Number> labels_;  // of the items of a row
    std::vector<Number> outer_;   // the scores of the outer borders of a row, by label
};

// The score of the labels of a continuous item, and of having none where that is possible.
template <typename Semiring>
[[nodiscard]] typename Semiring::Number whole_label_score(const SpanScores& scores, Place i,
                                                          Place j) {
    using Number = typename Semiring::Number;
    const Number none = scores.is_possible(no_label, i, j) ? Number{0} : impossible<Number>;
    const Number* const mask = scores.template mask<Number>(i, j);
    return Semiring::add(
        none, add_pairs<Semiring>(mask, scores.continuous(i, j), scores.continuous_labels()));
}

template <typename Semiring>
[[nodiscard]] double whole_label_score(const ExponentialScores& scores, Place i, Place j) {
    return scores.scaled_label_sum(i, j);
}

}  // namespace crossbranch::spans

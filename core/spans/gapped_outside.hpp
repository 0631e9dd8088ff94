// The rules of a chart in reverse: what each item adds to the sum over all trees.
#pragma once

#include <vector>

#include "spans/chart.hpp"
#include "spans/exponential_scores.hpp"

namespace crossbranch::spans {

// The derivatives of the logarithm of the sum over all trees, by items and by exponentials.
class GappedOutside {
  public:
    // The memory of earlier sentences is used again. The chart must outlive this.
    void fill(const Chart<Sum>& chart);
    void fill_items();  // what takes time; `fill` calls it

    [[nodiscard]] double whole(Place i, Place j) const {
        return from_[cell(i, j)] + until_[cell(j, i)];
    }
    [[nodiscard]] double gapped(const Item& item) const {
        return gapped_.at(item.i, item.k, item.l, item.j);
    }
    // By the exponentials of outer borders and of gaps, all labels.
    [[nodiscard]] const double* outer(Place i, Place j) const {
        return outer_.data() + outer_place(i, j);
    }
    [[nodiscard]] const double* gap(Place k, Place l) const {
        return gap_.data() + gap_place(k, l);
    }
    // Whether no number was too large, or too small for its derivative.
    [[nodiscard]] bool is_in_range() const;

  private:
    void pass_on_whole(Place i, Place j);
    void pass_on_row(Place i, Place k, Place j);
    void find_shares(Place i, Place k, Place j);
    void add_label_derivatives(Place i, Place k, Place j);
    void pass_on_parts(Place i, Place k, Place j);
    void pass_on_pair(double share, const Item& left, const Item& right);

    [[nodiscard]] std::size_t cell(Place x, Place y) const {
        return static_cast<std::size_t>(x * (count_ + 1) + y);
    }
    [[nodiscard]] double inside(const Item& item) const {
        return item.has_gap() ? chart_->gapped().at(item.i, item.k, item.l, item.j)
                              : chart_->continuous().at(item.i, item.j);
    }
    // The derivatives are in the order of the exponentials.
    [[nodiscard]] std::ptrdiff_t outer_place(Place i, Place j) const {
        return scores_->outer(i, j) - scores_->outer(0, 0);
    }
    [[nodiscard]] std::ptrdiff_t gap_place(Place k, Place l) const {
        return scores_->gap(k, l) - scores_->gap(0, 0);
    }
    // The row of items that begin at i, by their end; of those that end at j, by their beginning.
    // A continuous item has a number in both, which are added.
    [[nodiscard]] double* from(Place i) { return from_.data() + cell(i, 0); }
    [[nodiscard]] double* until(Place j) { return until_.data() + cell(j, 0); }

    const Chart<Sum>* chart_ = nullptr;
    const ExponentialScores* scores_ = nullptr;
    Place count_ = 0;
    std::vector<double> from_, until_;
    GappedTable<double> gapped_;
    std::vector<double> outer_, gap_;
    std::vector<double> labels_, shares_;  // of a row, by l
    double highest_ = 0;                   // derivative by a discontinuous item
};

}  // namespace crossbranch::spans

// Sums over all trees as ordinary numbers, for spaces whose charts have discontinuous items. See
// cubic_sums.hpp.
#pragma once

#include <optional>
#include <vector>

#include "spans/chart.hpp"
#include "spans/exponential_scores.hpp"
#include "spans/marginals.hpp"
#include "spans/token_scales.hpp"

namespace crossbranch::spans {

class GappedSums {
  public:
    // The logarithm of the sum over all trees; nothing if numbers are out of range.
    [[nodiscard]] std::optional<double> log_partition(const SpanScores& scores, SearchSpace space);

    // The same with probabilities. `found` has zeros. Says whether all numbers are in range.
    [[nodiscard]] bool find_marginals(const SpanScores& scores, SearchSpace space, const Ask& ask,
                                      Marginals& found);

  private:
    void fill_outside();
    void pass_on(const Item& item);
    void add_labels(const Item& item, double amount);
    [[nodiscard]] double label_sum(const Item& item) const;
    [[nodiscard]] bool is_in_range() const;
    void write(Marginals& found, Place i, Place j) const;
    [[nodiscard]] double probability(const Constituent& constituent) const;

    [[nodiscard]] std::size_t cell(Place i, Place j) const {
        return static_cast<std::size_t>(i * (count_ + 1) + j);
    }
    [[nodiscard]] double inside(const Item& item) const {
        return item.has_gap() ? chart_.gapped().at(item.i, item.k, item.l, item.j)
                              : chart_.continuous().at(item.i, item.j);
    }
    // The derivative by an item of the logarithm of the sum over all trees.
    [[nodiscard]] double& outside(const Item& item) {
        return item.has_gap() ? gapped_.row(item.i, item.k, item.j)[item.l]
                              : whole_[cell(item.i, item.j)];
    }
    [[nodiscard]] double outside(const Item& item) const {
        return item.has_gap() ? gapped_.at(item.i, item.k, item.l, item.j)
                              : whole_[cell(item.i, item.j)];
    }

    const SpanScores* scores_ = nullptr;
    Place count_ = 0;
    ExponentialScores exponentials_;
    Chart<Sum> chart_;
    std::vector<double> whole_;
    GappedTable<double> gapped_;
    double highest_ = 0;               // derivative by a discontinuous item
    std::vector<double> outer_, gap_;  // derivatives by exponentials, in the order of those
};

}  // namespace crossbranch::spans

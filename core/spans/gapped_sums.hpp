// Sums over all trees as ordinary numbers, for spaces whose charts have discontinuous items. See
// cubic_sums.hpp.
#pragma once

#include <optional>

#include "spans/chart.hpp"
#include "spans/exponential_scores.hpp"
#include "spans/gapped_outside.hpp"
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
    [[nodiscard]] double label_sum(const Item& item) const;
    void write(Marginals& found, Place i, Place j) const;
    [[nodiscard]] double probability(const Constituent& constituent) const;

    [[nodiscard]] double inside(const Item& item) const {
        return item.has_gap() ? chart_.gapped().at(item.i, item.k, item.l, item.j)
                              : chart_.continuous().at(item.i, item.j);
    }

    const SpanScores* scores_ = nullptr;
    Place count_ = 0;
    ExponentialScores exponentials_;
    Chart<Sum> chart_;
    GappedOutside outside_;
};

}  // namespace crossbranch::spans

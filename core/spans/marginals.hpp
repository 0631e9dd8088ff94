// Probabilities of constituents, if the probability of a tree grows with the exponential of its
// score.
//
// A tree is counted once for each way to build it from pairs of items: a constituent with three or
// more children has several.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "spans/best_tree.hpp"

namespace crossbranch::spans {

// The logarithm of the sum over all trees.
[[nodiscard]] double log_partition(const SpanScores& scores, SearchSpace space);

struct Marginals {
    double log_partition = 0;
    // The derivatives of log_partition by the scores, in the order of SpanScores. Those of
    // continuous spans are the probabilities of constituents.
    std::vector<double> continuous, outer, gap;
    std::vector<Constituent> asked;     // the constituents that were asked for
    std::vector<double> probabilities;  // and their probabilities

    explicit Marginals(const SpanScores& scores);
};

// Which constituents are asked for may depend on the derivatives.
using Ask = std::function<std::vector<Constituent>(const Marginals& derivatives)>;

[[nodiscard]] Marginals find_marginals(const SpanScores& scores, SearchSpace space, const Ask& ask);
[[nodiscard]] Marginals find_marginals(const SpanScores& scores, SearchSpace space,
                                       std::span<const Constituent> asked = {});

// The same by charts of logarithms: for all scores, but slow. The functions above use them for
// scores that are too large for ordinary numbers, and for own scores.
[[nodiscard]] double log_partition_by_logarithms(const SpanScores& scores, SearchSpace space);
[[nodiscard]] Marginals find_marginals_by_logarithms(const SpanScores& scores, SearchSpace space,
                                                     const Ask& ask);

}  // namespace crossbranch::spans

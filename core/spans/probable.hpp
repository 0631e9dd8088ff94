// Constituents that are probable enough, continuous and discontinuous.
#pragma once

#include "spans/marginals.hpp"

namespace crossbranch::spans {

// Marginals with the probabilities of all discontinuous constituents above a limit, and perhaps of
// some others: a constituent is not more probable than its outer borders and its gap.
[[nodiscard]] Marginals find_marginals_above(const SpanScores& scores, SearchSpace space,
                                             double limit);

struct ProbableConstituent {
    Constituent constituent;
    double probability;
};

// All constituents with a probability above a limit; the most probable ones first.
[[nodiscard]] std::vector<ProbableConstituent> find_probable(const SpanScores& scores,
                                                             SearchSpace space, double limit);

}  // namespace crossbranch::spans

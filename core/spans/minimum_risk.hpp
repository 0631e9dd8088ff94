// The tree with the highest expected F1, if trees are as probable as their scores say.
#pragma once

#include <vector>

#include "spans/best_tree.hpp"

namespace crossbranch::spans {

struct RiskTree {
    double expected_f1;
    std::vector<Constituent> constituents;
    std::vector<double> probabilities;  // of these constituents
};

// The tree for which this is highest: twice the sum of the probabilities of its constituents,
// divided by their number plus the expected number of constituents of the right tree.
[[nodiscard]] RiskTree find_minimum_risk(const SpanScores& scores, SearchSpace space);

}  // namespace crossbranch::spans

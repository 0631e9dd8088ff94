// Factors of tokens that keep sums over trees in the range of ordinary numbers.
#pragma once

#include <vector>

#include "spans/exponential_scores.hpp"

namespace crossbranch::spans {

struct TokenScales {
    // A sum over the trees of some tokens is multiplied by e^-scale of each of them.
    std::vector<double> scales;
    double least = 0;  // what the logarithm of the sum over all trees cannot be below

    [[nodiscard]] double sum() const;
};

// The scales of all tokens add up to about the logarithm of the sum over all trees.
[[nodiscard]] TokenScales find_scales(const ExponentialScores& scores);

}  // namespace crossbranch::spans

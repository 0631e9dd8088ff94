// How a search came to its tree: at each step, the transition taken and the scores of all legal
// ones.
#pragma once

#include <utility>
#include <vector>

#include "transitions/transition.hpp"

namespace crossbranch {

struct TracedStep {
    TransitionId taken;
    std::vector<std::pair<TransitionId, double>> legal;  // with the score of this step alone
};

using Trace = std::vector<TracedStep>;

}  // namespace crossbranch

// How searches came to their trees, for Python.
#pragma once

#include <utility>
#include <vector>

#include "transitions/trace.hpp"

namespace crossbranch::bindings {

// Each step: the transition taken, and all legal ones with their scores.
using PlainTrace =
    std::vector<std::pair<TransitionId, std::vector<std::pair<TransitionId, double>>>>;

inline PlainTrace to_plain(Trace steps) {
    PlainTrace found;
    for (TracedStep& step : steps)
        found.emplace_back(step.taken, std::move(step.legal));
    return found;
}

}  // namespace crossbranch::bindings

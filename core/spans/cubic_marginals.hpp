// Probabilities of constituents by the cubic chart.
#pragma once

#include "spans/cubic_chart.hpp"
#include "spans/marginals.hpp"

namespace crossbranch::spans {

[[nodiscard]] Marginals find_cubic_marginals(const SpanScores& scores,
                                             std::span<const Constituent> asked);

}  // namespace crossbranch::spans

// The best tree for training with a margin.
#pragma once

#include <span>

#include "spans/best_tree.hpp"

namespace crossbranch::spans {

// The tree with the highest sum of its score and its cost, which is the score of the result. Each
// constituent costs `cost`, or `gold_cost` if it is gold: its label, its span and its gap. Own
// scores make this exact for discontinuous constituents, too: outer borders and gaps can be those
// of a gold constituent each, and the constituent wrong all the same. Throws std::invalid_argument
// if a gold constituent is not possible.
[[nodiscard]] SpanTree best_tree_with_cost(const SpanScores& scores, SearchSpace space,
                                           std::span<const Constituent> gold, float cost,
                                           float gold_cost = 0);

}  // namespace crossbranch::spans

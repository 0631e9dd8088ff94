// The best tree for training with a margin.
#pragma once

#include <span>

#include "spans/best_tree.hpp"

namespace crossbranch::spans {

// The tree with the highest sum of its score and its cost, which is the score of the result. Each
// constituent costs `cost` unless it is gold: its label, its span and its gap. Own scores make this
// exact for discontinuous constituents, too: outer borders and gaps can be those of a gold
// constituent each, and the constituent wrong all the same.
[[nodiscard]] SpanTree best_tree_with_cost(const SpanScores& scores, SearchSpace space,
                                           std::span<const Constituent> gold, float cost);

}  // namespace crossbranch::spans

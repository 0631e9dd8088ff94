// The best trees of a sentence, one after the other.
#pragma once

#include <cstddef>
#include <vector>

#include "spans/best_tree.hpp"

namespace crossbranch::spans {

// The `count` different trees with the highest scores, the best one first; fewer if there are no
// more. This is the lazy search of Huang & Chiang (2005): after the best tree, only the items of
// the trees that were found are looked at again.
[[nodiscard]] std::vector<SpanTree> best_trees(const SpanScores& scores, SearchSpace space,
                                               std::size_t count);

}  // namespace crossbranch::spans

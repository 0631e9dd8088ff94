// The edit distance between two ordered, labelled trees: Zhang & Shasha (1989).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trees/span.hpp"

namespace crossbranch {

// A tree in postorder: label i belongs to the i-th vertex, and leftmost[i] is the first vertex in
// the subtree of vertex i. The last vertex is the root.
struct PostorderTree {
    std::vector<std::int64_t> labels;
    std::vector<Index> leftmost;
};

// The smallest number of vertices to be removed, inserted or given another label that makes one
// tree of the other. Throws std::invalid_argument for what is no tree in postorder.
[[nodiscard]] Index tree_distance(const PostorderTree& one, const PostorderTree& other);

}  // namespace crossbranch

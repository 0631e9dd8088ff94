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

// The smallest number of vertices to remove, insert or relabel to turn one tree into the other.
// Throws std::invalid_argument if an argument is not a tree in postorder.
[[nodiscard]] Index tree_distance(const PostorderTree& one, const PostorderTree& other);

}  // namespace crossbranch

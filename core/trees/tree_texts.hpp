// A tree as a file writes it: texts, and numbers of vertices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace crossbranch {

// Nodes are after their children, so the root is last. `children` has the children of all nodes one
// after the other, and `sizes` their number for each node. A token is its index, the k-th node is
// ~k. Columns that a format does not have are empty. The views point into texts of the caller.
struct TreeTexts {
    std::vector<std::string_view> labels;
    std::vector<std::string_view> node_edge_labels;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> children;
    std::vector<std::string_view> words;
    std::vector<std::string_view> tags;
    std::vector<std::string_view> lemmas;
    std::vector<std::string_view> morphology;
    std::vector<std::string_view> edge_labels;
    std::vector<std::int64_t> starts;  // offsets of tokens in the raw text; -1: none
    std::vector<std::int64_t> ends;
    std::vector<std::int64_t> heads;  // of nodes: the place of the head child; -1: none
};

// Puts the children of each node in the order of their first tokens.
void sort_children(TreeTexts& tree);

// Where the children of each node start in `children`; one more number for the end.
[[nodiscard]] std::vector<std::size_t> child_starts(const TreeTexts& tree);

}  // namespace crossbranch

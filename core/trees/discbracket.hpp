// Reading one tree in disco-dop's brackets: (S (NP 0=it) (VBZ 1=rains)).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace crossbranch {

// Nodes are in postorder, so the root is last. `children` has the children of all nodes one after
// the other, and `sizes` their number for each node. A token is its index, the k-th node is ~k.
struct DiscBracket {
    std::vector<std::string_view> labels;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> children;
    std::vector<std::string_view> tags;  // empty for a word without a bracket of its own
    std::vector<std::string_view> words;
};

// Reads a tree. The views point into the text. Returns nothing for unusual trees, so that the
// caller can check them: brackets that do not match, words without an index, indices that do not
// start at 0, an index that is missing or occurs twice, empty labels, and a single tagged word as
// tree.
[[nodiscard]] std::optional<DiscBracket> parse_discbracket(std::string_view text);

}  // namespace crossbranch

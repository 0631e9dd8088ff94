// One tree in disco-dop's brackets, taken apart: (S (NP 0=it) (VBZ 1=rains)).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace crossbranch {

// Nodes stand in postorder, the root last. The children of all nodes follow each other in
// `children`, `sizes` of them for each node: a token is its index, the k-th node is ~k.
struct DiscBracket {
    std::vector<std::string_view> labels;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> children;
    std::vector<std::string_view> tags;  // empty for a word that has no bracket of its own
    std::vector<std::string_view> words;
};

// Takes a tree apart; the views point into the text. Gives nothing for whatever is not plain, so
// that the caller can look closer: brackets that do not fit, words without an index from 0 on, an
// index that is missing or there twice, empty labels, and a tree that is a single tagged word.
[[nodiscard]] std::optional<DiscBracket> parse_discbracket(std::string_view text);

}  // namespace crossbranch

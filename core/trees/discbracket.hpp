// One tree in disco-dop's brackets: (S (NP 0=it) (VBZ 1=rains)).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "trees/tree_texts.hpp"

namespace crossbranch {

// Reads a tree. The tag of a word without a bracket of its own is empty. Returns nothing for
// unusual trees, so that the caller can check them: brackets that do not match, words without an
// index, indices that do not start at 0, an index that is missing or occurs twice, empty labels,
// and a single tagged word as tree.
[[nodiscard]] std::optional<TreeTexts> parse_discbracket(std::string_view text);

// Writes a tree on one line, without a line end. All texts are escaped, and the empty tag is
// `empty_text`: words with this tag have a bracket of their own only if they are alone.
[[nodiscard]] std::string write_discbracket(const TreeTexts& tree);

// How files with brackets write an empty text.
inline constexpr std::string_view empty_text = "&#x;";

}  // namespace crossbranch

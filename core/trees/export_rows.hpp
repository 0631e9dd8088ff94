// The rows of one sentence in NeGra export: a token or a node on each line, with its parent.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "trees/tree_texts.hpp"

namespace crossbranch {

// Reads the lines between #BOS and #EOS. `columns` is 6, or 5 in version 3, which has no lemmas.
// Returns nothing for unusual sentences, so that the caller can check them: other numbers of
// columns, blanks, comments, secondary edges, nodes with lemma or morphology, nodes that are not
// numbered in postorder from 500 on, and everything that is not a tree.
[[nodiscard]] std::optional<TreeTexts> parse_export_rows(std::span<const std::string_view> lines,
                                                         std::size_t columns);

// Writes the rows of a tree below a virtual root. All texts are escaped.
[[nodiscard]] std::string write_export_rows(const TreeTexts& tree, bool lemmas);

}  // namespace crossbranch

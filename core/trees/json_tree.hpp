// One tree as a line of JSON.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trees/tree_texts.hpp"

namespace crossbranch {

struct JsonTree {
    TreeTexts tree;  // the order of its nodes is that of the line, backwards
    std::string_view id;
    std::string_view text;
    std::vector<std::string_view> comments;
    std::deque<std::string> unescaped;  // texts that have escapes in the line
};

// Reads a line as crossbranch writes it: without blanks, and with its keys in order. Returns
// nothing for other lines, so that the caller can check them: with features, secondary edges,
// numbers of characters (\u0041), children in another order, and everything that is not a tree.
[[nodiscard]] std::optional<JsonTree> parse_json_tree(std::string_view line);

// Writes the tokens and nodes of a tree: `"tokens":[...],"nodes":[...]`. All texts are in quotes.
[[nodiscard]] std::string write_json_tree(const TreeTexts& tree);

}  // namespace crossbranch

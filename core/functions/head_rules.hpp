// Head rules: which child of a node is its head, by labels and functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace crossbranch {

// What rules see of a vertex. Labels of nodes and tags of tokens have different numbers.
struct HeadItem {
    std::uint32_t label = 0;
    std::uint32_t function = 0;
    bool is_punctuation = false;
};

// Fits a vertex if its label is in the set, and its function, too. An empty set of functions stands
// for all of them. Sets have an entry for each number: 0 or 1.
struct HeadChoice {
    std::vector<std::uint8_t> labels;
    std::vector<std::uint8_t> functions;
};

using HeadPattern = std::vector<HeadChoice>;  // fits if one of them does

// `first_mark` and `last_mark` look at punctuation only, all others at what is no punctuation.
enum class Which : std::uint8_t {
    first = 0,
    last = 1,
    initial = 2,
    final = 3,
    across = 4,
    first_mark = 5,
    last_mark = 6,
};

struct HeadRule {
    HeadPattern node;
    Which which;
    std::vector<HeadPattern> candidates;
};

class HeadRules {
  public:
    // Throws std::invalid_argument for a set that has another size.
    HeadRules(std::vector<HeadRule> rules, std::size_t label_count, std::size_t function_count);

    // The position of the head; nothing if no rule finds one. Punctuation is used only by rules for
    // marks, or if there is nothing else. Labels and functions must be below the counts.
    [[nodiscard]] std::optional<std::size_t> find(const HeadItem& node,
                                                  std::span<const HeadItem> children) const;

    [[nodiscard]] std::size_t label_count() const { return label_count_; }
    [[nodiscard]] std::size_t function_count() const { return function_count_; }

  private:
    std::vector<HeadRule> rules_;
    std::size_t label_count_;
    std::size_t function_count_;
};

}  // namespace crossbranch

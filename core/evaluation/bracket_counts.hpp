// Counts of the brackets of two trees of one sentence, of at most 64 tokens.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace crossbranch {

using ShortSpan = std::uint64_t;  // one bit for each token

struct ShortBracket {
    ShortSpan span;
    std::int64_t label;

    auto operator<=>(const ShortBracket&) const = default;
};

struct BracketCounts {
    std::size_t gold = 0;
    std::size_t predicted = 0;
    std::size_t matched = 0;
    std::size_t gold_distinct = 0;  // repeated brackets count once
    std::size_t predicted_distinct = 0;

    bool operator==(const BracketCounts&) const = default;
};

struct BracketComparison {
    BracketCounts all;
    BracketCounts discontinuous;
};

// A span without the tokens that are not kept; the others are renumbered.
[[nodiscard]] ShortSpan compress(ShortSpan span, ShortSpan kept);

// Compares the brackets over the kept tokens. Brackets without such tokens do not count.
[[nodiscard]] BracketComparison compare_brackets(std::vector<ShortBracket> gold,
                                                 std::vector<ShortBracket> predicted,
                                                 ShortSpan kept);

}  // namespace crossbranch

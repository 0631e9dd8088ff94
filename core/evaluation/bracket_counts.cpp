#include "evaluation/bracket_counts.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace crossbranch {

namespace {

bool is_discontinuous(ShortSpan span) {
    // Adding the lowest bit to a single block leaves nothing of it.
    return (span & (span + (span & (~span + 1)))) != 0;
}

void reduce(std::vector<ShortBracket>& brackets, ShortSpan kept) {
    if (kept != ~ShortSpan{0})
        for (ShortBracket& bracket : brackets)
            bracket.span = compress(bracket.span, kept);
    std::erase_if(brackets, [](const ShortBracket& bracket) { return bracket.span == 0; });
    std::ranges::sort(brackets);
}

// Counts brackets that are sorted.
BracketCounts count(std::span<const ShortBracket> gold, std::span<const ShortBracket> predicted) {
    BracketCounts counts;
    counts.gold = gold.size();
    counts.predicted = predicted.size();
    for (std::size_t i = 0; i < gold.size(); ++i)
        counts.gold_distinct += i == 0 || gold[i] != gold[i - 1];
    for (std::size_t i = 0; i < predicted.size(); ++i)
        counts.predicted_distinct += i == 0 || predicted[i] != predicted[i - 1];
    for (std::size_t i = 0, j = 0; i < gold.size() && j < predicted.size();) {
        const auto order = gold[i] <=> predicted[j];
        counts.matched += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return counts;
}

}  // namespace

ShortSpan compress(ShortSpan span, ShortSpan kept) {
    ShortSpan found = 0;
    span &= kept;
    for (std::uint32_t done = 0; span != 0;) {  // one run of kept tokens after the other
        const auto skipped = static_cast<std::uint32_t>(std::countr_zero(kept));
        kept >>= skipped;
        span >>= skipped;
        const auto length = static_cast<std::uint32_t>(std::countr_one(kept));
        if (length == 64)
            return span;
        found |= (span & ((ShortSpan{1} << length) - 1)) << done;
        done += length;
        kept >>= length;
        span >>= length;
    }
    return found;
}

BracketComparison compare_brackets(std::vector<ShortBracket> gold,
                                   std::vector<ShortBracket> predicted, ShortSpan kept) {
    reduce(gold, kept);
    reduce(predicted, kept);
    BracketComparison found{count(gold, predicted), {}};
    const auto is_continuous = [](const ShortBracket& bracket) {
        return !is_discontinuous(bracket.span);
    };
    std::erase_if(gold, is_continuous);
    std::erase_if(predicted, is_continuous);
    found.discontinuous = count(gold, predicted);
    return found;
}

}  // namespace crossbranch

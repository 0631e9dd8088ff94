#include <map>
#include <random>

#include "check.hpp"
#include "evaluation/bracket_counts.hpp"

using namespace crossbranch;

namespace {

constexpr ShortSpan all_tokens = ~ShortSpan{0};

// One token after the other.
ShortSpan slow_compress(ShortSpan span, ShortSpan kept) {
    ShortSpan found = 0;
    std::uint32_t place = 0;
    for (std::uint32_t token = 0; token < 64; ++token)
        if ((kept >> token & 1U) != 0)
            found |= (span >> token & 1U) << place++;
    return found;
}

std::size_t blocks(ShortSpan span) {
    std::size_t found = 0;
    for (std::uint32_t token = 0; token < 64; ++token)
        found += (span >> token & 1U) != 0 && (token == 0 || (span >> (token - 1) & 1U) == 0);
    return found;
}

using Counts = std::map<ShortBracket, std::size_t>;

Counts count(const std::vector<ShortBracket>& brackets, ShortSpan kept, std::size_t least_blocks) {
    Counts found;
    for (const auto& [span, label] : brackets)
        if (const ShortSpan left = slow_compress(span, kept); blocks(left) >= least_blocks)
            ++found[{left, label}];
    return found;
}

BracketCounts slow_counts(const Counts& gold, const Counts& predicted) {
    BracketCounts found;
    found.gold_distinct = gold.size();
    found.predicted_distinct = predicted.size();
    for (const auto& [bracket, times] : predicted)
        found.predicted += times;
    for (const auto& [bracket, times] : gold) {
        found.gold += times;
        if (const auto other = predicted.find(bracket); other != predicted.end())
            found.matched += std::min(times, other->second);
    }
    return found;
}

}  // namespace

TEST(an_empty_comparison_counts_nothing) {
    const BracketComparison found = compare_brackets({}, {}, all_tokens);
    CHECK(found.all == BracketCounts{});
    CHECK(found.discontinuous == BracketCounts{});
}

TEST(deleted_tokens_close_gaps) {
    // 1 is deleted: 0 and 2 become neighbours, and the bracket over 1 alone is gone.
    const std::vector<ShortBracket> gold{{0b101, 0}, {0b010, 1}};
    const BracketComparison found = compare_brackets(gold, {{0b101, 0}}, ~ShortSpan{0b010});
    CHECK(found.all == BracketCounts{1, 1, 1, 1, 1});
    CHECK(found.discontinuous == BracketCounts{});
    CHECK(compare_brackets(gold, {}, all_tokens).discontinuous == BracketCounts{1, 0, 0, 1, 0});
}

TEST(the_last_token_of_64_is_a_token) {
    const ShortSpan last = ShortSpan{1} << 63U;
    CHECK(compress(last, all_tokens) == last);
    CHECK(compress(last | 1U, last) == 1U);
    const BracketComparison found =
        compare_brackets({{last | 1U, 0}, {all_tokens, 0}}, {{all_tokens, 0}}, all_tokens);
    CHECK(found.all.matched == 1);
    CHECK(found.discontinuous == BracketCounts{1, 0, 0, 1, 0});
}

TEST(random_brackets_are_counted_as_by_a_slow_program) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 2000; ++round) {
        const ShortSpan mask = round % 2 == 0 ? 0xfU : all_tokens;
        const ShortSpan kept = round % 5 == 0 ? all_tokens : random() | random();
        std::vector<ShortBracket> trees[2];
        for (auto& brackets : trees)
            for (std::size_t i = random() % 12; i > 0; --i)
                brackets.push_back({random() & mask, static_cast<std::int64_t>(random() % 2)});
        const BracketComparison found = compare_brackets(trees[0], trees[1], kept);
        CHECK(found.all == slow_counts(count(trees[0], kept, 1), count(trees[1], kept, 1)));
        CHECK(found.discontinuous ==
              slow_counts(count(trees[0], kept, 2), count(trees[1], kept, 2)));
        CHECK(compress(trees[0].empty() ? 0 : trees[0][0].span, kept) ==
              slow_compress(trees[0].empty() ? 0 : trees[0][0].span, kept));
    }
}

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <utility>

#include "check.hpp"
#include "evaluation/resampling.hpp"

using namespace crossbranch;

namespace {

const std::vector<Tally> weak = {{10, 2}, {8, 4}, {7, 1}, {0, 0}, {20, 5}};
const std::vector<Tally> strong = {{10, 4}, {8, 3}, {6, 3}, {0, 0}, {21, 9}};

}  // namespace

TEST(f1_of_nothing_is_1) {
    CHECK(f1({}) == 1.0);
    CHECK(f1({4, 0}) == 0.0);
    CHECK(f1({8, 3}) == 0.75);
}

TEST(numbers_below_a_limit_are_equally_likely) {
    std::mt19937_64 random(1);
    std::array<int, 7> seen{};
    for (int round = 0; round < 70'000; ++round)
        ++seen.at(draw_below(random, seen.size()));
    // The standard deviation is 93.
    CHECK(std::ranges::all_of(seen, [](int count) { return count > 9'600 && count < 10'400; }));
    CHECK(draw_below(random, 1) == 0);
}

TEST(numbers_that_would_make_some_results_likelier_are_drawn_again) {
    // With a limit of 3 * 2^30, scaled numbers whose rest is below 2^30 are drawn again: of four
    // upper halves in a row, the first.
    constexpr Index limit = Index{3} << 30;
    std::mt19937_64 random(5);
    std::mt19937_64 copy(5);
    for (int round = 0; round < 1'000; ++round) {
        std::uint64_t upper = copy() >> 32;
        while (upper % 4 == 0)
            upper = copy() >> 32;
        CHECK(draw_below(random, limit) == static_cast<Index>((upper * limit) >> 32));
    }
}

TEST(the_same_seed_gives_the_same_rounds) {
    for (const auto resample : {bootstrap, randomization}) {
        const Rounds first = resample(weak, strong, 50, 7);
        CHECK(first.one.size() == 50 && first.other.size() == 50);
        CHECK(first.one == resample(weak, strong, 50, 7).one);
        CHECK(first.one != resample(weak, strong, 50, 8).one);
    }
}

TEST(swapped_parsers_swap_their_scores) {
    for (const auto resample : {bootstrap, randomization}) {
        const Rounds rounds = resample(weak, strong, 50, 7);
        const Rounds swapped = resample(strong, weak, 50, 7);
        CHECK(rounds.one == swapped.other && rounds.other == swapped.one);
    }
}

TEST(all_exchanges_are_equally_likely) {
    std::map<std::pair<double, double>, int> expected;
    for (unsigned exchanges = 0; exchanges < 32; ++exchanges) {
        Tally sums[2];
        for (unsigned sentence = 0; sentence < 5; ++sentence) {
            const unsigned place = exchanges >> sentence & 1;
            sums[place].brackets += weak[sentence].brackets;
            sums[place].matched += weak[sentence].matched;
            sums[1 - place].brackets += strong[sentence].brackets;
            sums[1 - place].matched += strong[sentence].matched;
        }
        ++expected[{f1(sums[0]), f1(sums[1])}];
    }
    const Rounds rounds = randomization(weak, strong, 32'000, 3);
    std::map<std::pair<double, double>, int> seen;
    for (Index round = 0; round < rounds.one.size(); ++round)
        ++seen[{rounds.one[round], rounds.other[round]}];
    CHECK(seen.size() == expected.size());
    for (const auto& [scores, count] : expected)
        CHECK(std::abs(seen[scores] - 1'000 * count) < 250);
}

TEST(every_sentence_has_a_bit_of_its_own) {
    // More sentences than bits in a number: only the last one differs, and moves half of the time.
    std::vector<Tally> one(130, {2, 1});
    std::vector<Tally> other = one;
    other.back() = {2, 0};
    const Rounds rounds = randomization(one, other, 1'000, 11);
    const auto moved = std::ranges::count_if(rounds.one, [](double score) { return score < 1.0; });
    CHECK(moved > 400 && moved < 600);
}

TEST(no_sentences_and_no_rounds) {
    for (const auto resample : {bootstrap, randomization}) {
        CHECK(resample({}, {}, 2, 0).one == std::vector<double>{1.0, 1.0});
        CHECK(resample(weak, strong, 0, 0).one.empty());
    }
}

TEST(what_cannot_be_is_refused) {
    using Error = std::invalid_argument;
    for (const auto resample : {bootstrap, randomization}) {
        CHECK(check::throws<Error>([&] { (void)resample(weak, {}, 1, 0); }, "5 and 0 sentences"));
        CHECK(
            check::throws<Error>([&] { (void)resample({{3, 2}}, {{3, 1}}, 1, 0); }, "sentence 0"));
        CHECK(check::throws<Error>([&] { (void)resample({{3, 1}}, {{3, 2}}, 1, 0); }, "2 matches"));
    }
}

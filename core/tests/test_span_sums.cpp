// Sums over trees as ordinary numbers agree with those as logarithms, which the Python tests
// compare with all trees.
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "random_spans.hpp"
#include "spans/cubic_sums.hpp"
#include "spans/gapped_sums.hpp"
#include "spans/marginals.hpp"
#include "spans/sum_kernels.hpp"

using namespace crossbranch::spans;

namespace {

bool are_close(const std::vector<double>& one, const std::vector<double>& other) {
    return std::ranges::equal(
        one, other, [](double left, double right) { return std::abs(left - right) < 1e-9; });
}

bool are_close(const Marginals& one, const Marginals& other) {
    return std::abs(one.log_partition - other.log_partition) <
               1e-9 * (1 + std::abs(one.log_partition)) &&
           are_close(one.continuous, other.continuous) && are_close(one.outer, other.outer) &&
           are_close(one.gap, other.gap) && are_close(one.probabilities, other.probabilities);
}

}  // namespace

TEST(exponentials_are_precise) {
    std::vector<float> scores;
    for (float score = -700; score < 700; score += 0.37F)
        scores.push_back(score);
    std::vector<double> found(scores.size());
    exponentials(scores.data(), found.data(), static_cast<std::ptrdiff_t>(scores.size()));
    for (std::size_t x = 0; x < scores.size(); ++x)
        CHECK(std::abs(found[x] / std::exp(static_cast<double>(scores[x])) - 1) < 1e-14);
    const float extreme[] = {impossible<float>, -1e9F, 0, 1e9F};
    exponentials(extreme, found.data(), 4);
    CHECK(found[0] == 0);
    CHECK(found[1] == 0);
    CHECK(found[2] == 1);
    CHECK(found[3] > 1e300);
}

TEST(ordinary_numbers_agree_with_logarithms) {
    for (const Place count : {1, 2, 3, 9, 14, 30})
        for (const float factor : {0.0F, 1.0F, 8.0F}) {
            const RandomScores given(count, static_cast<unsigned>(count), count % 2 == 0, factor);
            const auto ask = [&](const Marginals&) {
                return best_tree(given.scores, {Rules::cubic}).constituents;
            };
            Marginals found(given.scores);
            CHECK(CubicSums().find_marginals(given.scores, ask, found));
            CHECK(are_close(found,
                            find_marginals_by_logarithms(given.scores, {Rules::quartic}, ask)));
        }
}

TEST(ordinary_numbers_agree_with_logarithms_in_all_spaces) {
    for (const SearchSpace& space : spaces)
        for (const Place count : {1, 2, 3, 7, 11})
            for (const float factor : {0.0F, 1.0F, 8.0F}) {
                if (space.rules == Rules::cubic)
                    continue;
                const RandomScores given(count, static_cast<unsigned>(count), count % 2 == 0,
                                         factor);
                const auto ask = [&](const Marginals&) {
                    return best_tree(given.scores, space).constituents;
                };
                Marginals found(given.scores);
                CHECK(GappedSums().find_marginals(given.scores, space, ask, found));
                CHECK(are_close(found, find_marginals_by_logarithms(given.scores, space, ask)));
                CHECK(found.probabilities.size() == found.asked.size());
            }
}

TEST(large_scores_need_logarithms) {
    for (const float factor : {200.0F, 3000.0F}) {
        const RandomScores given(8, 4, true, factor);
        CHECK(!CubicSums().log_partition(given.scores));
        CHECK(!GappedSums().log_partition(given.scores, {Rules::quintic}));
        const SpanTree tree = best_tree(given.scores, {Rules::cubic});
        const auto ask = [&](const Marginals&) { return tree.constituents; };
        const Marginals found = find_marginals(given.scores, {Rules::cubic}, ask);
        CHECK(are_close(found, find_marginals_by_logarithms(given.scores, {Rules::quartic}, ask)));
        CHECK(found.log_partition >= static_cast<double>(tree.score) - 1e-6);
        CHECK(log_partition(given.scores, {Rules::cubic}) == found.log_partition);
    }
}

TEST(long_sentences_stay_in_range) {
    for (const float factor : {0.0F, 4.0F}) {
        const RandomScores given(120, 6, false, factor);
        CHECK(CubicSums().log_partition(given.scores).has_value());
    }
}

// The Python tests compare costs, pruned search and minimum risk with all trees; here they run
// under sanitizers.
#include <algorithm>
#include <stdexcept>

#include "check.hpp"
#include "random_spans.hpp"
#include "spans/costs.hpp"
#include "spans/marginals.hpp"
#include "spans/minimum_risk.hpp"
#include "spans/pruned_search.hpp"

using namespace crossbranch::spans;

namespace {

SpanScores with_own_scores(const RandomScores& given, std::vector<OwnScore> own) {
    return {given.scores.token_count(), given.continuous,     given.outer, given.gap,
            continuous_labels,          discontinuous_labels, {},          std::move(own)};
}

}  // namespace

TEST(own_scores_replace_sums) {
    const RandomScores given(7, 2, false);
    const SpanScores scores =
        with_own_scores(given, {{1, 2, 3, 4, 6, 50}, {0, 0, 2, 3, 7, 40}, {0, 0, 2, 4, 7, -3}});
    CHECK(scores.discontinuous(1, 2, 3, 4, 6) == 50);
    CHECK(scores.discontinuous(0, 0, 2, 4, 7) == -3);
    CHECK(scores.discontinuous(1, 0, 2, 4, 7) == given.scores.discontinuous(1, 0, 2, 4, 7));
    CHECK(scores.own_scores(0, 7).size() == 2);
    const Constituent best{{2, 3, 4, 6}, 1}, second{{0, 2, 3, 7}, 0};
    for (const SearchSpace& space : spaces) {
        if (space.rules == Rules::continuous)
            continue;
        const SpanTree tree = best_tree(scores, space);
        CHECK(std::ranges::count(tree.constituents, best) == 1);  // the two cross each other
        CHECK(std::ranges::count(tree.constituents, second) == 0);
        const Marginals found = find_marginals(scores, space, std::vector{best, second});
        CHECK(found.probabilities[0] > 0.99);
        CHECK(found.probabilities[1] < 0.01);
    }
    CHECK(check::throws<std::invalid_argument>(
        [&] { (void)with_own_scores(given, {{0, 0, 1, 2, 3, 1}, {0, 0, 1, 2, 3, 2}}); },
        "two scores of its own"));
}

TEST(costs_are_part_of_the_score) {
    for (Place count = 1; count <= 10; ++count) {
        const RandomScores given(count, static_cast<unsigned>(count), true);
        for (const SearchSpace& space : spaces) {
            const SpanTree best = best_tree(given.scores, space);
            const SpanTree same = best_tree_with_cost(given.scores, space, best.constituents, 0);
            CHECK(same.score == best.score);
            const SpanTree dear = best_tree_with_cost(given.scores, space, best.constituents, 2);
            float costs = 0;
            for (const Constituent& one : dear.constituents)
                costs += std::ranges::count(best.constituents, one) == 0 ? 2.0F : 0.0F;
            CHECK(dear.score == score_of(given.scores, dear) + costs);
            CHECK(dear.score >= best.score);
        }
    }
}

// Fewer discontinuous spans with positive scores, so that pruned trees are often known to be best.
TEST(bounds_hold_for_sparse_scores) {
    int cut = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        RandomScores given(static_cast<Place>(5 + seed % 7), seed, seed % 2 == 0);
        for (float& one : given.outer)
            one -= static_cast<float>(seed % 3);
        for (float& one : given.gap)
            one -= static_cast<float>(seed % 2);
        const SpanScores scores(given.scores.token_count(), given.continuous, given.outer,
                                given.gap, continuous_labels, discontinuous_labels);
        for (const bool ill_nested : {false, true}) {
            const float exact = best_tree(scores, {Rules::quintic, ill_nested}).score;
            for (const std::size_t limit : {2U, 8U, 40U}) {
                const PrunedTree found = best_pruned_tree(scores, ill_nested, limit);
                CHECK(found.tree.score <= exact);
                CHECK(found.bound >= exact);
                cut += found.is_best() ? 0 : 1;
            }
        }
    }
    CHECK(cut > 30);
    CHECK(cut < 330);
}

TEST(pruned_trees_have_bounds) {
    for (const Place count : {1, 3, 8, 13})
        for (const bool ill_nested : {false, true})
            for (const std::size_t limit : {0U, 1U, 9U, 50U, 5000U}) {
                const RandomScores given(count, static_cast<unsigned>(count), true);
                const PrunedTree found = best_pruned_tree(given.scores, ill_nested, limit);
                const float exact = best_tree(given.scores, {Rules::quintic, ill_nested}).score;
                CHECK(found.tree.score == score_of(given.scores, found.tree));
                CHECK(found.tree.score <= exact);
                CHECK(found.bound >= exact);
                CHECK(!found.is_best() || found.tree.score == exact);
                CHECK(found.is_best() || limit < 5000);
            }
}

TEST(the_tree_of_least_risk_is_not_worse_than_the_best_one) {
    for (const Place count : {1, 2, 5, 9}) {
        const RandomScores given(count, static_cast<unsigned>(count), count % 2 == 0);
        for (const SearchSpace& space : spaces) {
            const SpanTree best = best_tree(given.scores, space);
            const Marginals known = find_marginals(given.scores, space, best.constituents);
            double right = 0, expected = 0;
            for (const double one : known.probabilities)
                right += one;
            for (const double one : known.continuous)
                expected += one;
            for (const double one : known.outer)
                expected += one;
            const double f1 =
                2 * right / (static_cast<double>(best.constituents.size()) + expected);
            const RiskTree found = find_minimum_risk(given.scores, space);
            CHECK(found.expected_f1 >= f1 - 1e-6);
            CHECK(found.expected_f1 <= 1);
            CHECK(found.probabilities.size() == found.constituents.size());
        }
    }
}

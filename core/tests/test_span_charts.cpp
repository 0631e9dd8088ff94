// The Python tests compare charts with all trees; here they run under sanitizers.
#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "check.hpp"
#include "random_spans.hpp"
#include "spans/best_tree.hpp"
#include "spans/k_best.hpp"
#include "spans/marginals.hpp"

using namespace crossbranch::spans;

TEST(trees_have_the_scores_of_their_constituents) {
    for (Place count = 1; count <= 12; ++count)
        for (const bool with_root : {false, true}) {
            const RandomScores given(count, static_cast<unsigned>(count), with_root);
            for (const SearchSpace& space : spaces) {
                const SpanTree tree = best_tree(given.scores, space);
                CHECK(tree.score == score_of(given.scores, tree));
                if (with_root) {
                    CHECK(tree.constituents[0].item == Item::whole(0, count));
                    CHECK(tree.constituents[0].label == 1);
                }
            }
        }
}

TEST(the_cubic_chart_is_the_quartic_one) {
    const RandomScores given(14, 7, true);
    const SpanTree cubic = best_tree(given.scores, {Rules::cubic});
    CHECK(cubic.score == best_tree(given.scores, {Rules::quartic}).score);
    CHECK(std::abs(log_partition(given.scores, {Rules::cubic}) -
                   log_partition(given.scores, {Rules::quartic})) < 1e-9);
}

TEST(the_first_of_several_trees_is_the_best) {
    const RandomScores given(8, 5, true);
    for (const SearchSpace& space : spaces) {
        const std::vector<SpanTree> found = best_trees(given.scores, space, 12);
        CHECK(found.size() == 12);
        CHECK(found[0].score == best_tree(given.scores, space).score);
        for (const SpanTree& tree : found)
            CHECK(tree.score == score_of(given.scores, tree));
        CHECK(std::ranges::is_sorted(found, std::ranges::greater{}, &SpanTree::score));
    }
    const RandomScores short_one(1, 5, false);
    CHECK(best_trees(short_one.scores, {Rules::cubic}, 9).size() == 4);  // three labels, or none
}

TEST(the_root_is_certain) {
    const RandomScores given(9, 3, true);
    for (const SearchSpace& space : spaces) {
        const SpanTree tree = best_tree(given.scores, space);
        const Marginals found = find_marginals(given.scores, space, tree.constituents);
        CHECK(std::abs(found.log_partition - log_partition(given.scores, space)) < 1e-9);
        CHECK(found.log_partition >= static_cast<double>(tree.score));
        double root = 0;
        for (Label label = 0; label < given.scores.continuous_labels(); ++label)
            root += found.continuous[given.scores.continuous_index(label, 0, 9)];
        CHECK(std::abs(root - 1) < 1e-9);
        CHECK(std::ranges::all_of(found.probabilities,
                                  [](double one) { return one > 0 && one < 1 + 1e-9; }));
    }
}

TEST(scores_must_fit) {
    const std::vector<float> few(3);
    CHECK(check::throws<std::invalid_argument>([&] { SpanScores(2, few, few, few, 1, 1); },
                                               "do not fit"));
}

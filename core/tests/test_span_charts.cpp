// The Python tests compare charts with all trees; here they run under sanitizers.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>

#include "check.hpp"
#include "spans/best_tree.hpp"
#include "spans/k_best.hpp"
#include "spans/marginals.hpp"

using namespace crossbranch::spans;

namespace {

constexpr std::size_t continuous_labels = 3, discontinuous_labels = 2;
constexpr SearchSpace spaces[] = {{Rules::continuous, false}, {Rules::cubic, false},
                                  {Rules::quartic, false},    {Rules::quintic, false},
                                  {Rules::quintic, true},     {Rules::sextic, false},
                                  {Rules::sextic, true}};

struct RandomScores {
    std::vector<float> continuous, outer, gap;
    SpanScores scores;

    RandomScores(Place count, unsigned seed, bool with_root)
        : continuous(draw(count, continuous_labels, seed)),
          outer(draw(count, discontinuous_labels, seed + 1)),
          gap(draw(count, discontinuous_labels, seed + 2)),
          scores(count, continuous, outer, gap, continuous_labels, discontinuous_labels,
                 with_root ? std::vector<bool>{false, true, false} : std::vector<bool>{}) {}

    static std::vector<float> draw(Place count, std::size_t labels, unsigned seed) {
        std::mt19937 random(seed);
        std::uniform_int_distribution<int> number(-20, 12);
        std::vector<float> found(static_cast<std::size_t>(count * count) * labels);
        for (float& one : found)
            one = static_cast<float>(number(random)) / 8;
        return found;
    }
};

float score_of(const SpanScores& scores, const SpanTree& tree) {
    float found = 0;
    for (const auto& [item, label] : tree.constituents)
        found += item.has_gap()
                     ? scores.outer(item.i, item.j)[label] + scores.gap(item.k, item.l)[label]
                     : scores.continuous(label, item.i, item.j);
    return found;
}

}  // namespace

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

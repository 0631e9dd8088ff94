// Random scores of spans, for tests of charts.
#pragma once

#include <random>
#include <vector>

#include "spans/best_tree.hpp"

namespace crossbranch::spans {

inline constexpr std::size_t continuous_labels = 3, discontinuous_labels = 2;
inline constexpr SearchSpace spaces[] = {{Rules::continuous, false}, {Rules::cubic, false},
                                         {Rules::quartic, false},    {Rules::quintic, false},
                                         {Rules::quintic, true},     {Rules::sextic, false},
                                         {Rules::sextic, true}};

struct RandomScores {
    std::vector<float> continuous, outer, gap;
    SpanScores scores;

    RandomScores(Place count, unsigned seed, bool with_root, float factor = 1)
        : continuous(draw(count, continuous_labels, seed, factor)),
          outer(draw(count, discontinuous_labels, seed + 1, factor)),
          gap(draw(count, discontinuous_labels, seed + 2, factor)),
          scores(count, continuous, outer, gap, continuous_labels, discontinuous_labels,
                 with_root ? std::vector<bool>{false, true, false} : std::vector<bool>{}) {}

    static std::vector<float> draw(Place count, std::size_t labels, unsigned seed, float factor) {
        std::mt19937 random(seed);
        std::uniform_int_distribution<int> number(-20, 12);
        std::vector<float> found(static_cast<std::size_t>(count * count) * labels);
        for (float& one : found)
            one = factor * static_cast<float>(number(random)) / 8;
        return found;
    }
};

inline float score_of(const SpanScores& scores, const SpanTree& tree) {
    float found = 0;
    for (const auto& [item, label] : tree.constituents)
        found += item.has_gap()
                     ? scores.outer(item.i, item.j)[label] + scores.gap(item.k, item.l)[label]
                     : scores.continuous(label, item.i, item.j);
    return found;
}

}  // namespace crossbranch::spans

#include "spans/costs.hpp"

#include <algorithm>

namespace crossbranch::spans {

namespace {

std::vector<float> raised(std::span<const float> scores, float cost) {
    std::vector<float> found(scores.size());
    std::ranges::transform(scores, found.begin(), [cost](float score) { return score + cost; });
    return found;
}

}  // namespace

SpanTree best_tree_with_cost(const SpanScores& scores, SearchSpace space,
                             std::span<const Constituent> gold, float cost, float gold_cost) {
    check(scores, gold);
    std::vector<float> continuous = raised(scores.all_continuous(), cost);
    const std::vector<float> outer = raised(scores.all_outer(), cost);
    std::vector<OwnScore> own;
    const auto is_known = [&own](const OwnScore& wanted) {
        return std::ranges::find(own, wanted.places(), &OwnScore::places) != own.end();
    };
    for (const auto& [item, label] : gold) {
        const auto [i, k, l, j] = item;
        if (!item.has_gap())
            continuous[scores.continuous_index(label, i, j)] =
                scores.continuous(label, i, j) + gold_cost;
        else if (OwnScore one{label, i, k, l, j,
                              scores.discontinuous(label, i, k, l, j) + gold_cost};
                 !is_known(one))
            own.push_back(one);
    }
    for (OwnScore one : scores.own_scores())
        if (!is_known(one)) {
            one.score += cost;
            own.push_back(one);
        }
    return best_tree(
        SpanScores(scores.token_count(), continuous, outer, scores.all_gaps(),
                   static_cast<std::size_t>(scores.continuous_labels()),
                   static_cast<std::size_t>(scores.discontinuous_labels()), scores.is_root(), own),
        space);
}

}  // namespace crossbranch::spans

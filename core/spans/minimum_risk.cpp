#include "spans/minimum_risk.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "spans/probable.hpp"
#include "spans/pruned_search.hpp"
#include "spans/semirings.hpp"

namespace crossbranch::spans {

namespace {

constexpr double least_probability = 1e-3;  // of discontinuous constituents that are considered

class Risk {
  public:
    Risk(const SpanScores& scores, SearchSpace space)
        : scores_(scores),
          space_(space),
          marginals_(find_marginals_above(scores, space, least_probability)),
          outer_(scores.all_outer().size(), impossible<float>),
          gap_(scores.all_gaps().size(), 0) {
        expected_ = sum_of(marginals_.continuous) + sum_of(marginals_.outer);
    }

    // The highest ratio: with the tree that is best if each constituent costs half of the ratio so
    // far, the ratio grows until it is the highest (Dinkelbach 1967).
    RiskTree find() const {
        RiskTree best = best_tree_at(0.25);
        while (true) {
            RiskTree next = best_tree_at(best.expected_f1 / 2);
            if (next.expected_f1 <= best.expected_f1)
                return best;
            best = std::move(next);
        }
    }

  private:
    static double sum_of(const std::vector<double>& numbers) {
        return std::accumulate(numbers.begin(), numbers.end(), 0.0);
    }

    [[nodiscard]] RiskTree best_tree_at(double cost) const {
        std::vector<float> continuous;
        for (const double probability : marginals_.continuous)
            continuous.push_back(static_cast<float>(probability - cost));
        std::vector<OwnScore> own;
        for (std::size_t at = 0; at < marginals_.asked.size(); ++at) {
            const auto& [item, label] = marginals_.asked[at];
            const double gain = marginals_.probabilities[at] - cost;
            if (gain > 0)
                own.push_back({label, item.i, item.k, item.l, item.j, static_cast<float>(gain)});
        }
        return with_probabilities(search(SpanScores(
            scores_.token_count(), continuous, outer_, gap_,
            static_cast<std::size_t>(scores_.continuous_labels()),
            static_cast<std::size_t>(scores_.discontinuous_labels()), scores_.is_root(), own)));
    }

    // Few discontinuous constituents are probable.
    [[nodiscard]] SpanTree search(const SpanScores& gains) const {
        constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max() / 32;
        if (space_.rules == Rules::quintic)
            return best_pruned_tree(gains, space_.ill_nested, no_limit).tree;
        return best_tree(gains, space_.rules == Rules::quartic ? SearchSpace{} : space_);
    }

    [[nodiscard]] RiskTree with_probabilities(const SpanTree& tree) const {
        RiskTree found{0, tree.constituents, {}};
        for (const Constituent& one : tree.constituents)
            found.probabilities.push_back(probability(one));
        const double all = static_cast<double>(tree.constituents.size()) + expected_;
        found.expected_f1 = all > 0 ? 2 * sum_of(found.probabilities) / all : 1;
        return found;
    }

    [[nodiscard]] double probability(const Constituent& constituent) const {
        const auto& [item, label] = constituent;
        if (!item.has_gap())
            return marginals_.continuous[scores_.continuous_index(label, item.i, item.j)];
        const auto found = std::ranges::find(marginals_.asked, constituent);
        return marginals_.probabilities[static_cast<std::size_t>(found - marginals_.asked.begin())];
    }

    const SpanScores& scores_;
    SearchSpace space_;
    Marginals marginals_;
    double expected_ = 0;  // number of constituents of the right tree
    std::vector<float> outer_, gap_;
};

}  // namespace

RiskTree find_minimum_risk(const SpanScores& scores, SearchSpace space) {
    return Risk(scores, space).find();
}

}  // namespace crossbranch::spans

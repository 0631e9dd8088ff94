#include "spans/probable.hpp"

#include <algorithm>

namespace crossbranch::spans {

namespace {

struct Borders {
    Place begin, end;
};

std::vector<Borders> borders_above(const SpanScores& scores,
                                   const std::vector<double>& probabilities, Label label,
                                   double limit) {
    std::vector<Borders> found;
    for (Place begin = 0; begin < scores.token_count(); ++begin)
        for (Place end = begin + 1; end <= scores.token_count(); ++end)
            if (probabilities[scores.outer_index(label, begin, end)] > limit)
                found.push_back({begin, end});
    return found;
}

std::vector<Constituent> gapped_above(const SpanScores& scores, const Marginals& known,
                                      double limit) {
    std::vector<Constituent> found;
    for (Label label = 0; label < scores.discontinuous_labels(); ++label) {
        const std::vector<Borders> gaps = borders_above(scores, known.gap, label, limit);
        for (const auto& [i, j] : borders_above(scores, known.outer, label, limit))
            for (const auto& [k, l] : gaps)
                if (i < k && l < j)
                    found.push_back({{i, k, l, j}, label});
    }
    return found;
}

}  // namespace

Marginals find_marginals_above(const SpanScores& scores, SearchSpace space, double limit) {
    return find_marginals(scores, space, [&](const Marginals& derivatives) {
        return gapped_above(scores, derivatives, limit);
    });
}

std::vector<ProbableConstituent> find_probable(const SpanScores& scores, SearchSpace space,
                                               double limit) {
    const Marginals known = find_marginals_above(scores, space, limit);
    std::vector<ProbableConstituent> found;
    for (Place i = 0; i < scores.token_count(); ++i)
        for (Place j = i + 1; j <= scores.token_count(); ++j)
            for (Label label = 0; label < scores.continuous_labels(); ++label)
                if (const double one = known.continuous[scores.continuous_index(label, i, j)];
                    one > limit)
                    found.push_back({{Item::whole(i, j), label}, one});
    for (std::size_t at = 0; at < known.asked.size(); ++at)
        if (known.probabilities[at] > limit)
            found.push_back({known.asked[at], known.probabilities[at]});
    std::ranges::stable_sort(found, std::ranges::greater{}, &ProbableConstituent::probability);
    return found;
}

}  // namespace crossbranch::spans

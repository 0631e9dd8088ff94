#include "spans/cubic_marginals.hpp"

#include <cmath>

#include "spans/chart.hpp"

namespace crossbranch::spans {

namespace {

class CubicOutside {
  public:
    explicit CubicOutside(const SpanScores& scores)
        : scores_(scores),
          chart_(scores),
          width_(scores.token_count() + 1),
          whole_(static_cast<std::size_t>(width_ * width_)),
          halves_(whole_.size() * static_cast<std::size_t>(scores.discontinuous_labels())),
          found_(scores) {
        const Place count = scores.token_count();
        found_.log_partition = chart_.goal();
        weight(0, count) = 1;
        for (Place width = count; width > 0; --width)
            for (Place i = 0, j = width; j <= count; ++i, ++j) {
                pass_on_halves(i, j);
                pass_on_whole(i, j);
            }
    }

    Marginals take(std::span<const Constituent> asked) {
        for (const auto& [item, label] : asked)
            found_.probabilities.push_back(probability(item, label));
        return std::move(found_);
    }

  private:
    [[nodiscard]] double at(Place i, Place j) const { return chart_.continuous().at(i, j); }
    [[nodiscard]] double& weight(Place i, Place j) {
        return whole_[static_cast<std::size_t>(i * width_ + j)];
    }
    [[nodiscard]] double* half_weights(Place i, Place l) {
        return halves_.data() + (i * width_ + l) * scores_.discontinuous_labels();
    }
    // What the parts of a continuous item add up to.
    [[nodiscard]] double inside(Place i, Place j) const {
        return at(i, j) - label_score<LogSum>(scores_, i, j);
    }

    // Rule (n) in reverse.
    void pass_on_halves(Place i, Place l) {
        const double* const weights = half_weights(i, l);
        const double* const halves = chart_.halves(i, l);
        for (Place k = i + 1; k < l; ++k)
            for (Label label = 0; label < scores_.discontinuous_labels(); ++label) {
                if (weights[label] == 0)
                    continue;
                const double gap = static_cast<double>(scores_.gap(k, l)[label]);
                const double share =
                    weights[label] * std::exp(at(i, k) + at(k, l) + gap - halves[label]);
                weight(i, k) += share;
                weight(k, l) += share;
                found_.gap[scores_.outer_index(label, k, l)] += share;
            }
    }

    // Rules (a) and (o) in reverse.
    void pass_on_whole(Place i, Place j) {
        const double mine = weight(i, j);
        const double labels = label_score<LogSum>(scores_, i, j);
        for (Label label = 0; label < scores_.continuous_labels(); ++label)
            if (scores_.is_possible(label, i, j))
                found_.continuous[scores_.continuous_index(label, i, j)] +=
                    mine * std::exp(static_cast<double>(scores_.continuous(label, i, j)) - labels);
        const double all = at(i, j) - labels;
        for (Place m = i + 1; m < j; ++m) {
            const double share = mine * std::exp(at(i, m) + at(m, j) - all);
            weight(i, m) += share;
            weight(m, j) += share;
        }
        const float* const outer = scores_.outer(i, j);
        for (Place l = i + 2; l < j; ++l)
            for (Label label = 0; label < scores_.discontinuous_labels(); ++label) {
                const double share =
                    mine * std::exp(chart_.halves(i, l)[label] + static_cast<double>(outer[label]) +
                                    at(l, j) - all);
                half_weights(i, l)[label] += share;
                weight(l, j) += share;
                found_.outer[scores_.outer_index(label, i, j)] += share;
            }
    }

    [[nodiscard]] double probability(const Item& item, Label label) {
        const auto [i, k, l, j] = item;
        if (!item.has_gap())
            return found_.continuous[scores_.continuous_index(label, i, j)];
        const double score = static_cast<double>(scores_.outer(i, j)[label]) +
                             static_cast<double>(scores_.gap(k, l)[label]);
        return weight(i, j) * std::exp(at(i, k) + at(k, l) + at(l, j) + score - inside(i, j));
    }

    const SpanScores& scores_;
    CubicChart<LogSum> chart_;
    Place width_;
    std::vector<double> whole_, halves_;
    Marginals found_;
};

}  // namespace

Marginals find_cubic_marginals(const SpanScores& scores, std::span<const Constituent> asked) {
    return CubicOutside(scores).take(asked);
}

}  // namespace crossbranch::spans

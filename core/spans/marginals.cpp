#include "spans/marginals.hpp"

#include <cmath>
#include <optional>

#include "spans/chart.hpp"
#include "spans/cubic_sums.hpp"
#include "spans/gapped_sums.hpp"

namespace crossbranch::spans {

namespace {

constexpr double negligible = 1e-15;  // what is less probable is not followed

// The cubic chart has no discontinuous items: the quartic one stands in for it.
SearchSpace with_gapped_items(SearchSpace space) {
    return {space.rules == Rules::cubic ? Rules::quartic : space.rules, space.ill_nested};
}

// The rules in reverse: how probable each item is follows from the items that it is part of.
class Outside {
  public:
    Outside(const SpanScores& scores, SearchSpace space)
        : scores_(scores),
          chart_(scores, space),
          whole_(static_cast<std::size_t>((scores.token_count() + 1) * (scores.token_count() + 1))),
          found_(scores) {
        const Place count = scores.token_count();
        gapped_.resize(space.has_gaps() ? count : 0, false);
        found_.log_partition = chart_.goal();
        weight(Item::whole(0, count)) = 1;
        for (Place width = count; width > 0; --width)
            for (Place i = 0, j = width; j <= count; ++i, ++j) {
                pass_on(Item::whole(i, j));
                for (Place k = j - 2; space.has_gaps() && k > i; --k)
                    for (Place l = k + 1; l < j; ++l)
                        pass_on({i, k, l, j});
            }
    }

    Marginals take(const Ask& ask) {
        found_.asked = ask(found_);
        for (const auto& [item, label] : found_.asked)
            found_.probabilities.push_back(weight(item) * std::exp(of_label(item, label)));
        return std::move(found_);
    }

  private:
    [[nodiscard]] double& weight(const Item& item) {
        if (item.has_gap())
            return gapped_.row(item.i, item.k, item.j)[item.l];
        return whole_[static_cast<std::size_t>(item.i * (scores_.token_count() + 1) + item.j)];
    }

    [[nodiscard]] double score(const Item& item) const {
        return item.has_gap() ? chart_.gapped().at(item.i, item.k, item.l, item.j)
                              : chart_.continuous().at(item.i, item.j);
    }

    // The sum over all labels of an item, and none.
    [[nodiscard]] double label_sum(const Item& item) const {
        if (!item.has_gap())
            return whole_label_score<LogSum>(scores_, item.i, item.j);
        double found = chart_.space().nests_gaps() ? 0 : impossible<double>;
        for (Label label = 0; label < scores_.discontinuous_labels(); ++label)
            found = LogSum::add(found, scored(item, label));
        return found;
    }

    [[nodiscard]] double scored(const Item& item, Label label) const {
        if (item.has_gap())
            return static_cast<double>(
                scores_.discontinuous(label, item.i, item.k, item.l, item.j));
        return scores_.is_possible(label, item.i, item.j)
                   ? static_cast<double>(scores_.continuous(label, item.i, item.j))
                   : impossible<double>;
    }

    // The logarithm of the share of a label.
    [[nodiscard]] double of_label(const Item& item, Label label) const {
        return scored(item, label) - label_sum(item);
    }

    void pass_on(const Item& item) {
        const double mine = weight(item);
        if (mine < negligible)
            return;
        const double labels = label_sum(item);
        add_labels(item, mine, labels);
        if (item.size() == 1)
            return;
        const double inside = score(item) - labels;
        each_pair(item, chart_.space(), [&](const Item& left, const Item& right) {
            const double share = mine * std::exp(score(left) + score(right) - inside);
            weight(left) += share;
            weight(right) += share;
        });
    }

    void add_labels(const Item& item, double mine, double labels) {
        const Label count =
            item.has_gap() ? scores_.discontinuous_labels() : scores_.continuous_labels();
        for (Label label = 0; label < count; ++label) {
            const double share = mine * std::exp(scored(item, label) - labels);
            if (item.has_gap()) {
                found_.outer[scores_.outer_index(label, item.i, item.j)] += share;
                found_.gap[scores_.outer_index(label, item.k, item.l)] += share;
            } else {
                found_.continuous[scores_.continuous_index(label, item.i, item.j)] += share;
            }
        }
    }

    const SpanScores& scores_;
    Chart<LogSum> chart_;
    std::vector<double> whole_;
    GappedTable<double> gapped_;
    Marginals found_;
};

}  // namespace

Marginals::Marginals(const SpanScores& scores)
    : continuous(scores.all_continuous().size()),
      outer(scores.all_outer().size()),
      gap(scores.all_gaps().size()) {}

namespace {

// The cubic and the quartic space have the same trees.
bool is_cubic(SearchSpace space) {
    return space.rules == Rules::cubic || space.rules == Rules::quartic;
}

CubicSums& cubic_sums() {
    thread_local CubicSums sums;  // keeps its memory
    return sums;
}

// Sums of ordinary numbers know nothing of own scores.
std::optional<double> quick_log_partition(const SpanScores& scores, SearchSpace space) {
    if (!scores.own_scores().empty())
        return std::nullopt;
    return is_cubic(space) ? cubic_sums().log_partition(scores)
                           : GappedSums().log_partition(scores, space);
}

bool find_quickly(const SpanScores& scores, SearchSpace space, const Ask& ask, Marginals& found) {
    if (!scores.own_scores().empty())
        return false;
    return is_cubic(space) ? cubic_sums().find_marginals(scores, ask, found)
                           : GappedSums().find_marginals(scores, space, ask, found);
}

}  // namespace

double log_partition(const SpanScores& scores, SearchSpace space) {
    const std::optional<double> found = quick_log_partition(scores, space);
    return found ? *found : log_partition_by_logarithms(scores, space);
}

double log_partition_by_logarithms(const SpanScores& scores, SearchSpace space) {
    return Chart<LogSum>(scores, with_gapped_items(space)).goal();
}

Marginals find_marginals(const SpanScores& scores, SearchSpace space, const Ask& ask) {
    if (Marginals found(scores); find_quickly(scores, space, ask, found))
        return found;
    return find_marginals_by_logarithms(scores, space, ask);
}

Marginals find_marginals(const SpanScores& scores, SearchSpace space,
                         std::span<const Constituent> asked) {
    return find_marginals(scores, space, [asked](const Marginals&) {
        return std::vector<Constituent>(asked.begin(), asked.end());
    });
}

Marginals find_marginals_by_logarithms(const SpanScores& scores, SearchSpace space,
                                       const Ask& ask) {
    return Outside(scores, with_gapped_items(space)).take(ask);
}

}  // namespace crossbranch::spans

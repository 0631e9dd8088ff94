#include "spans/gapped_sums.hpp"

#include <cmath>

#include "spans/sum_kernels.hpp"

namespace crossbranch::spans {

std::optional<double> GappedSums::log_partition(const SpanScores& scores, SearchSpace space) {
    scores_ = &scores;
    count_ = scores.token_count();
    exponentials_.fill(scores);
    if (!exponentials_.are_moderate())
        return std::nullopt;
    const TokenScales scales = find_scales(exponentials_);
    exponentials_.scale(scales.scales);
    exponentials_.make_rows();
    chart_.fill(exponentials_, space);
    const double found = std::log(chart_.goal()) + scales.sum();
    if (!std::isfinite(found) || found < scales.least - 1e-3)
        return std::nullopt;
    return found;
}

bool GappedSums::find_marginals(const SpanScores& scores, SearchSpace space, const Ask& ask,
                                Marginals& found) {
    const std::optional<double> sum = log_partition(scores, space);
    if (!sum)
        return false;
    found.log_partition = *sum;
    outside_.fill(chart_);
    if (!outside_.is_in_range())
        return false;
    for (Place i = 0; i < count_; ++i)
        for (Place j = i + 1; j <= count_; ++j)
            write(found, i, j);
    found.asked = ask(found);
    for (const Constituent& one : found.asked)
        found.probabilities.push_back(probability(one));
    return true;
}

double GappedSums::label_sum(const Item& item) const {
    if (!item.has_gap())
        return exponentials_.label_sum(item.i, item.j);
    const double labels =
        sum_of_products(exponentials_.outer(item.i, item.j), exponentials_.gap(item.k, item.l),
                        exponentials_.stride());
    return (chart_.space().nests_gaps() ? 1 : 0) + labels;
}

void GappedSums::write(Marginals& found, Place i, Place j) const {
    const double mine =
        outside_.whole(i, j) * inside(Item::whole(i, j)) / exponentials_.label_sum(i, j);
    for (Label label = 0; label < scores_->continuous_labels(); ++label)
        found.continuous[scores_->continuous_index(label, i, j)] =
            mine * exponentials_.continuous(i, j)[label];
    const double* const outer = exponentials_.outer(i, j);
    const double* const gap = exponentials_.gap(i, j);
    const double* const by_outer = outside_.outer(i, j);
    const double* const by_gap = outside_.gap(i, j);
    for (Label label = 0; label < scores_->discontinuous_labels(); ++label) {
        found.outer[scores_->outer_index(label, i, j)] = outer[label] * by_outer[label];
        found.gap[scores_->outer_index(label, i, j)] = gap[label] * by_gap[label];
    }
}

double GappedSums::probability(const Constituent& constituent) const {
    const auto& [item, label] = constituent;
    const double score = item.has_gap() ? exponentials_.outer(item.i, item.j)[label] *
                                              exponentials_.gap(item.k, item.l)[label]
                                        : exponentials_.continuous(item.i, item.j)[label];
    const double labels = label_sum(item);
    const double mine = item.has_gap() ? outside_.gapped(item) : outside_.whole(item.i, item.j);
    return labels > 0 ? mine * inside(item) / labels * score : 0;
}

}  // namespace crossbranch::spans

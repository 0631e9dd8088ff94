#include "spans/span_scores.hpp"

#include <algorithm>
#include <stdexcept>

#include "spans/semirings.hpp"

namespace crossbranch::spans {

SpanScores::SpanScores(Place token_count, std::span<const float> continuous,
                       std::span<const float> outer, std::span<const float> gap,
                       std::size_t continuous_labels, std::size_t discontinuous_labels,
                       std::vector<bool> is_root, std::vector<OwnScore> own_scores)
    : token_count_(token_count),
      continuous_labels_(static_cast<Label>(continuous_labels)),
      discontinuous_labels_(static_cast<Label>(discontinuous_labels)),
      continuous_(continuous),
      outer_(outer),
      gap_(gap),
      is_root_(std::move(is_root)),
      own_scores_(std::move(own_scores)) {
    if (token_count < 1)
        throw std::invalid_argument("a sentence has at least one token");
    const std::size_t cells = size(token_count) * size(token_count);
    if (continuous.size() != cells * continuous_labels ||
        outer.size() != cells * discontinuous_labels || gap.size() != cells * discontinuous_labels)
        throw std::invalid_argument("the scores do not fit the numbers of tokens and labels");
    if (!is_root_.empty() && is_root_.size() != continuous_labels)
        throw std::invalid_argument("it must be said of each continuous label if it is a root");
    const std::size_t row = size(token_count) + 1;
    gaps_from_.resize(row * discontinuous_labels * row + padding);
    gaps_until_.resize(row * row * discontinuous_labels + padding);
    for (Place k = 0; k < token_count; ++k)
        for (Place l = k + 1; l <= token_count; ++l)
            for (std::size_t label = 0; label < discontinuous_labels; ++label) {
                const float score = this->gap(k, l)[label];
                gaps_from_[(size(k) * discontinuous_labels + label) * row + size(l)] = score;
                gaps_until_[(size(l) * row + size(k)) * discontinuous_labels + label] = score;
            }
    make_masks();
    order_own_scores();
}

void SpanScores::order_own_scores() {
    if (own_scores_.empty())
        return;
    std::ranges::sort(own_scores_, {}, &OwnScore::places);
    const auto twice = std::ranges::adjacent_find(own_scores_, {}, &OwnScore::places);
    if (twice != own_scores_.end())
        throw std::invalid_argument("a constituent has two scores of its own");
    own_starts_.resize(size(token_count_) * size(token_count_) + 1);
    for (const OwnScore& one : own_scores_)
        ++own_starts_[cell(one.i, one.j) + 1];
    for (std::size_t at = 1; at < own_starts_.size(); ++at)
        own_starts_[at] += own_starts_[at - 1];
}

float SpanScores::discontinuous(Label label, Place i, Place k, Place l, Place j) const {
    const std::span<const OwnScore> own = own_scores(i, j);
    const OwnScore wanted{label, i, k, l, j, 0};
    const auto found = std::ranges::lower_bound(own, wanted.places(), {}, &OwnScore::places);
    if (found != own.end() && found->places() == wanted.places())
        return found->score;
    return outer(i, j)[label] + gap(k, l)[label];
}

void SpanScores::make_masks() {
    for (Label label = 0; label < continuous_labels_; ++label) {
        const bool is_root = !is_root_.empty() && is_root_[size(label)];
        const auto add = [](auto& mask, bool is_possible) {
            std::get<0>(mask).push_back(is_possible ? 0 : impossible<float>);
            std::get<1>(mask).push_back(is_possible ? 0 : impossible<double>);
        };
        add(inside_mask_, !is_root);
        add(whole_mask_, is_root_.empty() || is_root);
    }
}

bool SpanScores::is_possible(Label label, Place i, Place j) const {
    if (is_root_.empty())
        return true;
    const bool is_whole = i == 0 && j == token_count_;
    return label == no_label ? !is_whole : is_root_[size(label)] == is_whole;
}

}  // namespace crossbranch::spans

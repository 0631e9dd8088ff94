// Scores of labelled spans of a sentence, and what charts need of them.
//
// A continuous constituent [i, j) with label A has the score continuous(A, i, j); a discontinuous
// one with the blocks [i, k) and [l, j) has outer(A, i, j) + gap(A, k, l). Both kinds of
// constituents have labels of their own. An item without a label, which is part of a larger
// constituent, has score 0. A few discontinuous constituents may have scores that are not such
// sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace crossbranch::spans {

using Place = std::int32_t;  // between two tokens: 0 is before the first one
using Label = std::int32_t;
inline constexpr Label no_label = -1;

// The score of one discontinuous constituent, instead of outer + gap.
struct OwnScore {
    Label label;
    Place i, k, l, j;
    float score;

    // The order in which they are kept.
    [[nodiscard]] auto places() const { return std::tuple(i, j, l, label, k); }
};

class SpanScores {
  public:
    // The scores of all labels of spans [i, j) start at (i * token_count + j - 1) * labels. If
    // `is_root` is not empty, the whole sentence has a label with this property, and nothing else
    // has one. Throws std::invalid_argument if there are no tokens, if sizes do not fit, or if two
    // own scores are those of the same constituent.
    SpanScores(Place token_count, std::span<const float> continuous, std::span<const float> outer,
               std::span<const float> gap, std::size_t continuous_labels,
               std::size_t discontinuous_labels, std::vector<bool> is_root = {},
               std::vector<OwnScore> own_scores = {});

    [[nodiscard]] Place token_count() const { return token_count_; }
    [[nodiscard]] Label continuous_labels() const { return continuous_labels_; }
    [[nodiscard]] Label discontinuous_labels() const { return discontinuous_labels_; }

    [[nodiscard]] float continuous(Label label, Place i, Place j) const {
        return continuous_[continuous_index(label, i, j)];
    }
    // All labels of outer borders or of a gap, one after the other.
    [[nodiscard]] const float* outer(Place i, Place j) const {
        return outer_.data() + cell(i, j) * size(discontinuous_labels_);
    }
    [[nodiscard]] const float* gap(Place k, Place l) const {
        return gap_.data() + cell(k, l) * size(discontinuous_labels_);
    }
    // A discontinuous constituent.
    [[nodiscard]] float discontinuous(Label label, Place i, Place k, Place l, Place j) const;
    // The constituents with scores of their own and these outer borders.
    [[nodiscard]] std::span<const OwnScore> own_scores(Place i, Place j) const {
        if (own_scores_.empty())
            return {};
        return {own_scores_.data() + own_starts_[cell(i, j)],
                own_scores_.data() + own_starts_[cell(i, j) + 1]};
    }
    [[nodiscard]] std::span<const OwnScore> own_scores() const { return own_scores_; }
    [[nodiscard]] const std::vector<bool>& is_root() const { return is_root_; }
    // All labels of a continuous span.
    [[nodiscard]] const float* continuous(Place i, Place j) const {
        return continuous_.data() + continuous_index(0, i, j);
    }
    // For each label of a continuous span: 0, or minus infinity if it is not possible.
    template <typename Number>
    [[nodiscard]] const Number* mask(Place i, Place j) const {
        const bool is_whole = i == 0 && j == token_count_;
        return std::get<std::vector<Number>>(is_whole ? whole_mask_ : inside_mask_).data();
    }
    // The scores of all gaps that begin at a place: for each label a row, by the place where they
    // end. A row begins `gap_stride` after the last one.
    [[nodiscard]] const float* gaps_from(Place k) const {
        return gaps_from_.data() + size(k) * size(discontinuous_labels_) * size(gap_stride());
    }
    [[nodiscard]] std::int32_t gap_stride() const { return token_count_ + 1; }
    // All labels of the gaps that end at a place: for each beginning a row, from k on.
    [[nodiscard]] const float* gaps_until(Place l, Place k) const {
        return gaps_until_.data() +
               (size(l) * size(gap_stride()) + size(k)) * size(discontinuous_labels_);
    }

    // The places of scores: of continuous spans, and of outer borders and gaps, which are alike.
    [[nodiscard]] std::size_t continuous_index(Label label, Place i, Place j) const {
        return cell(i, j) * size(continuous_labels_) + size(label);
    }
    [[nodiscard]] std::size_t outer_index(Label label, Place i, Place j) const {
        return cell(i, j) * size(discontinuous_labels_) + size(label);
    }
    [[nodiscard]] std::span<const float> all_continuous() const { return continuous_; }
    [[nodiscard]] std::span<const float> all_outer() const { return outer_; }
    [[nodiscard]] std::span<const float> all_gaps() const { return gap_; }

    // Whether a continuous constituent may have this label, or none.
    [[nodiscard]] bool is_possible(Label label, Place i, Place j) const;

  private:
    void make_masks();
    void order_own_scores();
    [[nodiscard]] static std::size_t size(std::int32_t number) {
        return static_cast<std::size_t>(number);
    }
    [[nodiscard]] std::size_t cell(Place i, Place j) const {
        return size(i) * size(token_count_) + size(j - 1);
    }

    Place token_count_;
    Label continuous_labels_, discontinuous_labels_;
    std::span<const float> continuous_, outer_, gap_;
    std::vector<float> gaps_from_, gaps_until_;
    std::vector<bool> is_root_;
    std::vector<OwnScore> own_scores_;
    std::vector<std::size_t> own_starts_;  // by outer borders
    std::tuple<std::vector<float>, std::vector<double>> inside_mask_, whole_mask_;
};

}  // namespace crossbranch::spans

// Numbers for the items of a chart. Those of neighbouring items lie beside each other, so that
// rules read and write whole rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "spans/semirings.hpp"
#include "spans/span_scores.hpp"

namespace crossbranch::spans {

// Continuous items [i, j), in rows of equal i or of equal j.
template <typename Number>
class ContinuousTable {
  public:
    // Makes room for a sentence. The memory of longer ones is kept.
    void resize(Place token_count) {
        width_ = token_count + 1;
        from_.resize(static_cast<std::size_t>(width_ * width_));
        until_.resize(from_.size());
    }

    [[nodiscard]] Number at(Place i, Place j) const { return from(i)[j]; }
    // The items that begin at i, by their end; those that end at j, by their beginning.
    [[nodiscard]] const Number* from(Place i) const { return from_.data() + i * width_; }
    [[nodiscard]] const Number* until(Place j) const { return until_.data() + j * width_; }

    void set(Place i, Place j, Number score) {
        from_[static_cast<std::size_t>(i * width_ + j)] = score;
        until_[static_cast<std::size_t>(j * width_ + i)] = score;
    }

  private:
    Place width_ = 0;
    std::vector<Number> from_, until_;
};

// Where blocks of items begin that have two places in common.
class BlockStarts {
  public:
    // `length` says how many items a block has.
    template <typename Length>
    std::ptrdiff_t resize(Place token_count, Length length) {
        width_ = token_count + 1;
        starts_.resize(static_cast<std::size_t>(width_ * width_));
        std::ptrdiff_t total = 0;
        for (Place x = 0; x < width_; ++x)
            for (Place y = x + 1; y < width_; ++y) {
                starts_[static_cast<std::size_t>(x * width_ + y)] = total;
                total += length(x, y);
            }
        return total;
    }

    [[nodiscard]] std::ptrdiff_t at(Place x, Place y) const {
        return starts_[static_cast<std::size_t>(x * width_ + y)];
    }

  private:
    Place width_ = 0;
    std::vector<std::ptrdiff_t> starts_;
};

// Discontinuous items with the blocks [i, k) and [l, j), where i < k < l < j.
template <typename Number>
class GappedTable {
  public:
    // Makes room for a sentence. Rows by i and by j are only kept if rules for ill-nested trees
    // need them.
    void resize(Place token_count, bool has_all_rows) {
        count_ = token_count;
        has_all_rows_ = has_all_rows;
        over_l_.resize(static_cast<std::size_t>(
            by_l_.resize(token_count, [](Place i, Place j) { return half_square(j - i - 2); })));
        if (!has_all_rows)
            return;
        over_j_.resize(
            static_cast<std::size_t>(by_j_.resize(token_count, [token_count](Place, Place k) {
                return half_square(token_count - k - 1);
            })));
        over_i_.resize(static_cast<std::size_t>(
            by_i_.resize(token_count, [](Place l, Place) { return half_square(l - 1); })));
    }

    // Makes room for zeros, in rows by l.
    void clear(Place token_count) {
        resize(token_count, false);
        std::ranges::fill(over_l_, Number{});
    }

    // The items (i, k, ·, j), by l. Only l with k < l < j may be used.
    [[nodiscard]] Number* row(Place i, Place k, Place j) { return over_l_.data() + start(i, k, j); }
    [[nodiscard]] const Number* row(Place i, Place k, Place j) const {
        return over_l_.data() + start(i, k, j);
    }
    [[nodiscard]] Number at(Place i, Place k, Place l, Place j) const { return row(i, k, j)[l]; }
    // The items (i, k, l, ·) by j, and (·, k, l, j) by i.
    [[nodiscard]] const Number* row_over_j(Place i, Place k, Place l) const {
        return over_j_.data() + start_over_j(i, k, l);
    }
    [[nodiscard]] const Number* row_over_i(Place k, Place l, Place j) const {
        return over_i_.data() + start_over_i(k, l, j);
    }

    // Copies a finished row to the other rows.
    void spread(Place i, Place k, Place j) {
        if (!has_all_rows_)
            return;
        const Number* found = row(i, k, j);
        for (Place l = k + 1; l < j; ++l) {
            over_j_[static_cast<std::size_t>(start_over_j(i, k, l) + j)] = found[l];
            over_i_[static_cast<std::size_t>(start_over_i(k, l, j) + i)] = found[l];
        }
    }

  private:
    // 1 + 2 + ... + number; 0 if there is none.
    [[nodiscard]] static std::ptrdiff_t half_square(std::ptrdiff_t number) {
        return number > 0 ? number * (number + 1) / 2 : 0;
    }
    // The rows of a block, one after the other, become shorter by one; so do those over j. Starts
    // are such that the place itself is the index.
    [[nodiscard]] std::ptrdiff_t start(Place i, Place k, Place j) const {
        return by_l_.at(i, j) + half_square(j - i - 2) - half_square(j - 1 - k) - (k + 1);
    }
    [[nodiscard]] std::ptrdiff_t start_over_j(Place i, Place k, Place l) const {
        return by_j_.at(i, k) + half_square(count_ - k - 1) - half_square(count_ - l) - (l + 1);
    }
    [[nodiscard]] std::ptrdiff_t start_over_i(Place k, Place l, Place j) const {
        return by_i_.at(l, j) + half_square(k - 1);
    }

    Place count_ = 0;
    bool has_all_rows_ = false;
    BlockStarts by_l_, by_j_, by_i_;
    std::vector<Number> over_l_, over_j_, over_i_;
};

}  // namespace crossbranch::spans

// Numbers for the items of a chart. Those of neighbouring items lie beside each other, so that
// rules read and write whole rows.
#pragma once

#include <cstddef>
#include <vector>

#include "spans/semirings.hpp"
#include "spans/span_scores.hpp"

namespace crossbranch::spans {

// Continuous items [i, j), in rows of equal i or of equal j.
template <typename Number>
class ContinuousTable {
  public:
    explicit ContinuousTable(Place token_count)
        : width_(token_count + 1),
          from_(static_cast<std::size_t>(width_ * width_), impossible<Number>),
          until_(from_) {}

    [[nodiscard]] Number at(Place i, Place j) const { return from(i)[j]; }
    // The items that begin at i, by their end; those that end at j, by their beginning.
    [[nodiscard]] const Number* from(Place i) const { return from_.data() + i * width_; }
    [[nodiscard]] const Number* until(Place j) const { return until_.data() + j * width_; }

    void set(Place i, Place j, Number score) {
        from_[static_cast<std::size_t>(i * width_ + j)] = score;
        until_[static_cast<std::size_t>(j * width_ + i)] = score;
    }

  private:
    Place width_;
    std::vector<Number> from_, until_;
};

// Three places that a row of discontinuous items has in common; the fourth one differs.
class TripleRows {
  public:
    // Rows of triples x < y < z. `length` says how many items a row has.
    template <typename Length>
    TripleRows(Place token_count, Length length)
        : width_(token_count + 1),
          starts_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(width_) *
                  static_cast<std::size_t>(width_)) {
        for (Place x = 0; x < width_; ++x)
            for (Place y = x + 1; y < width_; ++y)
                for (Place z = y + 1; z < width_; ++z) {
                    starts_[index(x, y, z)] = total_;
                    total_ += length(x, y, z);
                }
    }

    [[nodiscard]] std::ptrdiff_t start(Place x, Place y, Place z) const {
        return starts_[index(x, y, z)];
    }
    [[nodiscard]] std::size_t total() const { return static_cast<std::size_t>(total_); }

  private:
    [[nodiscard]] std::size_t index(Place x, Place y, Place z) const {
        const auto width = static_cast<std::size_t>(width_);
        return (static_cast<std::size_t>(x) * width + static_cast<std::size_t>(y)) * width +
               static_cast<std::size_t>(z);
    }

    Place width_;
    std::vector<std::ptrdiff_t> starts_;
    std::ptrdiff_t total_ = 0;
};

// Discontinuous items with the blocks [i, k) and [l, j), where i < k < l < j.
template <typename Number>
class GappedTable {
  public:
    // Rows by i and by j are only kept if rules for ill-nested trees need them.
    GappedTable(Place token_count, bool has_all_rows)
        : by_l_(token_count, [](Place, Place k, Place j) { return j - 1 - k; }),
          by_j_(has_all_rows ? token_count : 0,
                [token_count](Place, Place, Place l) { return token_count - l; }),
          by_i_(has_all_rows ? token_count : 0, [](Place k, Place, Place) { return k; }),
          over_l_(by_l_.total()),
          over_j_(by_j_.total()),
          over_i_(by_i_.total()) {}

    // The items (i, k, ·, j), by l. Only l with k < l < j may be used.
    [[nodiscard]] Number* row(Place i, Place k, Place j) {
        return over_l_.data() + by_l_.start(i, k, j) - (k + 1);
    }
    [[nodiscard]] const Number* row(Place i, Place k, Place j) const {
        return over_l_.data() + by_l_.start(i, k, j) - (k + 1);
    }
    [[nodiscard]] Number at(Place i, Place k, Place l, Place j) const { return row(i, k, j)[l]; }
    // The items (i, k, l, ·) by j, and (·, k, l, j) by i.
    [[nodiscard]] const Number* row_over_j(Place i, Place k, Place l) const {
        return over_j_.data() + by_j_.start(i, k, l) - (l + 1);
    }
    [[nodiscard]] const Number* row_over_i(Place k, Place l, Place j) const {
        return over_i_.data() + by_i_.start(k, l, j);
    }

    // Copies a finished row to the other rows.
    void spread(Place i, Place k, Place j) {
        if (over_j_.empty())
            return;
        const Number* found = row(i, k, j);
        for (Place l = k + 1; l < j; ++l) {
            over_j_[static_cast<std::size_t>(by_j_.start(i, k, l) - (l + 1) + j)] = found[l];
            over_i_[static_cast<std::size_t>(by_i_.start(k, l, j) + i)] = found[l];
        }
    }

  private:
    TripleRows by_l_, by_j_, by_i_;
    std::vector<Number> over_l_, over_j_, over_i_;
};

}  // namespace crossbranch::spans

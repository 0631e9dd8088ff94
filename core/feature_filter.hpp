// Which features may have weights: a small table that answers for most of those that have none.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "huge_pages.hpp"
#include "templates.hpp"

namespace crossbranch {

// One bit for the highest bits of a feature. At most half of the features of a sentence have weights, and
// asking the others first saves a trip to memory far away.
class FeatureFilter {
  public:
    // For so many features, at four to eight bits each.
    explicit FeatureFilter(std::size_t features)
        : shift_(64 - static_cast<std::uint32_t>(std::bit_width(4 * features + 64))),
          words_(std::size_t{1} << (58 - shift_)) {}

    void insert(Feature feature) {
        const Feature bit = feature >> shift_;
        words_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }

    [[nodiscard]] bool may_have(Feature feature) const {
        const Feature bit = feature >> shift_;
        return (words_[bit / 64] >> (bit % 64) & 1U) != 0;
    }

  private:
    std::uint32_t shift_;
    Table<std::uint64_t> words_;
};

}  // namespace crossbranch

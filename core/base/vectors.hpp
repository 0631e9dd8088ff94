// The inner loops of scoring. They are compiled for several vector widths and chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace crossbranch {

// sums[i] += weights[i]
void add_weights(const std::int16_t* weights, std::int32_t* sums, std::size_t count);

// The number of values that are added together. Strides are multiples of it.
inline constexpr std::size_t vector_width = 16;

// sums[i] = the sum of rows[row * stride + i] over some rows, for all i from `begin` up to `end`.
// Both are multiples of the vector width.
void sum_rows(const std::int32_t* rows, std::size_t stride, std::span<const std::uint32_t> chosen,
              std::size_t begin, std::size_t end, std::int32_t* sums);

// The first i from `begin` up to `end` with a value above the limit; `end` if there is none.
[[nodiscard]] std::size_t find_above(const std::int32_t* values, std::size_t begin, std::size_t end,
                                     std::int32_t limit);

}  // namespace crossbranch

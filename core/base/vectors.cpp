#include "base/vectors.hpp"

#include <algorithm>

#include "base/wide_vectors.hpp"

namespace crossbranch {

FOR_WIDE_VECTORS
void add_weights(const std::int16_t* weights, std::int32_t* sums, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        sums[i] += weights[i];
}

FOR_WIDE_VECTORS
void sum_rows(const std::int32_t* rows, std::size_t stride, std::span<const std::uint32_t> chosen,
              std::size_t begin, std::size_t end, std::int32_t* sums) {
    for (; begin < end; begin += vector_width) {
        std::int32_t part[vector_width] = {};
        for (const std::uint32_t row : chosen) {
            const std::int32_t* values = rows + row * stride + begin;
            for (std::size_t i = 0; i < vector_width; ++i)
                part[i] += values[i];
        }
        std::copy_n(part, vector_width, sums + begin);
    }
}

FOR_WIDE_VECTORS
std::size_t find_above(const std::int32_t* values, std::size_t begin, std::size_t end,
                       std::int32_t limit) {
    for (; begin + vector_width <= end; begin += vector_width) {
        std::int32_t is_above = 0;  // a number, so that the loop becomes one comparison of vectors
        for (std::size_t i = 0; i < vector_width; ++i)
            is_above |= static_cast<std::int32_t>(values[begin + i] > limit);
        if (is_above != 0)
            break;
    }
    while (begin < end && values[begin] <= limit)
        ++begin;
    return begin;
}

}  // namespace crossbranch

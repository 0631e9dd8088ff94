#include "base/vectors.hpp"

#include <algorithm>

// If the linker can choose between versions of a function. Not in builds with sanitizers: the
// choice is made before they are initialised.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FOR_WIDE_VECTORS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define FOR_WIDE_VECTORS
#endif

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

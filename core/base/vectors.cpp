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
              std::int32_t* sums) {
    for (std::size_t begin = 0; begin < stride; begin += vector_width) {
        std::int32_t part[vector_width] = {};
        for (const std::uint32_t row : chosen) {
            const std::int32_t* values = rows + row * stride + begin;
            for (std::size_t i = 0; i < vector_width; ++i)
                part[i] += values[i];
        }
        std::copy_n(part, vector_width, sums + begin);
    }
}

}  // namespace crossbranch

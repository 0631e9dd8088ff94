// What a chart computes: the best score, or the logarithm of the sum of all exponentials.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace crossbranch::spans {

template <typename Number>
inline constexpr Number impossible = -std::numeric_limits<Number>::infinity();

struct Best {
    using Number = float;

    static Number add(Number one, Number other) { return std::max(one, other); }
};

struct LogSum {
    using Number = double;

    static Number add(Number one, Number other) {
        const Number high = std::max(one, other), low = std::min(one, other);
        return low == impossible<Number> ? high : high + std::log1p(std::exp(low - high));
    }
};

// Adds `score` plus each of `others` to the numbers in `found`.
template <typename Semiring, typename Other>
void add_all(typename Semiring::Number* found, typename Semiring::Number score, const Other* others,
             std::ptrdiff_t count) {
    for (std::ptrdiff_t x = 0; x < count; ++x)
        found[x] = Semiring::add(found[x], score + others[x]);
}

// The sum over all pairs of two numbers at the same place.
template <typename Semiring>
typename Semiring::Number add_pairs(const typename Semiring::Number* left,
                                    const typename Semiring::Number* right, std::ptrdiff_t count) {
    auto found = impossible<typename Semiring::Number>;
    for (std::ptrdiff_t x = 0; x < count; ++x)
        found = Semiring::add(found, left[x] + right[x]);
    return found;
}

// Several maxima at once, so that the compiler can use vectors.
template <>
inline float add_pairs<Best>(const float* left, const float* right, std::ptrdiff_t count) {
    constexpr std::ptrdiff_t lanes = 16;
    float many[lanes];
    std::fill_n(many, lanes, impossible<float>);
    std::ptrdiff_t x = 0;
    for (; x + lanes <= count; x += lanes)
        for (std::ptrdiff_t lane = 0; lane < lanes; ++lane)
            many[lane] = std::max(many[lane], left[x + lane] + right[x + lane]);
    float found = *std::max_element(many, many + lanes);
    for (; x < count; ++x)
        found = std::max(found, left[x] + right[x]);
    return found;
}

}  // namespace crossbranch::spans

// The inner loops of sums over trees. Rows have a multiple of `sum_width` numbers.
#pragma once

#include <cstddef>

namespace crossbranch::spans {

inline constexpr std::ptrdiff_t sum_width = 8;

// found[x] = e^scores[x], with a relative error below 1e-14. It is 0 for scores below -708, and
// e^709 for scores above 709.
void exponentials(const float* scores, double* found, std::ptrdiff_t count);

// The sum of left[x] * right[x].
[[nodiscard]] double sum_of_products(const double* left, const double* right, std::ptrdiff_t count);

// found[x] += factor * numbers[x], for a multiple of `sum_width` numbers.
void add_scaled(double factor, const double* numbers, std::ptrdiff_t count, double* found);

// Rows that begin `stride` after each other.
struct NumberRows {
    const double* first;
    std::ptrdiff_t stride, count;
};

// found[x] = the sum of weights[row] * rows[row][x].
void sum_weighted(const double* weights, NumberRows rows, std::ptrdiff_t width, double* found);

// found[row] = the sum of rows[row][x] * factors[x].
void multiply_rows(NumberRows rows, const double* factors, std::ptrdiff_t width, double* found);

}  // namespace crossbranch::spans

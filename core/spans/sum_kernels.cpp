#include "spans/sum_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/wide_vectors.hpp"

namespace crossbranch::spans {

namespace {

// `sum_width` numbers that are computed together.
struct Part {
#if defined(__GNUC__)
    using Four [[gnu::vector_size(4 * sizeof(double))]] = double;
    Four low, high;

    [[gnu::always_inline]] void fill(double number) { low = high = Four{} + number; }
    [[gnu::always_inline]] void add_product(const Part& left, const Part& right) {
        low += left.low * right.low;
        high += left.high * right.high;
    }
#else
    double numbers[sum_width];

    void fill(double number) { std::fill_n(numbers, sum_width, number); }
    void add_product(const Part& left, const Part& right) {
        for (std::ptrdiff_t lane = 0; lane < sum_width; ++lane)
            numbers[lane] += left.numbers[lane] * right.numbers[lane];
    }
#endif
    [[gnu::always_inline]] void load(const double* from) { std::memcpy(this, from, sizeof *this); }
    [[gnu::always_inline]] void store(double* to) const { std::memcpy(to, this, sizeof *this); }
    [[gnu::always_inline]] void add_product(const double* left, const double* right) {
        Part one, other;
        one.load(left);
        other.load(right);
        add_product(one, other);
    }
    [[nodiscard]] double sum() const {
        double found[sum_width];
        store(found);
        return ((found[0] + found[4]) + (found[1] + found[5])) +
               ((found[2] + found[6]) + (found[3] + found[7]));
    }
};

constexpr float lowest = -708;  // e^x is a normal number between these two
constexpr double highest = 709;

// e^r for |r| <= log(2) / 2, by its series.
inline double small_exponential(double r) {
    constexpr double factorials[] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800};
    double sum = 1.0 / 39916800;
    for (int n = 10; n >= 0; --n)
        sum = sum * r + 1 / factorials[n];
    return sum;
}

// e^x for x between `lowest` and `highest`.
inline double exponential(double x) {
    constexpr double magic = 6755399441055744;  // 1.5 * 2^52: adding it rounds to a whole number
    const double shifted = x * 1.4426950408889634 + magic;
    const double whole = shifted - magic;
    const double r = (x - whole * 0.693145751953125) - whole * 1.42860682030941723212e-6;
    const auto power =
        std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) << 52U) + 0x3ff0000000000000U);
    return small_exponential(r) * power;
}

}  // namespace

FOR_WIDE_VECTORS
void exponentials(const float* scores, double* found, std::ptrdiff_t count) {
    // Compilers make vectors of loops that have one choice each.
    for (std::ptrdiff_t x = 0; x < count; ++x)
        found[x] = static_cast<double>(scores[x] > lowest ? scores[x] : lowest);
    for (std::ptrdiff_t x = 0; x < count; ++x)
        found[x] = found[x] < highest ? found[x] : highest;
    for (std::ptrdiff_t x = 0; x < count; ++x)
        found[x] = exponential(found[x]);
    for (std::ptrdiff_t x = 0; x < count; ++x)
        found[x] = scores[x] > lowest ? found[x] : 0;
}

FOR_WIDE_VECTORS
double sum_of_products(const double* left, const double* right, std::ptrdiff_t count) {
    Part sums;
    sums.fill(0);
    std::ptrdiff_t x = 0;
    for (; x + sum_width <= count; x += sum_width)
        sums.add_product(left + x, right + x);
    double found = sums.sum();
    for (; x < count; ++x)
        found += left[x] * right[x];
    return found;
}

FOR_WIDE_VECTORS
void add_scaled(double factor, const double* numbers, std::ptrdiff_t count, double* found) {
    Part factors, part, sums;
    factors.fill(factor);
    for (std::ptrdiff_t x = 0; x < count; x += sum_width) {
        part.load(numbers + x);
        sums.load(found + x);
        sums.add_product(factors, part);
        sums.store(found + x);
    }
}

FOR_WIDE_VECTORS
void sum_weighted(const double* weights, NumberRows rows, std::ptrdiff_t width, double* found) {
    for (std::ptrdiff_t x = 0; x < width; x += sum_width) {
        Part sums, weight, part;
        sums.fill(0);
        const double* row = rows.first + x;
        for (std::ptrdiff_t number = 0; number < rows.count; ++number, row += rows.stride) {
            weight.fill(weights[number]);
            part.load(row);
            sums.add_product(weight, part);
        }
        sums.store(found + x);
    }
}

FOR_WIDE_VECTORS
void multiply_rows(NumberRows rows, const double* factors, std::ptrdiff_t width, double* found) {
    const double* row = rows.first;
    for (std::ptrdiff_t number = 0; number < rows.count; ++number, row += rows.stride) {
        Part sums;
        sums.fill(0);
        for (std::ptrdiff_t x = 0; x < width; x += sum_width)
            sums.add_product(row + x, factors + x);
        found[number] = sums.sum();
    }
}

}  // namespace crossbranch::spans

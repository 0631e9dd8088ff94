// What a chart computes: the best score, the sum of all exponentials, or its logarithm. `add` joins
// what is known of different trees, `times` what is known of the parts of a tree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace crossbranch::spans {

class SpanScores;
class ExponentialScores;

template <typename Number>
inline constexpr Number impossible = -std::numeric_limits<Number>::infinity();

// Numbers that must be there after the last one of arrays for `add_rows`.
inline constexpr std::size_t padding = 8;

struct Best {
    using Number = float;
    using Scores = SpanScores;
    static constexpr Number zero = impossible<Number>, one = 0;

    static Number times(Number left, Number right) { return left + right; }
    static Number add(Number one, Number other) { return std::max(one, other); }
};

struct LogSum {
    using Number = double;
    using Scores = SpanScores;
    static constexpr Number zero = impossible<Number>, one = 0;

    static Number times(Number left, Number right) { return left + right; }
    static Number add(Number one, Number other) {
        const Number high = std::max(one, other), low = std::min(one, other);
        return low == impossible<Number> ? high : high + std::log1p(std::exp(low - high));
    }
};

struct Sum {
    using Number = double;
    using Scores = ExponentialScores;
    static constexpr Number zero = 0, one = 1;

    static Number times(Number left, Number right) { return left * right; }
    static Number add(Number one_sum, Number other) { return one_sum + other; }
};

// Several numbers of a semiring, which are added at once.
template <typename Semiring>
struct Lanes {
    static constexpr std::ptrdiff_t count = 1;
    typename Semiring::Number values = Semiring::zero;

    template <typename Other>
    static Lanes load(const Other* from) {
        return {static_cast<typename Semiring::Number>(*from)};
    }
    void store(typename Semiring::Number* to) const { *to = values; }
    void add(typename Semiring::Number score, Lanes other) {
        values = Semiring::add(values, Semiring::times(score, other.values));
    }
    void add(Lanes left, Lanes right) { add(left.values, right); }
    [[nodiscard]] typename Semiring::Number sum() const { return values; }
};

#if defined(__GNUC__)  // vectors that stay in registers: the compiler does not find them by itself
template <>
struct Lanes<Best> {
    using Vector [[gnu::vector_size(32)]] = float;
    static constexpr std::ptrdiff_t count = 8;
    Vector values = Vector{} + impossible<float>;

    static Lanes load(const float* from) {
        Lanes found;
        std::memcpy(&found.values, from, sizeof(Vector));
        return found;
    }
    void store(float* to) const { std::memcpy(to, &values, sizeof(Vector)); }
    void add(float score, const Lanes& other) { keep_largest(other.values + score); }
    void add(const Lanes& left, const Lanes& right) { keep_largest(left.values + right.values); }
    [[nodiscard]] float sum() const {
        float found = values[0];
        for (int lane = 1; lane < count; ++lane)
            found = std::max(found, values[lane]);
        return found;
    }

  private:
    void keep_largest(const Vector& others) { values = values < others ? others : values; }
};

template <>
struct Lanes<Sum> {
    using Vector [[gnu::vector_size(32)]] = double;
    static constexpr std::ptrdiff_t count = 4;
    Vector values = Vector{};

    [[gnu::always_inline]] static Lanes load(const double* from) {
        Lanes found;
        std::memcpy(&found.values, from, sizeof(Vector));
        return found;
    }
    void store(double* to) const { std::memcpy(to, &values, sizeof(Vector)); }
    void add(double score, const Lanes& other) { values += score * other.values; }
    void add(const Lanes& left, const Lanes& right) { values += left.values * right.values; }
    [[nodiscard]] double sum() const { return (values[0] + values[2]) + (values[1] + values[3]); }
};
#endif

// Adds `score` plus each of `others` to the numbers in `found`.
template <typename Semiring, typename Other>
void add_all(typename Semiring::Number* found, typename Semiring::Number score, const Other* others,
             std::ptrdiff_t count) {
    for (std::ptrdiff_t x = 0; x < count; ++x)
        found[x] = Semiring::add(found[x], Semiring::times(score, others[x]));
}

// The same for several scores, each with a row of others. A row begins `stride` after the last one.
// Lanes are always whole: some numbers after the last one are written, too, and some others after
// the last row are read (less than `padding`).
template <typename Semiring, typename Other>
void add_rows(typename Semiring::Number* found, const typename Semiring::Number* scores,
              const Other* rows, std::ptrdiff_t row_count, std::ptrdiff_t stride,
              std::ptrdiff_t count) {
    using Vector = Lanes<Semiring>;
    constexpr std::ptrdiff_t size = Vector::count;
    std::ptrdiff_t x = 0;
    for (; x + size < count; x += 2 * size) {  // two at a time: one need not wait for the other
        auto one = Vector::load(found + x), other = Vector::load(found + x + size);
        for (std::ptrdiff_t row = 0; row < row_count; ++row) {
            one.add(scores[row], Vector::load(rows + row * stride + x));
            other.add(scores[row], Vector::load(rows + row * stride + x + size));
        }
        one.store(found + x);
        other.store(found + x + size);
    }
    for (; x < count; x += size) {
        auto many = Vector::load(found + x);
        for (std::ptrdiff_t row = 0; row < row_count; ++row)
            many.add(scores[row], Vector::load(rows + row * stride + x));
        many.store(found + x);
    }
}

// The sum over all pairs of two numbers at the same place.
template <typename Semiring, typename Other>
typename Semiring::Number add_pairs(const typename Semiring::Number* left, const Other* right,
                                    std::ptrdiff_t count) {
    Lanes<Semiring> many;
    std::ptrdiff_t x = 0;
    for (; x + Lanes<Semiring>::count <= count; x += Lanes<Semiring>::count)
        many.add(Lanes<Semiring>::load(left + x), Lanes<Semiring>::load(right + x));
    auto found = many.sum();
    for (; x < count; ++x)
        found = Semiring::add(found, Semiring::times(left[x], right[x]));
    return found;
}

}  // namespace crossbranch::spans

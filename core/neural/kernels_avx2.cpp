// The kernels for machines with AVX2 and FMA.
#include "neural/kernels.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

namespace crossbranch::neural {

namespace {

struct Lanes {
    static constexpr std::size_t count = 8;
    __m256 values;

    static Lanes fill(float value) { return {_mm256_set1_ps(value)}; }
    static Lanes load(const float* from) { return {_mm256_loadu_ps(from)}; }
    static Lanes load_part(const float* from, std::size_t size) {
        return {_mm256_maskload_ps(from, mask(size))};
    }
    void store(float* to) const { _mm256_storeu_ps(to, values); }
    void store_part(float* to, std::size_t size) const {
        _mm256_maskstore_ps(to, mask(size), values);
    }
    static __m256i mask(std::size_t size) {
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(size)),
                                  _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    }
};

inline Lanes operator+(Lanes a, Lanes b) {
    return {_mm256_add_ps(a.values, b.values)};
}
inline Lanes operator-(Lanes a, Lanes b) {
    return {_mm256_sub_ps(a.values, b.values)};
}
inline Lanes operator*(Lanes a, Lanes b) {
    return {_mm256_mul_ps(a.values, b.values)};
}
inline Lanes operator/(Lanes a, Lanes b) {
    return {_mm256_div_ps(a.values, b.values)};
}
inline Lanes fma(Lanes a, Lanes b, Lanes c) {
    return {_mm256_fmadd_ps(a.values, b.values, c.values)};
}
inline Lanes smaller(Lanes a, Lanes b) {
    return {_mm256_min_ps(a.values, b.values)};
}
inline Lanes larger(Lanes a, Lanes b) {
    return {_mm256_max_ps(a.values, b.values)};
}

// 2^n for a whole number n, given as n + 1.5 * 2^23: its lowest bits are n.
inline Lanes power_of_two(Lanes shifted) {
    const __m256i exponents = _mm256_slli_epi32(_mm256_castps_si256(shifted.values), 23);
    return {_mm256_castsi256_ps(_mm256_add_epi32(exponents, _mm256_set1_epi32(0x3f800000)))};
}

constexpr std::size_t tile_vectors = 2;
constexpr const char* kernels_name = "avx2";

template <typename Value>
using Factor = Lanes;

#include "neural/products_body.hpp"
// After the products.
#include "neural/kernels_body.hpp"

}  // namespace

extern const Kernels avx2_kernels;
const Kernels avx2_kernels = made_kernels;

}  // namespace crossbranch::neural
#endif

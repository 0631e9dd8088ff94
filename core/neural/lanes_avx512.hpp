// Vectors of AVX-512, for the files of kernels that need them.
#pragma once

#include <cstddef>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC warns of its own header
#endif
#include <immintrin.h>

namespace crossbranch::neural {

namespace {

struct Lanes {
    static constexpr std::size_t count = 16;
    __m512 values;

    static Lanes fill(float value) { return {_mm512_set1_ps(value)}; }
    static Lanes load(const float* from) { return {_mm512_loadu_ps(from)}; }
    static Lanes load_part(const float* from, std::size_t size) {
        return {_mm512_maskz_loadu_ps(mask(size), from)};
    }
    void store(float* to) const { _mm512_storeu_ps(to, values); }
    void store_part(float* to, std::size_t size) const {
        _mm512_mask_storeu_ps(to, mask(size), values);
    }
    static __mmask16 mask(std::size_t size) { return static_cast<__mmask16>((1U << size) - 1U); }
};

inline Lanes operator+(Lanes a, Lanes b) {
    return {_mm512_add_ps(a.values, b.values)};
}
inline Lanes operator-(Lanes a, Lanes b) {
    return {_mm512_sub_ps(a.values, b.values)};
}
inline Lanes operator*(Lanes a, Lanes b) {
    return {_mm512_mul_ps(a.values, b.values)};
}
inline Lanes operator/(Lanes a, Lanes b) {
    return {_mm512_div_ps(a.values, b.values)};
}
inline Lanes fma(Lanes a, Lanes b, Lanes c) {
    return {_mm512_fmadd_ps(a.values, b.values, c.values)};
}
inline Lanes smaller(Lanes a, Lanes b) {
    return {_mm512_min_ps(a.values, b.values)};
}
inline Lanes larger(Lanes a, Lanes b) {
    return {_mm512_max_ps(a.values, b.values)};
}

// 2^n for a whole number n, given as n + 1.5 * 2^23: its lowest bits are n.
inline Lanes power_of_two(Lanes shifted) {
    const __m512i exponents = _mm512_slli_epi32(_mm512_castps_si512(shifted.values), 23);
    return {_mm512_castsi512_ps(_mm512_add_epi32(exponents, _mm512_set1_epi32(0x3f800000)))};
}

}  // namespace

}  // namespace crossbranch::neural

// Products of 16-bit floats for machines with AVX-512 and its instructions for bfloat16.
#include "neural/kernels.hpp"

#if defined(__AVX512BF16__)
#include "neural/lanes_avx512.hpp"

namespace crossbranch::neural {

namespace {

template <typename Value>
struct Factor;

template <>
struct Factor<Pair> {
    __m512i values;

    static Factor fill(Pair pair) { return {_mm512_set1_epi32(static_cast<int>(pair))}; }
    static Factor load(const Pair* from) { return {_mm512_loadu_si512(from)}; }
};

inline Lanes fma(Factor<Pair> a, Factor<Pair> b, Lanes c) {
    return {_mm512_dpbf16_ps(c.values, reinterpret_cast<__m512bh>(a.values),
                             reinterpret_cast<__m512bh>(b.values))};
}

constexpr std::size_t tile_vectors = 4;

#include "neural/products_body.hpp"

}  // namespace

void multiply_pairs(const PairProduct& product);
void multiply_pairs(const PairProduct& product) {
    multiply(product);
}

void round_to_pairs(const float* in, std::size_t in_stride, std::size_t row_count,
                    std::size_t depth, Pair* out);
void round_to_pairs(const float* in, std::size_t in_stride, std::size_t row_count,
                    std::size_t depth, Pair* out) {
    const std::size_t width = (depth + 1) / 2;
    for (std::size_t row = 0; row < row_count; ++row, in += in_stride, out += width) {
        for (std::size_t i = 0; i < depth; i += lanes) {
            const std::size_t part = depth - i < lanes ? depth - i : lanes;
            const __m256bh rounded = _mm512_cvtneps_pbh(load(in + i, part).values);
            const auto pairs = static_cast<__mmask8>((1U << ((part + 1) / 2)) - 1U);
            _mm256_mask_storeu_epi32(out + i / 2, pairs, reinterpret_cast<__m256i>(rounded));
        }
    }
}

}  // namespace crossbranch::neural
#endif

// The kernels for machines with AVX-512.
#include "neural/kernels.hpp"

#if defined(__AVX512F__)
#include "neural/lanes_avx512.hpp"

namespace crossbranch::neural {

namespace {

constexpr std::size_t tile_vectors = 4;
constexpr const char* kernels_name = "avx512";

template <typename Value>
using Factor = Lanes;

#include "neural/products_body.hpp"
// After the products.
#include "neural/kernels_body.hpp"

}  // namespace

extern const Kernels avx512_kernels;
const Kernels avx512_kernels = made_kernels;

}  // namespace crossbranch::neural
#endif

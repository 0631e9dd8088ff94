// The choice of kernels, and those for any machine.
#include "neural/kernels.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace crossbranch::neural {

namespace {

#if defined(__GNUC__) || defined(__clang__)
using Four = float __attribute__((vector_size(16)));  // a register of SSE or NEON
#else
struct Four {
    float values[4];
    float& operator[](std::size_t i) { return values[i]; }
    float operator[](std::size_t i) const { return values[i]; }
};

template <typename Function>
Four for_each_lane(Function function) {
    return {{function(0), function(1), function(2), function(3)}};
}

inline Four operator+(Four a, Four b) {
    return for_each_lane([=](std::size_t i) { return a[i] + b[i]; });
}
inline Four operator-(Four a, Four b) {
    return for_each_lane([=](std::size_t i) { return a[i] - b[i]; });
}
inline Four operator*(Four a, Four b) {
    return for_each_lane([=](std::size_t i) { return a[i] * b[i]; });
}
inline Four operator/(Four a, Four b) {
    return for_each_lane([=](std::size_t i) { return a[i] / b[i]; });
}
#endif

struct Lanes {
    static constexpr std::size_t count = 4;
    Four values;

    static Lanes fill(float value) { return {Four{value, value, value, value}}; }
    static Lanes load(const float* from) { return load_part(from, count); }
    static Lanes load_part(const float* from, std::size_t size) {
        Lanes result = fill(0);
        std::memcpy(&result.values, from, size * sizeof(float));
        return result;
    }
    void store(float* to) const { store_part(to, count); }
    void store_part(float* to, std::size_t size) const {
        std::memcpy(to, &values, size * sizeof(float));
    }
};

inline Lanes operator+(Lanes a, Lanes b) {
    return {a.values + b.values};
}
inline Lanes operator-(Lanes a, Lanes b) {
    return {a.values - b.values};
}
inline Lanes operator*(Lanes a, Lanes b) {
    return {a.values * b.values};
}
inline Lanes operator/(Lanes a, Lanes b) {
    return {a.values / b.values};
}
inline Lanes fma(Lanes a, Lanes b, Lanes c) {
    return {a.values * b.values + c.values};
}
inline Lanes smaller(Lanes a, Lanes b) {
    for (std::size_t i = 0; i < Lanes::count; ++i)
        a.values[i] = a.values[i] < b.values[i] ? a.values[i] : b.values[i];
    return a;
}
inline Lanes larger(Lanes a, Lanes b) {
    for (std::size_t i = 0; i < Lanes::count; ++i)
        a.values[i] = a.values[i] > b.values[i] ? a.values[i] : b.values[i];
    return a;
}

// 2^n for a whole number n, given as n + 1.5 * 2^23: its lowest bits are n.
inline Lanes power_of_two(Lanes shifted) {
    std::uint32_t bits[Lanes::count];
    std::memcpy(bits, &shifted.values, sizeof bits);
    for (std::uint32_t& value : bits)
        value = (value << 23U) + 0x3f800000U;
    Lanes result{};
    std::memcpy(&result.values, bits, sizeof bits);
    return result;
}

constexpr std::size_t tile_vectors = 2;
constexpr const char* kernels_name = "portable";

template <typename Value>
using Factor = Lanes;

#include "neural/products_body.hpp"
// After the products.
#include "neural/kernels_body.hpp"

}  // namespace

#if defined(CROSSBRANCH_X86_KERNELS)
extern const Kernels avx512_kernels;
extern const Kernels avx2_kernels;
#endif
#if defined(CROSSBRANCH_BFLOAT16_KERNELS)
void multiply_pairs(const PairProduct& product);
void round_to_pairs(const float* in, std::size_t in_stride, std::size_t row_count,
                    std::size_t depth, Pair* out);
#endif

namespace {

std::vector<Kernels> find_runnable() {
    std::vector<Kernels> found;
#if defined(CROSSBRANCH_X86_KERNELS)
    if (__builtin_cpu_supports("avx512f"))
        found.push_back(avx512_kernels);
#if defined(CROSSBRANCH_BFLOAT16_KERNELS)
    if (__builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512vl")) {
        found.front().multiply_pairs = multiply_pairs;
        found.front().round_to_pairs = round_to_pairs;
    }
#endif
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        found.push_back(avx2_kernels);
#endif
    found.push_back(made_kernels);
    return found;
}

const std::vector<Kernels>& all_runnable() {
    static const std::vector<Kernels> found = find_runnable();
    return found;
}

}  // namespace

const Kernels& kernels() {
    return all_runnable().front();
}
std::size_t runnable_count() {
    return all_runnable().size();
}
const Kernels& runnable(std::size_t at) {
    return all_runnable().at(at);
}

}  // namespace crossbranch::neural

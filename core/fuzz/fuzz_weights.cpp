// Packed weights of linear models, and the tables that they become.
#include <stdexcept>

#include "bytes.hpp"
#include "linear/packing.hpp"

using namespace crossbranch;

namespace {

void use(const Weights& weights, Feature seed) {
    std::vector<std::int32_t> scores(weights.transition_count() + 64);
    for (int i = 0; i < 50; ++i) {
        const Feature feature = seed * 0x9e3779b97f4a7c15ULL;
        weights.prefetch(feature);
        (void)weights.expect(feature);
        weights.add(weights.resolve(feature, weights.approach(feature)), scores.data());
        ++seed;
    }
}

void unpacked(std::string_view bytes, std::size_t transitions, Feature seed) {
    const Weights weights = unpack(bytes, transitions);
    use(weights, seed);
    const std::string packed = pack(weights, 16);
    const Weights again = unpack(packed, transitions);
    REQUIRE(again.feature_count() <= weights.feature_count());
    use(again, seed);
}

// The arrays themselves: everything that the constructor accepts can be used.
void direct(fuzz::Bytes bytes, std::size_t transitions, Feature seed) {
    const std::size_t bits = 1 + bytes.below(6);
    Table<std::uint32_t> starts((std::size_t{1} << bits) + 1);
    for (std::uint32_t& start : starts)
        start = bytes.byte();
    Table<std::uint16_t> data;
    while (!bytes.is_empty())
        data.push_back(static_cast<std::uint16_t>(bytes.byte() << 8U | bytes.byte()));
    if (seed % 2 == 0) {
        starts.front() = 0;
        starts.back() = static_cast<std::uint32_t>(data.size());
    }
    use(Weights(std::move(starts), std::move(data), 1.0, transitions), seed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size);
    const std::uint8_t how = bytes.byte();
    const std::size_t transitions = 1 + bytes.byte() * (how % 4 == 3 ? 300U : 1U);
    try {
        if (how % 2 == 1)
            unpacked(bytes.rest(), transitions, size);
        else
            direct(bytes, transitions, how / 2U);
    } catch (const std::invalid_argument&) {  // refused
    }
    return 0;
}

// Weights as bytes, about a third of what they take in memory: what taggers and parsers save.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "linear/weights.hpp"

namespace crossbranch {

// Numbers are written seven bits a byte, lowest first; the highest bit says that there are more.
// First come the number of bits that tell buckets apart, and the scale; then each feature in order
// of its first bits: how far they are from those before, the number of weights, and for each weight
// how far its transition (or tag) is from the one before, and the weight, its sign lowest.
[[nodiscard]] std::string pack(const Weights& weights, std::uint32_t scale);

// Throws std::invalid_argument for bytes that are no weights of so many transitions.
[[nodiscard]] Weights unpack(std::string_view bytes, std::size_t transition_count);

}  // namespace crossbranch

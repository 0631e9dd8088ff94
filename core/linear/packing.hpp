// Weights as bytes, for files: about a third of their size in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "linear/weights.hpp"

namespace crossbranch {

// Numbers are written with seven bits in each byte, lowest first. The highest bit of a byte says
// that more bytes follow. First come the number of bits of a bucket, and the scale. Then come the
// features, sorted by their first bits: the difference from the bits before, the number of weights,
// and for each weight, the difference of its transition (or tag) from the one before, and the
// weight, with its sign in the lowest bit.
[[nodiscard]] std::string pack(const Weights& weights, std::uint32_t scale);

// Throws std::invalid_argument if the bytes are not weights for this number of transitions.
[[nodiscard]] Weights unpack(std::string_view bytes, std::size_t transition_count);

}  // namespace crossbranch

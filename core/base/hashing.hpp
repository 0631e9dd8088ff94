// The hash function of the core.
#pragma once

#include <cstdint>

namespace crossbranch {

// The mixer of splitmix64: every bit of the input changes every bit of the result.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t state) {
    state += 0x9e3779b97f4a7c15U;
    state = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9U;
    state = (state ^ (state >> 27U)) * 0x94d049bb133111ebU;
    return state ^ (state >> 31U);
}

}  // namespace crossbranch

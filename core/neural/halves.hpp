// 16-bit floats: files store them, networks compute with 32 bits.
#pragma once

#include <bit>
#include <cstdint>

namespace crossbranch::neural {

[[nodiscard]] inline float from_half(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t rest = half & 0x7fffU;
    if (rest >= 0x7c00U)  // infinite, or not a number
        return std::bit_cast<float>(sign | 0x7f800000U | (rest & 0x3ffU) << 13U);
    // As bits of a float, this is the number divided by 2^112.
    const float scaled = std::bit_cast<float>(rest << 13U) * 0x1p112F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

// The nearest half, the even one of two. Numbers that are too large become infinite.
[[nodiscard]] inline std::uint16_t to_half(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const std::uint32_t rest = bits & 0x7fffffffU;
    std::uint32_t half = 0;
    if (rest > 0x7f800000U)
        half = 0x7e00U;
    else if (rest >= 0x477ff000U)  // 65520: rounds to 65536
        half = 0x7c00U;
    else if (rest < 0x38800000U)  // below 2^-14: whole multiples of 2^-24; the sum rounds
        half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) + 0.5F) & 0x7fffffU;
    else
        half = (rest - 0x38000000U + 0xfffU + (rest >> 13U & 1U)) >> 13U;
    return static_cast<std::uint16_t>(sign | half);
}

}  // namespace crossbranch::neural

// Rows of 8-bit integers, each with a factor: files store them, networks compute with floats.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace crossbranch::neural {

// Writes the integers of a row and returns its factor. The largest number becomes 127 or -127.
// Numbers that are not finite give a factor that is not finite.
[[nodiscard]] inline float to_integers(std::span<const float> row, std::int8_t* found) {
    constexpr float most = 127;
    float largest = 0;
    for (const float value : row)
        largest = std::isnan(value) ? value : std::max(largest, std::abs(value));
    const float factor = largest / most;
    const bool is_usable = std::isfinite(factor) && factor > 0;
    for (const float value : row)
        *found++ =
            is_usable
                ? static_cast<std::int8_t>(std::clamp(std::nearbyint(value / factor), -most, most))
                : std::int8_t{0};
    return factor;
}

}  // namespace crossbranch::neural

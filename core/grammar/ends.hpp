// Where the blocks of an item begin and end: start, stop, start, stop, ...
//
// Blocks of an item may touch (figure 3.3 of the tests has such items), so a set of tokens would
// not do. Most sentences have at most 255 tokens, and most grammars a fan-out of at most 4. Then
// all ends are in one 64-bit word.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/hashing.hpp"

namespace crossbranch::grammar {

// Up to `Size` ends, those that are not used are 0.
template <typename End, std::size_t Size>
class FixedEnds {
  public:
    static constexpr std::size_t size = Size;

    explicit FixedEnds(std::size_t /*count*/ = 0) {}

    [[nodiscard]] std::size_t operator[](std::size_t i) const { return at_[i]; }
    void set(std::size_t i, std::size_t end) { at_[i] = static_cast<End>(end); }
    bool operator==(const FixedEnds&) const = default;

    [[nodiscard]] std::uint64_t hash(std::uint64_t state) const {
        std::array<std::uint64_t, sizeof(at_) / 8> words;
        std::memcpy(words.data(), at_.data(), sizeof(at_));
        for (const std::uint64_t word : words)
            state = mix((state << 32U) ^ state ^ word);
        return state;
    }

  private:
    std::array<End, Size> at_{};
};

using ShortEnds = FixedEnds<std::uint8_t, 8>;
using LongEnds = FixedEnds<std::uint16_t, 16>;

// Any number of ends.
class AnyEnds {
  public:
    explicit AnyEnds(std::size_t count = 0) : at_(count) {}

    [[nodiscard]] std::size_t operator[](std::size_t i) const { return at_[i]; }
    void set(std::size_t i, std::size_t end) { at_[i] = static_cast<std::uint32_t>(end); }
    bool operator==(const AnyEnds&) const = default;

    [[nodiscard]] std::uint64_t hash(std::uint64_t state) const {
        for (const std::uint32_t end : at_)
            state = mix(state + end);
        return state;
    }

  private:
    std::vector<std::uint32_t> at_;
};

}  // namespace crossbranch::grammar

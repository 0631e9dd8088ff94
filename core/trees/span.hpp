// Span: a set of token indices as a bitset of any length, with value semantics.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/hashing.hpp"
#include "trees/blocks.hpp"

namespace crossbranch {

// The first words are in the object itself, so that most sentences need no heap memory. Indices
// are only added, never removed. So the last word on the heap is never zero, and two spans are
// equal if and only if their words are equal.
class Span {
  public:
    using Word = std::uint64_t;
    static constexpr Index word_bits = 64;
    static constexpr Index inline_words = 2;

    void set(Index index) {
        reserve(index / word_bits + 1);
        words()[index / word_bits] |= Word{1} << (index % word_bits);
    }

    // Adds all indices of a block. The block must not be empty.
    void set(const Block& block) {
        const Index first_word = block.start / word_bits;
        const Index last_word = (block.stop - 1) / word_bits;
        reserve(last_word + 1);
        for (Index i = first_word; i <= last_word; ++i) {
            Word mask = ~Word{0};
            if (i == first_word)
                mask &= ~Word{0} << (block.start % word_bits);
            if (i == last_word)
                mask &= ~Word{0} >> (word_bits - 1 - (block.stop - 1) % word_bits);
            words()[i] |= mask;
        }
    }

    [[nodiscard]] bool test(Index index) const {
        const Index i = index / word_bits;
        return i < words().size() && (words()[i] >> (index % word_bits) & 1) != 0;
    }

    [[nodiscard]] bool empty() const {
        return std::ranges::all_of(words(), [](Word word) { return word == 0; });
    }

    [[nodiscard]] Index count() const {
        Index sum = 0;
        for (const Word word : words())
            sum += static_cast<Index>(std::popcount(word));
        return sum;
    }

    [[nodiscard]] std::optional<Index> first() const {
        for (Index i = 0; i < words().size(); ++i)
            if (const Word word = words()[i])
                return i * word_bits + static_cast<Index>(std::countr_zero(word));
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Index> last() const {
        for (Index i = words().size(); i-- > 0;)
            if (const Word word = words()[i])
                return (i + 1) * word_bits - 1 - static_cast<Index>(std::countl_zero(word));
        return std::nullopt;
    }

    Span& operator|=(const Span& other) {
        reserve(other.words().size());
        for (Index i = 0; i < other.words().size(); ++i)
            words()[i] |= other.words()[i];
        return *this;
    }

    [[nodiscard]] friend Span operator|(Span a, const Span& b) { return a |= b; }

    [[nodiscard]] bool intersects(const Span& other) const {
        const Index common = std::min(words().size(), other.words().size());
        for (Index i = 0; i < common; ++i)
            if ((words()[i] & other.words()[i]) != 0)
                return true;
        return false;
    }

    // Whether every index of the other span is in this one.
    [[nodiscard]] bool contains(const Span& other) const {
        for (Index i = 0; i < other.words().size(); ++i) {
            const Word mine = i < words().size() ? words()[i] : 0;
            if ((other.words()[i] & ~mine) != 0)
                return false;
        }
        return true;
    }

    [[nodiscard]] bool operator==(const Span& other) const {
        return std::ranges::equal(words(), other.words());
    }

    [[nodiscard]] std::size_t hash() const {
        Word state = 0;
        for (const Word word : words())
            state = mix(state + word);
        return static_cast<std::size_t>(state);
    }

    // Calls visit(block) from left to right.
    template <typename Visit>
    void for_each_block(Visit visit) const {
        for (Index start = next(0, true); start < size(); start = next(start, true)) {
            const Index stop = next(start, false);
            visit(Block{start, stop});
            start = stop;
        }
    }

    [[nodiscard]] Blocks blocks() const {
        Blocks found;
        for_each_block([&](const Block& block) { found.push_back(block); });
        return found;
    }

    [[nodiscard]] Index fan_out() const {
        // A block starts at each set bit that follows an unset one.
        Index starts = 0;
        Word carry = 0;
        for (const Word word : words()) {
            starts += static_cast<Index>(std::popcount(word & ~(word << 1U | carry)));
            carry = word >> (word_bits - 1);
        }
        return starts;
    }

    // The bits, lowest first; at least inline_words of them.
    [[nodiscard]] std::span<const Word> words() const {
        return heap_.empty() ? std::span<const Word>(inline_) : std::span<const Word>(heap_);
    }

  private:
    [[nodiscard]] std::span<Word> words() {
        return heap_.empty() ? std::span<Word>(inline_) : std::span<Word>(heap_);
    }

    [[nodiscard]] Index size() const { return words().size() * word_bits; }

    void reserve(Index word_count) {
        if (word_count <= words().size())
            return;
        if (heap_.empty())
            heap_.assign(inline_.begin(), inline_.end());
        heap_.resize(word_count);
    }

    // The first index from `from` on that is in the span (or not in it); size() if there is none.
    [[nodiscard]] Index next(Index from, bool in_span) const {
        for (Index i = from / word_bits; i < words().size(); ++i) {
            Word word = in_span ? words()[i] : ~words()[i];
            if (i == from / word_bits)
                word &= ~Word{0} << (from % word_bits);
            if (word != 0)
                return i * word_bits + static_cast<Index>(std::countr_zero(word));
        }
        return size();
    }

    std::array<Word, inline_words> inline_{};
    std::vector<Word> heap_;
};

}  // namespace crossbranch

template <>
struct std::hash<crossbranch::Span> {
    std::size_t operator()(const crossbranch::Span& span) const { return span.hash(); }
};

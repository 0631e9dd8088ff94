// What was last put into a shelf, by shelf and two positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hashing.hpp"

namespace crossbranch::grammar {

class PairTable {
  public:
    static constexpr std::uint32_t nothing = ~std::uint32_t{0};

    [[nodiscard]] std::uint32_t find(std::uint32_t shelf, std::size_t a, std::size_t b) const {
        return slots_[place(key(shelf, a, b))].value;
    }

    // The entry, which is `nothing` if it is new.
    std::uint32_t& at(std::uint32_t shelf, std::size_t a, std::size_t b) {
        if (2 * ++count_ > slots_.size())
            grow();
        Slot& found = slots_[place(key(shelf, a, b))];
        found.key = key(shelf, a, b);
        return found.value;
    }

  private:
    struct Key {
        std::uint64_t shelf_and_first = ~std::uint64_t{0};  // which no shelf has
        std::uint64_t second = 0;

        bool operator==(const Key&) const = default;
    };
    struct Slot {
        Key key;
        std::uint32_t value = nothing;
    };

    static Key key(std::uint32_t shelf, std::size_t a, std::size_t b) {
        return {(std::uint64_t{shelf} << 32U) + a, b};
    }

    // Where a key is, or where it belongs.
    [[nodiscard]] std::size_t place(const Key& wanted) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = mix(wanted.shelf_and_first ^ (wanted.second << 20U)) & mask;
        while (slots_[i].key != wanted && slots_[i].key != Key{})
            i = (i + 1) & mask;
        return i;
    }

    void grow() {
        std::vector<Slot> old(4 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.key != Key{})
                slots_[place(slot.key)] = slot;
    }

    std::vector<Slot> slots_ = std::vector<Slot>(256);
    std::size_t count_ = 0;  // of calls; no more keys than that
};

}  // namespace crossbranch::grammar

// The rules of a grammar by the items that they combine, so that only compatible items meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/rules.hpp"

namespace crossbranch::grammar {

inline constexpr std::uint16_t no_end = 0xffff;

// What a rule makes of its children.
struct Outcome {
    Symbol left;
    RuleNumber rule;
    double cost;
};

// How the blocks of two children limit each other.
enum class Contact : std::uint8_t {
    touch,        // an end of one is an end of the other
    two_touches,  // this holds for two ends of each
    before,       // nowhere; a stop of the item is before a start of its partner
    after,        // nowhere; a start of the item is after a stop of its partner
};

// The rules that combine an item with items of one symbol in one way. The item's ends say which
// partners come into question: those in a shelf whose ends are (or come after, or before) its own.
struct Meeting {
    std::uint32_t shelf;
    std::uint32_t composition;
    std::uint16_t own_end;
    std::uint16_t own_second_end;  // for two touches
    Contact contact;
    bool is_first;        // the item is the first child, its partner the second
    std::uint32_t begin;  // of the outcomes
    std::uint32_t end;
};

// The items of a symbol, by one or two of their ends.
struct Shelf {
    std::uint32_t number;
    std::uint16_t end;
    std::uint16_t second_end;  // no_end: by one end
};

class RuleIndex {
  public:
    explicit RuleIndex(const Grammar& grammar);

    [[nodiscard]] std::span<const Meeting> meetings(Symbol symbol) const {
        return {meetings_.data() + first_meeting_[symbol],
                meetings_.data() + first_meeting_[symbol + 1]};
    }
    [[nodiscard]] std::span<const Outcome> outcomes(const Meeting& meeting) const {
        return {outcomes_.data() + meeting.begin, outcomes_.data() + meeting.end};
    }
    // The unary rules above a symbol.
    [[nodiscard]] std::span<const RuleNumber> unaries(Symbol symbol) const {
        return unaries_[symbol];
    }
    [[nodiscard]] std::span<const Shelf> shelves(Symbol symbol) const { return shelves_[symbol]; }
    [[nodiscard]] std::size_t shelf_count() const { return shelf_count_; }

  private:
    std::uint32_t shelf_for(Symbol symbol, std::uint16_t end, std::uint16_t second_end);

    std::vector<Meeting> meetings_;  // by symbol
    std::vector<std::size_t> first_meeting_;
    std::vector<Outcome> outcomes_;
    std::vector<std::vector<RuleNumber>> unaries_;
    std::vector<std::vector<Shelf>> shelves_;
    std::uint32_t shelf_count_ = 0;
};

}  // namespace crossbranch::grammar

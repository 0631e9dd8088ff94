// What a search finds: items, and how they are made of other items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "grammar/rules.hpp"

namespace crossbranch::grammar {

using ItemNumber = std::uint32_t;

inline constexpr ItemNumber no_item = ~ItemNumber{0};
inline constexpr RuleNumber no_rule = ~RuleNumber{0};
inline constexpr double infinite = std::numeric_limits<double>::infinity();

// A symbol that a token may have, with its cost.
struct Axiom {
    std::size_t token;
    Symbol symbol;
    double cost;
};

// One way to make an item: a rule and its children, or an axiom.
struct Way {
    RuleNumber rule = no_rule;   // no_rule: an axiom
    ItemNumber first = no_item;  // of an axiom: its number
    ItemNumber second = no_item;

    bool operator==(const Way&) const = default;
};

// A way to make an item, for lists of several derivations.
struct Edge {
    ItemNumber item;
    Way way;
};

struct Limits {
    std::size_t items = 0;  // 0: as many as there are
    double seconds = 0;     // 0: no limit
};

enum class Ending : std::uint8_t { found, exhausted, too_many_items, too_slow };

}  // namespace crossbranch::grammar

// One move of a parser.
#pragma once

#include <compare>
#include <cstdint>

namespace crossbranch {

enum class Move : std::uint8_t {
    shift,
    unary,  // argument: the label
    left,   // a binary reduction with the head on the left; argument: the label
    right,  // the same with the head on the right
    gap,    // argument: number of items
    swap,   // argument: number of items
    ghost,  // no unary reduction here
    finish,
    idle,
    merge,        // joins two items to a candidate, a node without a label
    merge_left,   // the same with the head on the left
    merge_right,  // the same with the head on the right
    combine,      // joins the focus and an item of the stack; argument: the position of the item
    label,        // the candidate becomes a node; argument: the label
    unlabelled    // the candidate stays as it is: NO-LABEL
};
inline constexpr std::size_t move_count = 15;

struct Transition {
    Move move;
    std::int32_t argument = 0;

    auto operator<=>(const Transition&) const = default;
};

using TransitionId = std::int32_t;

// Half-open.
struct TransitionRange {
    TransitionId begin, end;
};

}  // namespace crossbranch

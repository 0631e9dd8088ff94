// A parsing configuration {stack, aside, focus, next}, the same for every transition system.
#pragma once

#include <cstdint>

#include "transitions/forest.hpp"
#include "transitions/transition.hpp"

namespace crossbranch {

// `focus` is called d0 (GAP) or s0 (SWAP) in the papers. `stack` has the items below it. `aside`
// has the items that GAP set apart, the last one on top, or the items that SWAP put back in front
// of the queue, the first one on top. `next` is the first token that was never shifted.
struct Configuration {
    CellId stack = no_cell;
    CellId aside = no_cell;
    Vertex focus = no_vertex;
    std::int32_t next = 0;
    Vertex gapped_first = no_vertex;   // d1: the item gapped first
    Vertex gapped_second = no_vertex;  // d2
    std::int32_t unaries = 0;          // unary reductions in a row, up to now
    Move last = Move::idle;            // the last move; idle at the start
    bool is_finished = false;          // a whole tree was built and finished
};

}  // namespace crossbranch

// A parsing configuration {stack, aside, focus, next}, the same for every transition system.
#pragma once

#include <cstdint>

#include "transitions/forest.hpp"
#include "transitions/transition.hpp"

namespace crossbranch {

// `focus` is the papers' d0 (GAP) or s0 (SWAP), `stack` is what is below it. `aside` is what GAP
// set apart, the item gapped last on top, or what SWAP put back in front of the queue, its first
// item on top. `next` is the first token that was never shifted.
struct Configuration {
    CellId stack = no_cell;
    CellId aside = no_cell;
    Vertex focus = no_vertex;
    std::int32_t next = 0;
    Vertex gapped_first = no_vertex;   // d1: what was gapped first
    Vertex gapped_second = no_vertex;  // d2
    std::int32_t unaries = 0;          // how many unary reductions came last
    Move last = Move::idle;            // the last move; idle at the start
    bool is_finished = false;          // a whole tree was made, and said to be finished
};

}  // namespace crossbranch

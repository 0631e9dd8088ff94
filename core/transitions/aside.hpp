// What GAP does to a configuration, and what undoes it.
#pragma once

#include "transitions/configuration.hpp"

namespace crossbranch {

// Sets the top of the stack aside.
inline void set_aside(Forest& forest, Configuration& at) {
    const Cell top = forest.cell(at.stack);
    if (at.aside == no_cell)
        at.gapped_first = top.vertex;
    else if (forest.cell(at.aside).depth == 1)
        at.gapped_second = top.vertex;
    at.aside = forest.push(at.aside, top.vertex);
    at.stack = top.below;
}

// Pushes the items that were set aside back onto the stack.
[[nodiscard]] inline CellId flush(Forest& forest, CellId stack, CellId aside) {
    for (; aside != no_cell; aside = forest.cell(aside).below)
        stack = forest.push(stack, forest.cell(aside).vertex);
    return stack;
}

}  // namespace crossbranch

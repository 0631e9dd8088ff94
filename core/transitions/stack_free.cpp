#include "transitions/stack_free.hpp"

namespace crossbranch {

StackFreeSystem::StackFreeSystem(Labels labels, std::vector<Transition> transitions)
    : CandidateSystem(std::move(labels), std::move(transitions)) {
    open(Move::combine);
    settle();
}

void StackFreeSystem::allow_structural(const Forest& forest, const Configuration& from,
                                       Legal& legal) const {
    if (can_shift(forest, from))
        allow(legal, range(Move::shift));
    allow(legal, {first_open(), first_open() + forest.depth(from.stack)});
}

void StackFreeSystem::apply_structural(Forest& forest, Configuration& at, Transition taken) const {
    if (taken.move == Move::shift) {
        if (at.focus != no_vertex)
            at.stack = forest.push(at.stack, at.focus);
        at.focus = at.next++;
        return;
    }
    // The items above the taken one are put back in their order.
    std::vector<Vertex> above;
    CellId cell = at.stack;
    for (std::int32_t i = 0; i < taken.argument; ++i, cell = forest.cell(cell).below)
        above.push_back(forest.cell(cell).vertex);
    const Cell found = forest.cell(cell);
    at.focus = forest.make(candidate_label, true, found.vertex, at.focus, Side::left);
    at.stack = found.below;
    for (std::size_t i = above.size(); i-- > 0;)
        at.stack = forest.push(at.stack, above[i]);
}

}  // namespace crossbranch

#include "transitions/merge_label.hpp"

#include <stdexcept>

#include "transitions/aside.hpp"

namespace crossbranch {

void MergeLabelBase::apply_structural(Forest& forest, Configuration& at, Transition taken) const {
    if (taken.move == Move::gap) {
        for (std::int32_t i = 0; i < taken.argument; ++i)
            set_aside(forest, at);
        return;
    }
    if (taken.move == Move::shift) {
        if (at.focus != no_vertex)
            at.stack = forest.push(at.stack, at.focus);
        at.focus = at.next++;
        return;
    }
    const Cell top = forest.cell(at.stack);
    const Side head = taken.move == Move::merge_right ? Side::right : Side::left;
    at.focus = forest.make(candidate_label, true, top.vertex, at.focus, head);
    at.stack = flush(forest, top.below, at.aside);
    at.aside = no_cell;
    at.gapped_first = at.gapped_second = no_vertex;
}

MergeLabelSystem::MergeLabelSystem(Labels labels, std::vector<Transition> transitions,
                                   bool is_lexicalised)
    : MergeLabelBase(std::move(labels), std::move(transitions)), is_lexicalised_(is_lexicalised) {
    require({Move::gap, 1});
    if (is_lexicalised) {
        require({Move::merge_left});
        require({Move::merge_right});
    } else {
        require({Move::merge});
    }
    settle();
    if (range(Move::gap).end - range(Move::gap).begin > 1)
        throw std::invalid_argument("gap moves one item; cgap moves several");
}

void MergeLabelSystem::allow_structural(const Forest& forest, const Configuration& from,
                                        Legal& legal) const {
    if (can_shift(forest, from))
        allow(legal, range(Move::shift));
    if (forest.depth(from.stack) >= 2)
        allow(legal, range(Move::gap));
    if (from.stack == no_cell)
        return;
    if (is_lexicalised_) {
        allow(legal, range(Move::merge_left));
        allow(legal, range(Move::merge_right));
    } else {
        allow(legal, range(Move::merge));
    }
}

TransitionId MergeLabelSystem::toward(const Configuration&, std::int32_t i, Side head) const {
    if (i > 0)
        return range(Move::gap).begin;
    if (!is_lexicalised_)
        return range(Move::merge).begin;
    return range(head == Side::left ? Move::merge_left : Move::merge_right).begin;
}

CompoundMergeLabelSystem::CompoundMergeLabelSystem(Labels labels,
                                                   std::vector<Transition> transitions)
    : MergeLabelBase(std::move(labels), std::move(transitions)) {
    require({Move::merge});
    open(Move::gap);
    settle();
}

void CompoundMergeLabelSystem::allow_structural(const Forest& forest, const Configuration& from,
                                                Legal& legal) const {
    if (from.last == Move::gap) {
        allow(legal, range(Move::merge));
        return;
    }
    if (can_shift(forest, from))
        allow(legal, range(Move::shift));
    allow(legal, {first_open(), first_open() + forest.depth(from.stack)});
}

std::int32_t CompoundMergeLabelSystem::partner_count(const Forest& forest,
                                                     const Configuration& at) const {
    return at.last == Move::gap ? 1 : forest.depth(at.stack);
}

TransitionId CompoundMergeLabelSystem::toward(const Configuration& at, std::int32_t i, Side) const {
    return at.last == Move::gap ? range(Move::merge).begin : first_open() + i;
}

}  // namespace crossbranch

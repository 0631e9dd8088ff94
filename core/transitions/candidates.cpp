#include "transitions/candidates.hpp"

namespace crossbranch {

CandidateSystem::CandidateSystem(Labels given, std::vector<Transition> transitions)
    : System(std::move(given), std::move(transitions)) {
    require({Move::unlabelled});
    require_some(Move::label, LabelKind::plain);
    require_some(Move::label, LabelKind::root);
}

bool CandidateSystem::is_labelling(const Configuration& at) {
    switch (at.last) {
        case Move::shift:
        case Move::merge:
        case Move::merge_left:
        case Move::merge_right:
        case Move::combine:
            return true;
        default:
            return false;
    }
}

bool CandidateSystem::is_final(const Forest& forest, const Configuration& at) const {
    return at.last == Move::idle
               ? at.focus != no_vertex
               : at.last == Move::label && forest.node(at.focus).size == forest.token_count();
}

void CandidateSystem::find_legal(const Forest& forest, const Configuration& from,
                                 Legal& legal) const {
    legal.clear();
    if (is_final(forest, from)) {
        allow(legal, range(Move::idle));
    } else if (!is_labelling(from)) {
        allow_structural(forest, from, legal);
    } else if (forest.node(from.focus).size == forest.token_count()) {
        allow(legal, range(Move::label, LabelKind::root));
    } else {
        allow(legal, range(Move::label, LabelKind::plain));
        allow(legal, range(Move::unlabelled));
    }
}

Configuration CandidateSystem::apply(Forest& forest, const Configuration& from,
                                     TransitionId transition) const {
    const Transition taken = this->transition(transition);
    Configuration to = from;
    to.last = taken.move;
    if (taken.move == Move::label)
        to.focus = forest.make(taken.argument, false, from.focus, no_vertex, Side::left);
    else if (is_labelling(to) || taken.move == Move::gap)
        apply_structural(forest, to, taken);
    return to;  // NO-LABEL and IDLE change nothing
}

}  // namespace crossbranch

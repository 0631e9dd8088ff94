#include "transitions/gap.hpp"

#include <stdexcept>

#include "transitions/aside.hpp"

namespace crossbranch {

Configuration GapBase::apply(Forest& forest, const Configuration& from,
                             TransitionId transition) const {
    const Transition& taken = this->transition(transition);
    Configuration to = from;
    to.last = taken.move;
    switch (taken.move) {
        case Move::shift:
            to.stack = flush(forest, from.stack, from.aside);
            if (from.focus != no_vertex)
                to.stack = forest.push(to.stack, from.focus);
            to.focus = to.next++;
            break;
        case Move::unary:
            to.focus = reduce(forest, taken, from.focus, no_vertex);
            break;
        case Move::left:
        case Move::right:
            to.focus = reduce(forest, taken, forest.cell(from.stack).vertex, from.focus);
            to.stack = flush(forest, forest.cell(from.stack).below, from.aside);
            break;
        case Move::gap:
            for (std::int32_t i = 0; i < taken.argument; ++i)
                set_aside(forest, to);
            return to;
        default:
            return to;  // ghost and idle change nothing
    }
    to.aside = no_cell;
    to.gapped_first = to.gapped_second = no_vertex;
    return to;
}

bool GapBase::is_final(const Forest& forest, const Configuration& at) const {
    return at.next == forest.token_count() && at.stack == no_cell && at.focus != no_vertex &&
           is_root(forest, at.focus);
}

void GapBase::allow_unary(const Forest& forest, Legal& legal) const {
    allow(legal,
          range(Move::unary, forest.token_count() == 1 ? LabelKind::root : LabelKind::plain));
}

void GapBase::allow_binary(const Forest& forest, const Configuration& from, bool allows_temporary,
                           Legal& legal) const {
    if (from.stack == no_cell)
        return;
    const bool at_end =
        from.next == forest.token_count() && forest.depth(from.stack) == 1 && from.aside == no_cell;
    const auto allow_labels = [&](Move move) {
        if (at_end) {
            allow(legal, range(move, LabelKind::root));
            return;
        }
        allow(legal, range(move, LabelKind::plain));
        if (allows_temporary)
            allow(legal, range(move, LabelKind::temporary));
    };
    if (forest.is_firm(from.focus))
        allow_labels(Move::left);
    if (forest.is_firm(forest.cell(from.stack).vertex))
        allow_labels(Move::right);
}

GapSystem::GapSystem(Labels labels, std::vector<Transition> transitions,
                     const SystemOptions& options)
    : GapBase(std::move(labels), std::move(transitions)), is_continuous_(options.is_continuous) {
    require_reductions();
    if (is_continuous_)
        drop(Move::gap, 0);
    else
        require({Move::gap, 1});
    settle();
    if (range(Move::gap).end - range(Move::gap).begin > 1)
        throw std::invalid_argument("gap moves one item; cgap moves several");
}

void GapSystem::find_legal(const Forest& forest, const Configuration& from, Legal& legal) const {
    legal.clear();
    if (is_final(forest, from)) {
        allow(legal, range(Move::idle));
        return;
    }
    const bool queue_is_empty = from.next == forest.token_count();
    if (!queue_is_empty && from.last != Move::gap)
        allow(legal, range(Move::shift));
    if (from.focus == no_vertex)
        return;
    if (from.last == Move::shift)
        allow_unary(forest, legal);
    if (from.stack == no_cell)
        return;
    allow_binary(forest, from, !queue_is_empty || finds_partner(forest, from), legal);
    const CellId below = forest.cell(from.stack).below;
    if (below != no_cell && (forest.is_firm(from.focus) || forest.firm(below) > 0))
        allow(legal, range(Move::gap));
}

// Whether, after a reduction here, GAPs can reach an item that is not temporary. Without GAPs, it
// must be the next one.
bool GapSystem::finds_partner(const Forest& forest, const Configuration& from) const {
    const CellId below = forest.cell(from.stack).below;
    if (is_continuous_)
        return below != no_cell && forest.is_firm(forest.cell(below).vertex);
    return forest.firm(below) + forest.firm(from.aside) > 0;
}

CompoundGapSystem::CompoundGapSystem(Labels labels, std::vector<Transition> transitions,
                                     const SystemOptions& options)
    : GapBase(std::move(labels), std::move(transitions)) {
    require_reductions();
    require({Move::ghost});
    if (options.is_continuous)
        drop(Move::gap, 1);
    require_amounts(Move::gap, 0, 0);
    settle();
    const auto [begin, end] = range(Move::gap);
    largest_ = end - begin - 1;
}

void CompoundGapSystem::find_legal(const Forest& forest, const Configuration& from,
                                   Legal& legal) const {
    legal.clear();
    if (is_final(forest, from)) {
        allow(legal, range(Move::idle));
    } else if (from.last == Move::shift) {
        allow_unary(forest, legal);
        if (forest.token_count() > 1)
            allow(legal, range(Move::ghost));
    } else if (from.last == Move::gap) {
        allow_binary(forest, from, from.next < forest.token_count() || finds_partner(forest, from),
                     legal);
    } else {
        if (from.next < forest.token_count())
            allow(legal, range(Move::shift));
        if (from.focus != no_vertex)
            allow_gaps(forest, from, legal);
    }
}

// A GAP is legal if the reduction that must follow is legal: at most one partner is temporary.
void CompoundGapSystem::allow_gaps(const Forest& forest, const Configuration& from,
                                   Legal& legal) const {
    const TransitionId first = range(Move::gap).begin;
    CellId cell = from.stack;
    for (std::int32_t i = 0; i <= largest_ && cell != no_cell; ++i) {
        if (forest.is_firm(from.focus) || forest.is_firm(forest.cell(cell).vertex))
            allow(legal, {first + i, first + i + 1});
        cell = forest.cell(cell).below;
    }
}

// Whether, after a reduction here, a GAP can reach an item that is not temporary.
bool CompoundGapSystem::finds_partner(const Forest& forest, const Configuration& from) const {
    const std::int32_t gapped = forest.depth(from.aside);
    // Then the gapped items are on top of the stack, and a GAP can reach all of them.
    if (forest.firm(from.aside) > 0)
        return true;
    CellId cell = forest.cell(from.stack).below;
    for (std::int32_t i = gapped; i <= largest_ && cell != no_cell; ++i) {
        if (forest.is_firm(forest.cell(cell).vertex))
            return true;
        cell = forest.cell(cell).below;
    }
    return false;
}

}  // namespace crossbranch

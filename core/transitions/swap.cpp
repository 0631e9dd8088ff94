#include "transitions/swap.hpp"

#include <algorithm>

namespace crossbranch {

namespace {

bool queue_has_firm(const Forest& forest, const Configuration& at) {
    return at.next < forest.token_count() || forest.firm(at.aside) > 0;
}

bool is_queue_empty(const Forest& forest, const Configuration& at) {
    return at.next == forest.token_count() && at.aside == no_cell;
}

}  // namespace

SwapSystem::SwapSystem(Labels given, std::vector<Transition> seen, bool is_compound,
                       const SystemOptions& options)
    : System(std::move(given), std::move(seen)), options_(options) {
    require_reductions();
    require({Move::finish});
    if (options.is_continuous)
        drop(Move::swap, 0);
    else
        require_amounts(Move::swap, 1, 1);
    require_bases();
    settle();
    if (!is_compound && range(Move::swap).end - range(Move::swap).begin > 1)
        throw std::invalid_argument("swap moves one item; cswap moves several");
    if (!options.is_continuous && transition(range(Move::swap).begin).argument != 1)
        throw std::invalid_argument("a swap moves at least one item");
}

// A temporary item is reduced to its base label, so there must be transitions for it. If that is
// the label of a root, which comes only at the end, it is reduced to the temporary label until
// then.
void SwapSystem::require_bases() {
    for (Label label = 0; label < labels().count(); ++label) {
        if (!labels().is_temporary(label))
            continue;
        const Label base = labels().base(label);
        for (const Move move : {Move::left, Move::right}) {
            require({move, base});
            if (labels().kind(base) == LabelKind::root)
                require({move, label});
        }
    }
}

bool SwapSystem::is_whole(const Forest& forest, const Configuration& at) const {
    return is_queue_empty(forest, at) && at.stack == no_cell && at.focus != no_vertex &&
           is_root(forest, at.focus);
}

// The system never gets stuck: one of s0, s1 and the items of the queue is always not temporary, or
// swaps can make such an item s1. It can take up all others one by one. SHIFT and temporary labels
// are restricted so that this stays true.
void SwapSystem::find_legal(const Forest& forest, const Configuration& from, Legal& legal) const {
    legal.clear();
    if (from.is_finished) {
        allow(legal, range(Move::idle));
        return;
    }
    const bool has_firm = queue_has_firm(forest, from);
    const bool is_empty = is_queue_empty(forest, from);
    const bool at_end = is_empty && forest.depth(from.stack) == 0;
    if (is_whole(forest, from)) {
        allow(legal, range(Move::finish));
        return;
    }
    if (!is_empty && (from.focus == no_vertex || forest.is_firm(from.focus) || has_firm))
        allow(legal, range(Move::shift));
    if (from.focus == no_vertex)
        return;
    if (forest.is_firm(from.focus))
        allow_unary(forest, from, at_end, legal);
    if (from.stack != no_cell) {
        allow_binary(forest, from, is_empty && forest.depth(from.stack) == 1, legal);
        allow_swaps(forest, from, legal);
    }
}

void SwapSystem::allow_unary(const Forest& forest, const Configuration& from, bool at_end,
                             Legal& legal) const {
    if (from.unaries < options_.unary_limit) {
        const auto [begin, end] = range(Move::unary, LabelKind::plain);
        const Label label = forest.node(from.focus).label;
        const TransitionId same =
            options_.repeats_unaries || label == no_label ? -1 : find({Move::unary, label});
        if (same < 0) {
            allow(legal, {begin, end});
        } else {
            allow(legal, {begin, same});
            allow(legal, {same + 1, end});
        }
    }
    if (at_end)
        allow(legal, range(Move::unary, LabelKind::root));
}

// Zhang & Clark (2009): at most one item is temporary, a temporary item is the head, and the new
// label has the same base, temporary or not.
void SwapSystem::allow_binary(const Forest& forest, const Configuration& from, bool at_end,
                              Legal& legal) const {
    const Cell& top = forest.cell(from.stack);
    const bool left_is_firm = forest.is_firm(top.vertex);
    const bool right_is_firm = forest.is_firm(from.focus);
    const bool allows_temporary = queue_has_firm(forest, from) || finds_partner(forest, from);
    if (right_is_firm)
        allow_labels(Move::left, left_is_firm ? no_vertex : top.vertex, forest, at_end,
                     allows_temporary, legal);
    if (left_is_firm)
        allow_labels(Move::right, right_is_firm ? no_vertex : from.focus, forest, at_end,
                     allows_temporary, legal);
}

void SwapSystem::allow_labels(Move move, Vertex temporary, const Forest& forest, bool at_end,
                              bool allows_temporary, Legal& legal) const {
    if (temporary == no_vertex) {
        allow(legal, range(move, LabelKind::plain));
        if (allows_temporary)
            allow(legal, range(move, LabelKind::temporary));
        if (at_end)
            allow(legal, range(move, LabelKind::root));
        return;
    }
    const Label label = forest.node(temporary).label;
    const Label base = labels().base(label);
    if (labels().kind(base) == LabelKind::plain)
        allow(legal, range(Transition{move, base}));
    else if (!at_end && !allows_temporary)
        allow(legal, range(move, LabelKind::plain));  // too early for the root: or it gets stuck
    if (allows_temporary)
        allow(legal, range(Transition{move, label}));
    if (at_end)
        for (Label root = 0; root < labels().count(); ++root)
            if (labels().kind(root) == LabelKind::root && labels().base(root) == base)
                allow(legal, range(Transition{move, root}));
}

// Whether, after a reduction here, the next item on the stack is not temporary, or legal swaps can
// bring such an item there.
bool SwapSystem::finds_partner(const Forest& forest, const Configuration& from) const {
    const Cell& top = forest.cell(from.stack);
    const std::int32_t first =
        std::min(forest.node(top.vertex).first(), forest.node(from.focus).first());
    for (CellId cell = top.below; cell != no_cell; cell = forest.cell(cell).below) {
        const Vertex item = forest.cell(cell).vertex;
        if (forest.is_firm(item))
            return true;
        if (!options_.swaps_nonterminals || options_.is_continuous ||
            forest.node(item).first() > first)
            return false;
    }
    return false;
}

// Only items that come before s0 in the sentence: two items are swapped at most once.
void SwapSystem::allow_swaps(const Forest& forest, const Configuration& from, Legal& legal) const {
    // Compound swaps are as large as possible, unless a temporary s0 must go further to a partner.
    if (from.last == Move::swap && range(Move::swap).end - range(Move::swap).begin > 1 &&
        (forest.is_firm(from.focus) || queue_has_firm(forest, from)))
        return;
    const auto [begin, end] = range(Move::swap);
    TransitionId last = begin;
    CellId cell = from.stack;
    for (; last < end && cell != no_cell; ++last, cell = forest.cell(cell).below) {
        const ForestNode& item = forest.node(forest.cell(cell).vertex);
        if (item.first() > forest.node(from.focus).first() ||
            (!options_.swaps_nonterminals && !item.is_token()))
            break;
    }
    allow(legal, {begin, last});
}

Configuration SwapSystem::apply(Forest& forest, const Configuration& from,
                                TransitionId transition) const {
    const Transition& taken = this->transition(transition);
    Configuration to = from;
    to.last = taken.move;
    to.unaries = 0;
    switch (taken.move) {
        case Move::shift:
            if (from.focus != no_vertex)
                to.stack = forest.push(from.stack, from.focus);
            if (from.aside != no_cell) {
                to.focus = forest.cell(from.aside).vertex;
                to.aside = forest.cell(from.aside).below;
            } else {
                to.focus = to.next++;
            }
            break;
        case Move::unary:
            to.focus = reduce(forest, taken, from.focus, no_vertex);
            to.unaries = from.unaries + 1;
            break;
        case Move::left:
        case Move::right:
            to.focus = reduce(forest, taken, forest.cell(from.stack).vertex, from.focus);
            to.stack = forest.cell(from.stack).below;
            break;
        case Move::swap:
            for (std::int32_t i = 0; i < taken.argument; ++i) {
                to.aside = forest.push(to.aside, forest.cell(to.stack).vertex);
                to.stack = forest.cell(to.stack).below;
            }
            break;
        case Move::finish:
            to.is_finished = true;
            break;
        default:
            break;
    }
    return to;
}

Vertex SwapSystem::queue_item(const Forest& forest, const Configuration& at, std::int32_t i) const {
    CellId cell = at.aside;
    for (; i > 0 && cell != no_cell; --i)
        cell = forest.cell(cell).below;
    if (cell != no_cell)
        return forest.cell(cell).vertex;
    return at.next + i < forest.token_count() ? at.next + i : no_vertex;
}

}  // namespace crossbranch

#include "transitions/span_oracle.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace crossbranch {

// The items of a configuration as spans.
struct SpanOracle::Items {
    Items(const CandidateSystem& system, const Forest& forest, const Configuration& at)
        : focus(span_of(forest, forest.node(at.focus))),
          last(forest.node(at.focus).last()),
          is_labelling(system.is_labelling(at)),
          can_shift(system.can_shift(forest, at)),
          partner_count(static_cast<std::size_t>(system.partner_count(forest, at))) {
        others.reserve(static_cast<std::size_t>(forest.depth(at.stack) + forest.depth(at.aside)));
        for (const CellId top : {at.stack, at.aside})
            for (CellId cell = top; cell != no_cell; cell = forest.cell(cell).below)
                others.push_back(span_of(forest, forest.node(forest.cell(cell).vertex)));
    }

    Span focus;
    std::int32_t last;  // token of the focus
    bool is_labelling;
    bool can_shift;
    std::size_t partner_count;  // how many of the others can be joined with the focus now
    std::vector<Span> others;   // the stack from its top, then the items set aside
    std::vector<bool> must_wait = std::vector<bool>(partner_count);  // for `preferred_part`
};

SpanOracle::SpanOracle(std::shared_ptr<const System> system, GoldSpans gold, Preference preference)
    : system_(std::dynamic_pointer_cast<const CandidateSystem>(std::move(system))),
      gold_(std::move(gold)),
      preference_(preference) {
    if (!system_)
        throw std::invalid_argument("this oracle is for ML-GAP and stack-free parsing");
    for (const GoldConstituent& one : gold_.constituents()) {
        const bool is_known = one.label >= 0 && one.label < system_->labels().count();
        const bool is_root = one.size == gold_.token_count();
        labels_.push_back(system_->find({Move::label, one.label}));
        if (!is_known || labels_.back() < 0 ||
            (system_->labels().kind(one.label) == LabelKind::root) != is_root)
            throw std::invalid_argument("the system cannot build a " +
                                        std::string(is_root ? "root" : "node") +
                                        " with the label " + std::to_string(one.label));
    }
}

TransitionId SpanOracle::best(const Forest& forest, const Configuration& at) const {
    check(forest);
    if (system_->is_final(forest, at))
        return system_->idle();
    if (system_->is_labelling(at))
        return label(forest, at);
    if (at.focus == no_vertex)
        return system_->shift();
    Items items(*system_, forest, at);
    const std::size_t part = preferred_part(items);
    if (part < items.partner_count)
        return join(items, at, part);
    if (items.can_shift)
        return system_->shift();
    // After a GAP that was a mistake, or the part to join with is set aside.
    const std::vector<std::size_t> lost = losses(items);
    return join(items, at, static_cast<std::size_t>(std::ranges::min_element(lost) - lost.begin()));
}

void SpanOracle::optimal(const Forest& forest, const Configuration& at,
                         std::vector<TransitionId>& ids) const {
    check(forest);
    ids.clear();
    if (system_->is_final(forest, at))
        return;
    if (system_->is_labelling(at)) {
        ids.push_back(label(forest, at));
        return;
    }
    if (at.focus == no_vertex) {
        ids.push_back(system_->shift());
        return;
    }
    const Items items(*system_, forest, at);
    const std::vector<std::size_t> lost = losses(items);
    const std::size_t least = std::ranges::min(lost);
    if (items.can_shift && lost.back() == least)
        ids.push_back(system_->shift());
    for (std::size_t i = 0; i < items.partner_count; ++i)
        if (lost[i] == least)
            for (const Side head : {Side::left, Side::right})
                ids.push_back(system_->toward(at, static_cast<std::int32_t>(i), head));
    std::ranges::sort(ids);
    const auto rest = std::ranges::unique(ids);
    ids.erase(rest.begin(), rest.end());
}

void SpanOracle::reach(const Forest& forest, const Configuration& at,
                       std::vector<std::size_t>& places) const {
    check(forest);
    places.clear();
    if (at.focus == no_vertex) {
        for (std::size_t i = 0; i < gold_.size(); ++i)
            places.push_back(i);
        return;
    }
    const Items items(*system_, forest, at);
    for (std::size_t i = gold_.first_from(items.last); i < gold_.size(); ++i)
        if (is_reachable(items, gold_.constituents()[i]) &&
            (at.last != Move::gap || survives_merge(items, gold_.constituents()[i])))
            places.push_back(i);
}

bool SpanOracle::is_on_the_way(const Forest& forest, const Configuration& at) const {
    check(forest);
    std::vector<std::size_t> places;
    reach(forest, at, places);
    std::size_t found = places.size();
    std::vector<Vertex> open;
    for (const CellId top : {at.stack, at.aside})
        for (CellId cell = top; cell != no_cell; cell = forest.cell(cell).below)
            open.push_back(forest.cell(cell).vertex);
    if (at.focus != no_vertex)
        open.push_back(at.focus);
    while (!open.empty()) {
        const ForestNode& node = forest.node(open.back());
        open.pop_back();
        if (node.label >= 0) {
            const std::size_t i = gold_.find(forest, node);
            if (i == gold_.size() || gold_.constituents()[i].label != node.label)
                return false;
            ++found;
        }
        for (const Vertex child : {node.left, node.right})
            if (child != no_vertex)
                open.push_back(child);
    }
    if (found < gold_.size())
        return false;
    if (at.focus == no_vertex || system_->is_labelling(at) || system_->is_final(forest, at))
        return true;
    return std::ranges::min(losses(Items(*system_, forest, at))) == 0;
}

std::vector<TransitionId> SpanOracle::derive(Forest& forest) const {
    std::vector<TransitionId> taken;
    taken.reserve(5 * static_cast<std::size_t>(gold_.token_count()));
    forest.reset(gold_.token_count());
    Configuration at;
    while (!system_->is_final(forest, at)) {
        taken.push_back(best(forest, at));
        at = system_->apply(forest, at, taken.back());
    }
    return taken;
}

TransitionId SpanOracle::label(const Forest& forest, const Configuration& at) const {
    const std::size_t i = gold_.find(forest, forest.node(at.focus));
    return i < gold_.size() ? labels_[i] : system_->unlabelled();
}

// The head is that of the smallest constituent with both items.
TransitionId SpanOracle::join(const Items& items, const Configuration& at, std::size_t i) const {
    Side head = Side::left;
    if (system_->has_heads()) {
        const auto& all = gold_.constituents();
        std::size_t k = gold_.first_from(items.last);
        while (!all[k].span.contains(items.focus) || !all[k].span.contains(items.others[i]))
            ++k;  // the root has both
        if (items.focus.test(static_cast<Index>(all[k].head)))
            head = Side::right;
    }
    return system_->toward(at, static_cast<std::int32_t>(i), head);
}

bool SpanOracle::is_reachable(const Items& items, const GoldConstituent& gold) const {
    const auto fits = [&](const Span& item) {
        return gold.span.contains(item) || !gold.span.intersects(item);
    };
    return fits(items.focus) && std::ranges::all_of(items.others, fits) &&
           (items.is_labelling || gold.span != items.focus);
}

// Whether a constituent is still reachable after some merge of the focus with a partner.
bool SpanOracle::survives_merge(const Items& items, const GoldConstituent& gold) {
    const bool contains_focus = gold.span.contains(items.focus);
    for (std::size_t i = 0; i < items.partner_count; ++i)
        if (gold.span.contains(items.others[i]) == contains_focus)
            return true;
    return false;
}

// The item that the focus should be joined with: another part of the smallest reachable constituent
// that contains the focus, but no part of a smaller one that is still to be built. There may be
// none: partner_count.
std::size_t SpanOracle::preferred_part(Items& items) const {
    for (std::size_t i = gold_.first_from(items.last); i < gold_.size(); ++i) {
        const GoldConstituent& gold = gold_.constituents()[i];
        if (!is_reachable(items, gold))
            continue;
        if (gold.span.contains(items.focus))
            return preferred_part(items, gold);
        if (preference_ == Preference::next)
            break;
        for (std::size_t k = 0; k < items.partner_count; ++k)
            if (gold.span.contains(items.others[k]))
                items.must_wait[k] = true;
    }
    return items.partner_count;
}

std::size_t SpanOracle::preferred_part(const Items& items, const GoldConstituent& gold) const {
    const auto head = static_cast<Index>(gold.head);
    const bool needs_head = system_->has_heads() && !items.focus.test(head);
    for (std::size_t i = 0; i < items.partner_count; ++i)
        if (!items.must_wait[i] &&
            (needs_head ? items.others[i].test(head) : gold.span.contains(items.others[i])))
            return i;
    return items.partner_count;
}

// How many reachable constituents are lost if the focus is joined with each partner; at the end,
// the same for a SHIFT, or a large number if that is not legal.
std::vector<std::size_t> SpanOracle::losses(const Items& items) const {
    std::vector<std::size_t> lost(items.partner_count + 1, 0);
    if (!items.can_shift)
        lost.back() = gold_.size() + 1;
    for (std::size_t i = gold_.first_from(items.last); i < gold_.size(); ++i) {
        const GoldConstituent& gold = gold_.constituents()[i];
        if (!is_reachable(items, gold))
            continue;
        const bool contains_focus = gold.span.contains(items.focus);
        for (std::size_t k = 0; k < items.partner_count; ++k)
            if (gold.span.contains(items.others[k]) != contains_focus)
                ++lost[k];
        if (gold.last == items.last)
            ++lost.back();
    }
    return lost;
}

void SpanOracle::check(const Forest& forest) const {
    if (forest.token_count() != gold_.token_count())
        throw std::invalid_argument("the sentence has " + std::to_string(forest.token_count()) +
                                    " tokens, the gold tree " +
                                    std::to_string(gold_.token_count()));
}

}  // namespace crossbranch

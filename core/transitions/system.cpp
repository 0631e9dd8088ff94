#include "transitions/system.hpp"

#include <algorithm>
#include <stdexcept>

#include "transitions/gap.hpp"
#include "transitions/merge_label.hpp"
#include "transitions/stack_free.hpp"
#include "transitions/swap.hpp"

namespace crossbranch {

namespace {

constexpr std::size_t most_transitions = 65'535;  // weights have 16 bits for their numbers

bool has_label(Move move) {
    return move == Move::unary || move == Move::left || move == Move::right || move == Move::label;
}

bool has_amount(Move move) {
    return move == Move::gap || move == Move::swap || move == Move::combine;
}

void check(const Labels& labels) {
    const auto count = labels.count();
    if (labels.bases.size() != labels.kinds.size())
        throw std::invalid_argument("labels have as many kinds as bases");
    for (const LabelKind kind : {LabelKind::plain, LabelKind::root})
        if (std::ranges::find(labels.kinds, kind) == labels.kinds.end())
            throw std::invalid_argument("labels need a plain one and a root");
    for (const Label base : labels.bases)
        if (base < 0 || base >= count || labels.is_temporary(base))
            throw std::invalid_argument("the base of a label is a label that is not temporary");
}

void check(const Labels& labels, const std::vector<Transition>& transitions) {
    for (const auto& [move, argument] : transitions) {
        const auto end = has_label(move)    ? labels.count()
                         : has_amount(move) ? static_cast<std::int32_t>(most_transitions)
                                            : 1;
        if (argument < 0 || argument >= end)
            throw std::invalid_argument("a transition has the argument " +
                                        std::to_string(argument));
        if (move == Move::unary && labels.is_temporary(argument))
            throw std::invalid_argument("a temporary label has two children");
        if (move == Move::label && labels.is_temporary(argument))
            throw std::invalid_argument("only binarization makes temporary labels");
    }
}

}  // namespace

System::System(Labels labels, std::vector<Transition> transitions)
    : labels_(std::move(labels)), transitions_(std::move(transitions)) {
    check(labels_);
    check(labels_, transitions_);
    require({Move::shift});
    require({Move::idle});
}

void System::require_reductions() {
    for (const Move move : {Move::left, Move::right})
        for (const LabelKind kind : {LabelKind::plain, LabelKind::root})
            require_some(move, kind);
    require_some(Move::unary, LabelKind::root);
}

void System::require_some(Move move, LabelKind kind) {
    const auto fits = [&](const Transition& t) {
        return t.move == move && labels_.kind(t.argument) == kind;
    };
    if (std::ranges::any_of(transitions_, fits))
        return;
    const auto first = std::ranges::find(labels_.kinds, kind) - labels_.kinds.begin();
    require({move, static_cast<Label>(first)});
}

void System::require_amounts(Move move, std::int32_t first, std::int32_t least) {
    std::int32_t largest = least;
    for (const Transition& transition : transitions_)
        if (transition.move == move)
            largest = std::max(largest, transition.argument);
    for (std::int32_t amount = first; amount <= largest; ++amount)
        require({move, amount});
}

void System::drop(Move move, std::int32_t least) {
    std::erase_if(transitions_,
                  [&](const Transition& t) { return t.move == move && t.argument >= least; });
}

void System::open(Move move) {
    open_move_ = move;
    drop(move, 0);
}

void System::settle() {
    const auto kind = [&](const Transition& t) {
        return has_label(t.move) ? labels_.kind(t.argument) : LabelKind::plain;
    };
    const auto key = [&](const Transition& t) { return std::tuple(t.move, kind(t), t.argument); };
    std::ranges::sort(transitions_, {}, key);
    const auto rest = std::ranges::unique(transitions_);
    transitions_.erase(rest.begin(), rest.end());
    if (transitions_.size() > most_transitions)
        throw std::invalid_argument("a system has " + std::to_string(transitions_.size()) +
                                    " transitions, expected at most " +
                                    std::to_string(most_transitions));
    for (TransitionId id = 0; id < static_cast<TransitionId>(transitions_.size()); ++id) {
        const Transition& found = transition(id);
        TransitionRange& place =
            ranges_[static_cast<std::size_t>(found.move)][static_cast<std::size_t>(kind(found))];
        if (place.begin == place.end)
            place.begin = id;
        place.end = id + 1;
    }
    idle_ = find({Move::idle});
}

TransitionId System::find(Transition wanted) const {
    if (wanted.move == open_move_)
        return wanted.argument < 0 ? -1 : first_open() + wanted.argument;
    const LabelKind kind =
        has_label(wanted.move) && wanted.argument >= 0 && wanted.argument < labels_.count()
            ? labels_.kind(wanted.argument)
            : LabelKind::plain;
    const auto [begin, end] = range(wanted.move, kind);
    const auto first = transitions_.begin() + begin;
    const auto last = transitions_.begin() + end;
    const auto found = std::ranges::lower_bound(first, last, wanted);
    return found != last && *found == wanted
               ? static_cast<TransitionId>(found - transitions_.begin())
               : -1;
}

TransitionRange System::range(Move move) const {
    return range(move, LabelKind::plain);
}

TransitionRange System::range(Move move, LabelKind kind) const {
    return ranges_[static_cast<std::size_t>(move)][static_cast<std::size_t>(kind)];
}

TransitionRange System::range(Transition transition) const {
    const TransitionId id = find(transition);
    return id < 0 ? TransitionRange{0, 0} : TransitionRange{id, id + 1};
}

Vertex System::reduce(Forest& forest, const Transition& transition, Vertex left,
                      Vertex right) const {
    const Side head = transition.move == Move::right ? Side::right : Side::left;
    return forest.make(transition.argument, labels_.is_temporary(transition.argument), left, right,
                       head);
}

std::shared_ptr<const System> make_system(std::string_view name, Labels labels,
                                          std::vector<Transition> transitions,
                                          const SystemOptions& options) {
    if (name == "gap")
        return std::make_shared<GapSystem>(std::move(labels), std::move(transitions), options);
    if (name == "cgap")
        return std::make_shared<CompoundGapSystem>(std::move(labels), std::move(transitions),
                                                   options);
    if (name == "swap" || name == "cswap")
        return std::make_shared<SwapSystem>(std::move(labels), std::move(transitions),
                                            name == "cswap", options);
    if (name == "ml-gap" || name == "ml-gap-lex")
        return std::make_shared<MergeLabelSystem>(std::move(labels), std::move(transitions),
                                                  name == "ml-gap-lex");
    if (name == "ml-cgap")
        return std::make_shared<CompoundMergeLabelSystem>(std::move(labels),
                                                          std::move(transitions));
    if (name == "stack-free")
        return std::make_shared<StackFreeSystem>(std::move(labels), std::move(transitions));
    throw std::invalid_argument("there is no transition system " + std::string(name));
}

}  // namespace crossbranch

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>

#include "bindings/systems.hpp"
#include "convert.hpp"
#include "topics.hpp"
#include "transitions/system.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

std::vector<TransitionId> legal(HeldConfiguration& self) {
    std::vector<TransitionId> ids;
    for (const auto& [begin, end] : self.legal())
        for (TransitionId id = begin; id < end; ++id)
            ids.push_back(id);
    return ids;
}

const ForestNode& node_of(const HeldConfiguration& self, Vertex vertex) {
    if (vertex < 0 || vertex >= self.forest().node_count())
        throw std::invalid_argument("there is no vertex " + std::to_string(vertex));
    return self.forest().node(vertex);
}

std::vector<std::pair<std::int32_t, std::int32_t>> blocks_of(const HeldConfiguration& self,
                                                             Vertex vertex) {
    const ForestNode& node = node_of(self, vertex);
    std::vector<std::pair<std::int32_t, std::int32_t>> blocks;
    for (std::uint32_t i = 0; i < node.block_count; ++i) {
        const auto [start, stop] = self.forest().block(node, i);
        blocks.emplace_back(start, stop);
    }
    return blocks;
}

std::shared_ptr<SystemHolder> make(const std::string& name, const std::vector<int>& kinds,
                                   std::vector<Label> bases,
                                   const std::vector<std::pair<int, std::int32_t>>& transitions,
                                   std::int32_t unary_limit, bool repeats_unaries,
                                   bool swaps_nonterminals, bool is_continuous) {
    Labels labels{{}, std::move(bases)};
    for (const int kind : kinds) {
        if (kind < 0 || kind >= static_cast<int>(label_kind_count))
            throw std::invalid_argument("there is no kind of label " + std::to_string(kind));
        labels.kinds.push_back(static_cast<LabelKind>(kind));
    }
    std::vector<Transition> seen;
    for (const auto& [move, argument] : transitions)
        seen.push_back(to_transition(move, argument));
    return std::make_shared<SystemHolder>(
        name, make_system(name, std::move(labels), std::move(seen),
                          {unary_limit, repeats_unaries, swaps_nonterminals, is_continuous}));
}

void bind_moves(nb::module_& module) {
    nb::enum_<Move>(module, "Move", nb::is_arithmetic(), "What a transition does.")
        .value("SHIFT", Move::shift)
        .value("UNARY", Move::unary)
        .value("LEFT", Move::left)
        .value("RIGHT", Move::right)
        .value("GAP", Move::gap)
        .value("SWAP", Move::swap)
        .value("GHOST", Move::ghost)
        .value("FINISH", Move::finish)
        .value("IDLE", Move::idle)
        .value("MERGE", Move::merge)
        .value("MERGE_LEFT", Move::merge_left)
        .value("MERGE_RIGHT", Move::merge_right)
        .value("COMBINE", Move::combine)
        .value("LABEL", Move::label)
        .value("NO_LABEL", Move::unlabelled);
}

}  // namespace

Transition to_transition(int move, std::int32_t argument) {
    if (move < 0 || move >= static_cast<int>(move_count))
        throw std::invalid_argument("there is no move " + std::to_string(move));
    return {static_cast<Move>(move), argument};
}

void bind_transitions(nb::module_& module) {
    bind_moves(module);
    nb::class_<SystemHolder>(module, "System",
                             "A transition system: its labels and its inventory of transitions.")
        .def(nb::new_(&make), "name"_a, "kinds"_a, "bases"_a, "transitions"_a, nb::kw_only(),
             "unary_limit"_a = 3, "repeats_unaries"_a = false, "swaps_nonterminals"_a = false,
             "is_continuous"_a = false,
             R"(Make a system from labels and the transitions that were seen.

Args:
    name: gap, cgap, swap, cswap, ml-gap, ml-gap-lex, ml-cgap or stack-free.
    kinds: The kind of each label: 0 plain, 1 temporary, 2 root.
    bases: The base of each label: the label behind a temporary label; of a root, the plain label
        with the same name, if there is one; otherwise the label itself.
    transitions: Pairs (move, argument). Some are added, so that no legal walk gets stuck.
    unary_limit: swap: the number of unary reductions allowed in a row, without that to the root.
    repeats_unaries: swap: whether a node may have an only child with the same label.
    swaps_nonterminals: swap: whether more than single tokens can be swapped.
    is_continuous: gap, cgap, swap, cswap: whether there is no GAP or SWAP.)")
        .def_ro("name", &SystemHolder::name)
        .def_prop_ro(
            "transitions",
            [](const SystemHolder& self) {
                std::vector<std::pair<int, std::int32_t>> found;
                for (const auto& [move, argument] : self.value->transitions())
                    found.emplace_back(static_cast<int>(move), argument);
                return found;
            },
            "Pairs (move, argument), without those of the open move.")
        .def_prop_ro(
            "open_move",
            [](const SystemHolder& self) -> std::optional<int> {
                const auto move = self.value->open_move();
                return move ? std::optional(static_cast<int>(*move)) : std::nullopt;
            },
            "A move whose argument has no limit. Its numbers follow after all transitions.")
        .def(
            "transition",
            [](const SystemHolder& self, TransitionId id) {
                const System& system = *self.value;
                if (id < 0 || (id >= system.first_open() && !system.open_move()))
                    throw std::invalid_argument("there is no transition " + std::to_string(id));
                const auto [move, argument] = system.transition(id);
                return std::pair{static_cast<int>(move), argument};
            },
            "id"_a, "The move and the argument of a transition, also of the open move.")
        .def(
            "find",
            [](const SystemHolder& self, int move, std::int32_t argument) {
                return self.value->find(to_transition(move, argument));
            },
            "move"_a, "argument"_a = 0, "The id of a transition; -1 if there is none.");

    using Held = HeldConfiguration;
    nb::class_<Held>(module, "Configuration", "A parsing configuration. `apply` changes it.")
        .def(nb::init<SharedSystem, std::int32_t>(), "system"_a, "token_count"_a)
        .def(
            "copy", [](const Held& self) { return Held(self); },
            "A copy, to try other transitions.")
        .def("legal", &legal, "The ids of the legal transitions.")
        .def("is_legal", &Held::is_legal, "transition"_a)
        .def("apply", &Held::apply, "transition"_a, "Take a legal transition.")
        .def("stack_item", &Held::stack_item, "i"_a,
             "Item i of the stack from its top; -1 if there is none.")
        .def("queue_item", &Held::queue_item, "i"_a,
             "Item i of the queue from its front; -1 if there is none.")
        .def(
            "node",
            [](const Held& self, Vertex vertex) {
                const ForestNode& found = node_of(self, vertex);
                return std::tuple{found.label, found.left, found.right, found.head()};
            },
            "vertex"_a,
            R"(Label, left child, right child and head token. For a token, the first three are -1.

Items that are joined, but have no label yet, have the label -2.)")
        .def("blocks", &blocks_of, "vertex"_a, "Start and stop of each block of a vertex.")
        .def("codes", &Held::codes, "The finished tree, for NodeBuilder.")
        .def_prop_ro("system", [](const Held& self) { return self.holder; })
        .def_prop_ro("token_count", [](const Held& self) { return self.forest().token_count(); })
        .def_prop_ro(
            "stack",
            [](const Held& self) {
                std::vector<Vertex> found = self.items(self.at().stack);
                std::ranges::reverse(found);
                return found;
            },
            "Vertices, the bottom of the stack first.")
        .def_prop_ro(
            "aside", [](const Held& self) { return self.items(self.at().aside); },
            "The items that GAP set aside, bottom of D first, or that SWAP put back, as in the "
            "queue.")
        .def_prop_ro("focus", [](const Held& self) { return self.at().focus; })
        .def_prop_ro("next", [](const Held& self) { return self.at().next; })
        .def_prop_ro(
            "last", [](const Held& self) { return static_cast<int>(self.at().last); },
            "The last move; IDLE at the start.")
        .def_prop_ro("stack_size", &Held::stack_size)
        .def_prop_ro("node_count", [](const Held& self) { return self.forest().node_count(); })
        .def_prop_ro("is_final", &Held::is_final);
}

}  // namespace crossbranch::bindings

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

// One configuration with its forest: what oracles and tests look at.
class Walk {
  public:
    Walk(SharedSystem system, std::int32_t token_count) : system_(std::move(system)) {
        if (token_count < 1)
            throw std::invalid_argument("a sentence has at least one token");
        forest_.reset(token_count);
    }

    [[nodiscard]] std::vector<TransitionId> legal() {
        system_->value->find_legal(forest_, at_, ranges_);
        std::vector<TransitionId> ids;
        for (const auto& [begin, end] : ranges_)
            for (TransitionId id = begin; id < end; ++id)
                ids.push_back(id);
        return ids;
    }

    [[nodiscard]] bool is_legal(TransitionId id) {
        system_->value->find_legal(forest_, at_, ranges_);
        return std::ranges::any_of(
            ranges_, [&](const TransitionRange& r) { return r.begin <= id && id < r.end; });
    }

    void apply(TransitionId id) {
        if (!is_legal(id))
            throw std::invalid_argument("transition " + std::to_string(id) + " is not legal here");
        at_ = system_->value->apply(forest_, at_, id);
    }

    void apply_move(int move, std::int32_t argument) {
        const TransitionId id = system_->value->find(to_transition(move, argument));
        if (id < 0)
            throw std::invalid_argument("there is no such transition in this system");
        apply(id);
    }

    [[nodiscard]] Vertex stack_item(std::int32_t i) const {
        CellId cell = at_.stack;
        for (; i > 0 && cell != no_cell; --i)
            cell = forest_.cell(cell).below;
        return cell == no_cell || i < 0 ? no_vertex : forest_.cell(cell).vertex;
    }

    [[nodiscard]] Vertex queue_item(std::int32_t i) const {
        return i < 0 ? no_vertex : system_->value->queue_item(forest_, at_, i);
    }

    [[nodiscard]] std::vector<Vertex> items(CellId cell) const {
        std::vector<Vertex> found;
        for (; cell != no_cell; cell = forest_.cell(cell).below)
            found.push_back(forest_.cell(cell).vertex);
        return found;
    }

    [[nodiscard]] std::vector<Vertex> stack() const {
        std::vector<Vertex> found = items(at_.stack);
        std::ranges::reverse(found);
        return found;
    }

    // Both what GAP set aside and what SWAP put back have their first item on top.
    [[nodiscard]] std::vector<Vertex> aside() const { return items(at_.aside); }

    [[nodiscard]] std::tuple<Label, Vertex, Vertex, std::int32_t> node(Vertex vertex) const {
        if (vertex < 0 || vertex >= forest_.node_count())
            throw std::invalid_argument("there is no vertex " + std::to_string(vertex));
        const ForestNode& found = forest_.node(vertex);
        return {found.label, found.left, found.right, found.head()};
    }

    [[nodiscard]] std::int32_t stack_size() const { return forest_.depth(at_.stack); }
    [[nodiscard]] std::int32_t node_count() const { return forest_.node_count(); }
    [[nodiscard]] bool is_final() const { return system_->value->is_final(forest_, at_); }
    [[nodiscard]] const Configuration& at() const { return at_; }

  private:
    SharedSystem system_;
    Forest forest_;
    Configuration at_;
    Legal ranges_;
};

std::shared_ptr<SystemHolder> make(const std::string& name, const std::vector<int>& kinds,
                                   std::vector<Label> bases,
                                   const std::vector<std::pair<int, std::int32_t>>& transitions,
                                   std::int32_t unary_limit, bool repeats_unaries,
                                   bool swaps_nonterminals) {
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
                          {unary_limit, repeats_unaries, swaps_nonterminals}));
}

void bind_enums(nb::module_& module) {
    nb::enum_<Move>(module, "Move", nb::is_arithmetic(), "What a transition does.")
        .value("SHIFT", Move::shift)
        .value("UNARY", Move::unary)
        .value("LEFT", Move::left)
        .value("RIGHT", Move::right)
        .value("GAP", Move::gap)
        .value("SWAP", Move::swap)
        .value("GHOST", Move::ghost)
        .value("FINISH", Move::finish)
        .value("IDLE", Move::idle);
    nb::enum_<LabelKind>(module, "LabelKind", nb::is_arithmetic(), "What a label is for.")
        .value("PLAIN", LabelKind::plain)
        .value("TEMPORARY", LabelKind::temporary)
        .value("ROOT", LabelKind::root);
}

}  // namespace

Transition to_transition(int move, std::int32_t argument) {
    if (move < 0 || move >= static_cast<int>(move_count))
        throw std::invalid_argument("there is no move " + std::to_string(move));
    return {static_cast<Move>(move), argument};
}

void bind_transitions(nb::module_& module) {
    bind_enums(module);
    nb::class_<SystemHolder>(module, "System",
                             "A transition system: its labels and its inventory of transitions.")
        .def(nb::new_(&make), "name"_a, "kinds"_a, "bases"_a, "transitions"_a, nb::kw_only(),
             "unary_limit"_a = 3, "repeats_unaries"_a = false, "swaps_nonterminals"_a = false,
             R"(Make a system from labels and the transitions that were seen.

Args:
    name: gap, cgap, swap or cswap.
    kinds: Of each label, 0 plain, 1 temporary, 2 root.
    bases: The label that each label stands for; itself unless it is temporary.
    transitions: Pairs (move, argument); what is needed so that no legal walk gets stuck is added.
    unary_limit: swap: how many unary reductions may come in a row, the root's not counted.
    repeats_unaries: swap: whether a node may have one child of the same label.
    swaps_nonterminals: swap: whether more than single tokens can be swapped.)")
        .def_ro("name", &SystemHolder::name)
        .def_prop_ro("transitions",
                     [](const SystemHolder& self) {
                         std::vector<std::pair<int, std::int32_t>> found;
                         for (const auto& [move, argument] : self.value->transitions())
                             found.emplace_back(static_cast<int>(move), argument);
                         return found;
                     })
        .def(
            "find",
            [](const SystemHolder& self, int move, std::int32_t argument) {
                return self.value->find(to_transition(move, argument));
            },
            "move"_a, "argument"_a = 0, "The id of a transition; -1 if there is none.");

    nb::class_<Walk>(module, "Configuration", "A parsing configuration, from the first one on.")
        .def(nb::init<SharedSystem, std::int32_t>(), "system"_a, "token_count"_a)
        .def("legal", &Walk::legal, "The ids of the legal transitions.")
        .def("is_legal", &Walk::is_legal, "transition"_a)
        .def("apply", &Walk::apply, "transition"_a, "Take a legal transition.")
        .def("apply_move", &Walk::apply_move, "move"_a, "argument"_a = 0)
        .def("stack_item", &Walk::stack_item, "i"_a, "Item i of the stack from its top; or -1.")
        .def("queue_item", &Walk::queue_item, "i"_a, "Item i of the queue from its front; or -1.")
        .def("node", &Walk::node, "vertex"_a,
             "Label, left child, right child, head token; a token has label and children -1.")
        .def_prop_ro("stack", &Walk::stack, "Vertices, the bottom of the stack first.")
        .def_prop_ro(
            "aside", &Walk::aside,
            "What GAP set aside, bottom of D first, or SWAP put back, first in queue first.")
        .def_prop_ro("focus", [](const Walk& self) { return self.at().focus; })
        .def_prop_ro("next", [](const Walk& self) { return self.at().next; })
        .def_prop_ro("stack_size", &Walk::stack_size)
        .def_prop_ro("node_count", &Walk::node_count)
        .def_prop_ro("is_final", &Walk::is_final);
}

}  // namespace crossbranch::bindings

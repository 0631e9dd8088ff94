#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "bindings/systems.hpp"
#include "convert.hpp"
#include "topics.hpp"
#include "transitions/span_oracle.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

HeldOracle make(SharedSystem system, std::int32_t token_count, const std::vector<Vertex>& parents,
                const std::vector<Label>& labels, const std::vector<Vertex>& heads,
                const std::string& preference) {
    if (preference != "eager" && preference != "next")
        throw std::invalid_argument("there is no preference " + preference);
    return {std::move(system), GoldSpans(token_count, parents, labels, heads),
            preference == "eager" ? Preference::eager : Preference::next};
}

std::vector<TransitionId> optimal(const HeldOracle& self, const HeldConfiguration& at) {
    self.check(at);
    std::vector<TransitionId> ids;
    self.optimal(at.forest(), at.at(), ids);
    return ids;
}

std::vector<Vertex> reach(const HeldOracle& self, const HeldConfiguration& at) {
    self.check(at);
    std::vector<std::size_t> places;
    self.reach(at.forest(), at.at(), places);
    std::vector<Vertex> vertices;
    for (const std::size_t place : places)
        vertices.push_back(self.gold().constituents()[place].vertex);
    return vertices;
}

std::vector<TransitionId> derive(const HeldOracle& self) {
    const nb::gil_scoped_release release;
    Forest forest;
    return self.derive(forest);
}

}  // namespace

void bind_oracles(nb::module_& module) {
    nb::class_<HeldOracle>(module, "SpanOracle",
                           "Chooses transitions of ML-GAP and stack-free parsing for a gold tree.")
        .def(nb::new_(&make), "system"_a, "token_count"_a, "parents"_a, "labels"_a,
             "heads"_a = std::vector<Vertex>{}, nb::kw_only(), "preference"_a = "eager",
             R"(Make the oracle of a gold tree.

The vertices of the tree are the tokens 0 to n-1, the root n, and the other nodes, each after its
parent. No two nodes may have the same tokens.

Args:
    system: ml-gap, ml-gap-lex, ml-cgap or stack-free.
    token_count: The number of tokens.
    parents: The vertex above each vertex; -1 for the root.
    labels: The label of vertex n + k.
    heads: The child of vertex n + k that is its head. Empty: the child with the first token.
    preference: Which optimal transition is best. eager: join parts of a constituent as soon as
        possible. next: only parts of the next constituent that can be built.)")
        .def(
            "best",
            [](const HeldOracle& self, const HeldConfiguration& at) {
                self.check(at);
                return self.best(at.forest(), at.at());
            },
            "configuration"_a, "The preferred one of the optimal transitions; IDLE at the end.")
        .def("optimal", &optimal, "configuration"_a,
             R"(The transitions after which the best tree can still be built; none at the end.

The best tree is the one with the highest F1 of those that can be built from here.)")
        .def("reach", &reach, "configuration"_a,
             "The vertices of the gold nodes that can still be built, the next one first.")
        .def(
            "is_on_the_way",
            [](const HeldOracle& self, const HeldConfiguration& at) {
                self.check(at);
                return self.is_on_the_way(at.forest(), at.at());
            },
            "configuration"_a, "Whether the gold tree can still be built.")
        .def("derive", &derive, "The transitions that build the gold tree.")
        .def_prop_ro("system", [](const HeldOracle& self) { return self.holder; });
}

}  // namespace crossbranch::bindings

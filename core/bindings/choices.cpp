// The choices of neural transition parsers for Python.
#include "transitions/choices.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include "bindings/systems.hpp"
#include "bindings/traces.hpp"
#include "convert.hpp"
#include "topics.hpp"
#include "transitions/choice_beam.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

// Objects that keep their system for Python.
struct HeldBeam : ChoiceBeam {
    HeldBeam(std::shared_ptr<HeldWriter> writer, const Buffer<std::int32_t>& token_counts,
             std::size_t beam, bool is_traced)
        : ChoiceBeam(writer->value, view(token_counts), beam, is_traced),
          holder(std::move(writer)) {}

    std::shared_ptr<HeldWriter> holder;
};

using Oracles = std::vector<const HeldOracle*>;
using Taken = std::vector<std::vector<TransitionId>>;

std::vector<const SpanOracle*> plain(const Oracles& oracles, const SharedSystem& system) {
    for (const HeldOracle* oracle : oracles)
        if (oracle == nullptr || oracle->holder->value != system->value)
            throw std::invalid_argument("an oracle is one of another system");
    return {oracles.begin(), oracles.end()};
}

// The numbers themselves, not a copy: the array keeps the object that has them alive.
template <typename Value>
auto numbers(std::vector<Value> Choices::* member) {
    return [member](nb::handle_t<Choices> self) {
        std::vector<Value>& found = nb::cast<Choices&>(self).*member;
        return nb::ndarray<nb::memview, Value, nb::ndim<1>, nb::c_contig>(found.data(),
                                                                          {found.size()}, self);
    };
}

Choices derive(const HeldWriter& self, const Oracles& oracles, Taken taken) {
    const std::vector<const SpanOracle*> guides = plain(oracles, self.holder);
    const nb::gil_scoped_release release;
    if (taken.empty())
        taken.resize(guides.size());
    return derive_choices(*self.value, guides, taken);
}

Choices next_choices(HeldBeam& self) {
    const nb::gil_scoped_release release;
    return self.choices();
}

void advance(HeldBeam& self, const Buffer<float>& structure, const Buffer<float>& labels) {
    const nb::gil_scoped_release release;
    self.advance(view(structure), view(labels));
}

void explore(HeldBeam& self, const Buffer<float>& structure, const Buffer<float>& labels,
             const Oracles& oracles, double chance, std::uint64_t seed) {
    const std::vector<const SpanOracle*> guides = plain(oracles, self.holder->holder);
    const nb::gil_scoped_release release;
    std::mt19937_64 random(seed);
    self.explore(view(structure), view(labels), guides, chance, random);
}

std::vector<std::vector<std::pair<double, TreeCodes>>> trees(const HeldBeam& self) {
    const nb::gil_scoped_release release;
    std::vector<std::vector<std::pair<double, TreeCodes>>> found;
    for (std::vector<FoundTree>& some : self.trees()) {
        auto& mine = found.emplace_back();
        for (FoundTree& one : some)
            mine.emplace_back(one.score, std::move(one.codes));
    }
    return found;
}

std::vector<PlainTrace> traces(const HeldBeam& self) {
    std::vector<PlainTrace> found;
    for (Trace& steps : self.traces())
        found.push_back(to_plain(std::move(steps)));
    return found;
}

}  // namespace

void bind_choices(nb::module_& module) {
    nb::class_<Choices>(module, "Choices",
                        R"(What a neural scorer has to choose between, as arrays of numbers.

Where candidates have scores, `rows` has a row for each of them: the places of the candidate and of
the focus; `owners` has the number of its choice. Otherwise `rows` has one row for each choice, and
`legal` a byte for each of its moves. `label_rows` has a row for each focus that may get a label.)")
        .def_prop_ro("rows", numbers(&Choices::rows))
        .def_prop_ro("owners", numbers(&Choices::owners))
        .def_prop_ro("transitions", numbers(&Choices::transitions))
        .def_prop_ro("legal", numbers(&Choices::legal))
        .def_prop_ro("configurations", numbers(&Choices::configurations))
        .def_prop_ro("targets", numbers(&Choices::targets))
        .def_prop_ro("label_rows", numbers(&Choices::label_rows))
        .def_prop_ro("label_is_root", numbers(&Choices::label_is_root))
        .def_prop_ro("label_configurations", numbers(&Choices::label_configurations))
        .def_prop_ro("label_targets", numbers(&Choices::label_targets))
        .def_prop_ro("structure_count", &Choices::structure_count)
        .def_prop_ro("label_count", &Choices::label_count);
    nb::class_<HeldWriter>(module, "ChoiceWriter", "Writes the choices of configurations.")
        .def(nb::init<SharedSystem, std::size_t>(), "system"_a, nb::kw_only(), "gaps"_a = 1,
             R"(Take a system: ml-gap, ml-gap-lex, ml-cgap or stack-free.

`gaps` is the number of gaps that an item shows; the last ones together count as one.)")
        .def("derive", &derive, "oracles"_a, "taken"_a = Taken{},
             R"(Return all choices on the way to the end, with what the oracles say as targets.

Where `taken` has transitions for a sentence, these are taken.)")
        .def_prop_ro("has_candidates",
                     [](const HeldWriter& self) { return self.value->has_candidates(); })
        .def_prop_ro("moves", [](const HeldWriter& self) { return self.value->moves(); })
        .def_prop_ro("items", [](const HeldWriter& self) { return self.value->items(); })
        .def_prop_ro("places", [](const HeldWriter& self) { return self.value->places().count(); })
        .def_prop_ro("output_count",
                     [](const HeldWriter& self) { return self.value->output_count(); })
        .def_prop_ro("system", [](const HeldWriter& self) { return self.holder; });
    nb::class_<HeldBeam>(module, "ChoiceBeam",
                         "Search with a neural scorer: many sentences take their steps together.")
        .def(
            nb::init<std::shared_ptr<HeldWriter>, const Buffer<std::int32_t>&, std::size_t, bool>(),
            "writer"_a, "token_counts"_a, nb::kw_only(), "beam"_a = 1, "is_traced"_a = false,
            nb::sig("def __init__(self, writer: ChoiceWriter, token_counts: "
                    "typing_extensions.Buffer, *, beam: int = 1, is_traced: bool = False) -> "
                    "None"))
        .def("__len__", &HeldBeam::size)
        .def("choices", &next_choices,
             "Return the choices of all configurations; none if all of them are final.")
        .def("advance", &advance, "structure"_a, "labels"_a,
             nb::sig("def advance(self, structure: typing_extensions.Buffer, labels: "
                     "typing_extensions.Buffer) -> None"),
             "Go on with the best transitions by these scores, which need not be normalized.")
        .def(
            "explore", &explore, "structure"_a, "labels"_a, "oracles"_a, nb::kw_only(), "chance"_a,
            "seed"_a,
            nb::sig("def explore(self, structure: typing_extensions.Buffer, labels: "
                    "typing_extensions.Buffer, oracles: list[SpanOracle], *, chance: float, seed: "
                    "int) -> None"),
            "Draw structure by its probabilities, with this chance at each step; else ask oracles.")
        .def("taken", &HeldBeam::taken, "For each sentence, the transitions that were chosen.")
        .def("trees", &trees,
             "For each sentence, its finished trees with their scores, the best one first.")
        .def("traces", &traces,
             "For each sentence, how its best tree was found: steps as BeamParser.trace has them. "
             "The beam must have been made with is_traced.");
}

}  // namespace crossbranch::bindings

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings/systems.hpp"
#include "bindings/traces.hpp"
#include "convert.hpp"
#include "linear/beam_parser.hpp"
#include "linear/packing.hpp"
#include "linear/perceptron.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

using AtomNumbers = std::tuple<int, int, int, int>;

std::shared_ptr<Templates> make_templates(const std::vector<std::vector<AtomNumbers>>& templates,
                                          std::uint32_t column_count, int separator_column,
                                          bool fixed_queue) {
    const auto small = [](int number) {
        if (number < 0 || number > 255)
            throw std::invalid_argument("a template has the number " + std::to_string(number));
        return static_cast<std::uint8_t>(number);
    };
    std::vector<Template> compiled;
    for (const auto& atoms : templates) {
        Template& made = compiled.emplace_back();
        for (const auto& [slot, steps, place, column] : atoms)
            made.push_back({small(slot), small(steps), small(place), small(column)});
    }
    return std::make_shared<Templates>(compiled, column_count, separator_column, fixed_queue);
}

template <typename Value>
Table<Value> copy(const Buffer<Value>& buffer) {
    const auto values = view(buffer);
    return {values.begin(), values.end()};
}

template <typename Value>
nb::bytes to_bytes(std::span<const Value> values) {
    return nb::bytes(values.data(), values.size_bytes());
}

using Parses = std::vector<std::vector<std::pair<double, nb::bytes>>>;

Parses parse(const BeamParser& self, const Buffer<std::uint32_t>& rows,
             const std::vector<Number>& offsets, std::size_t beam, std::size_t threads,
             std::size_t k_best) {
    const std::vector<Index> starts = to_indices(offsets, "an offset");
    std::vector<std::vector<Parse>> found;
    {
        const nb::gil_scoped_release release;
        found = self.parse(view(rows), starts, {beam, threads, k_best});
    }
    Parses parses;
    for (auto& best : found) {
        auto& one = parses.emplace_back();
        for (const Parse& item : best)
            one.emplace_back(item.score, to_bytes(std::span<const std::int32_t>(item.codes)));
    }
    return parses;
}

std::pair<double, PlainTrace> trace(const BeamParser& self, const Buffer<std::uint32_t>& rows,
                                    std::size_t beam) {
    const nb::gil_scoped_release release;
    TracedParse found = self.trace(view(rows), beam);
    return {found.score, to_plain(std::move(found.steps))};
}

void bind_trainer(nb::module_& module) {
    nb::enum_<UpdateRule>(module, "UpdateRule",
                          "Where a search is compared with the right derivation.")
        .value("EARLY", UpdateRule::early)
        .value("RESTART", UpdateRule::restart)
        .value("MAX_VIOLATION", UpdateRule::max_violation);
    nb::class_<Perceptron>(module, "Trainer", "The averaged structured perceptron.")
        .def(
            "__init__",
            [](Perceptron* self, const SharedSystem& system, std::shared_ptr<Templates> templates,
               std::size_t beam, UpdateRule update, std::int32_t importance, int min_update,
               Stop stop) {
                if (min_update < 0 || min_update > 255)
                    throw std::invalid_argument("min_update is between 0 and 255");
                const PerceptronOptions options{beam, update, importance,
                                                static_cast<std::uint8_t>(min_update), stop};
                new (self) Perceptron(system->value, std::move(templates), options);
            },
            "system"_a, "templates"_a, nb::kw_only(), "beam"_a, "update"_a = UpdateRule::early,
            "importance"_a = 1, "min_update"_a = 0, "stop"_a = Stop::all)
        .def(
            "add",
            [](Perceptron& self, const Buffer<std::uint32_t>& rows,
               std::vector<TransitionId> derivation) {
                const auto cells = view(rows);
                self.add({cells.begin(), cells.end()}, std::move(derivation));
            },
            "rows"_a, "derivation"_a,
            nb::sig("def add(self, rows: typing_extensions.Buffer, derivation: "
                    "collections.abc.Sequence[int]) -> None"),
            "Add a training sentence: its token table and derivation.")
        .def(
            "train",
            [](Perceptron& self, const Buffer<std::uint32_t>& order, std::size_t batch,
               std::size_t threads) {
                const nb::gil_scoped_release release;
                const TrainingCounts counts = self.train(view(order), batch, threads);
                return std::tuple(counts.sentences, counts.updates, counts.transitions);
            },
            "order"_a, nb::kw_only(), "batch"_a = 1, "threads"_a = 1,
            nb::sig("def train(self, order: typing_extensions.Buffer, *, batch: int = 1, "
                    "threads: int = 1) -> tuple[int, int, int]"),
            R"(Learn from sentences by number, in this order.

The sentences of a batch see the same weights. So the result depends on the size of batches, but not
on the number of threads.

Returns:
    The number of sentences, of sentences that changed the weights, and of steps.)")
        .def(
            "average",
            [](const Perceptron& self, double prune, const std::vector<const Perceptron*>& others) {
                const nb::gil_scoped_release release;
                return std::make_shared<Weights>(self.average(prune, others));
            },
            nb::kw_only(), "prune"_a = 0.0, "others"_a = std::vector<const Perceptron*>{},
            nb::sig("def average(self, *, prune: float = 0.0, others: "
                    "collections.abc.Sequence[Trainer] = ()) -> Weights"),
            "The averaged weights so far, without weights that are smaller than `prune`; with "
            "`others`, the mean of all trainers.")
        .def("state",
             [](const Perceptron& self) {
                 const std::string bytes = self.state();
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def("restore", [](Perceptron& self, const nb::bytes& state) {
            self.restore({static_cast<const char*>(state.data()), state.size()});
        });
}

}  // namespace

void bind_linear(nb::module_& module) {
    nb::enum_<Stop>(module, "Stop", "When a search ends.")
        .value("ALL", Stop::all)
        .value("FIRST", Stop::first);
    nb::class_<Templates>(module, "Templates", "Feature templates, compiled.")
        .def(nb::new_(&make_templates), "templates"_a, nb::kw_only(), "column_count"_a,
             "separator_column"_a = -1, "fixed_queue"_a = false,
             R"(Compile templates.

Args:
    templates: Lists of atoms (slot, steps, place, column); see core/linear/templates.hpp.
    column_count: The number of columns of the token table: words, tags, and others.
    separator_column: The column for separators; -1 if no template needs it.
    fixed_queue: Whether the first queue item determines the others.)")
        .def_prop_ro("column_count", &Templates::column_count)
        .def_prop_ro("group_count", [](const Templates& self) { return self.groups().size(); });

    nb::class_<Weights>(module, "Weights",
                        "The weights of a parser in memory; `pack` is for files.")
        .def(
            "__init__",
            [](Weights* self, const Buffer<std::uint32_t>& starts,
               const Buffer<std::uint16_t>& data, double scale, std::size_t transition_count) {
                new (self) Weights(copy(starts), copy(data), scale, transition_count);
            },
            "starts"_a, "data"_a, nb::kw_only(), "scale"_a, "transition_count"_a,
            nb::sig("def __init__(self, starts: typing_extensions.Buffer, data: "
                    "typing_extensions.Buffer, *, scale: float, transition_count: int) -> None"),
            "Make weights from arrays such as `starts` and `data`.")
        .def_static(
            "unpack",
            [](const nb::bytes& bytes, std::size_t transition_count) {
                const std::string_view view(bytes.c_str(), bytes.size());
                return std::make_shared<Weights>(unpack(view, transition_count));
            },
            "data"_a, nb::kw_only(), "transition_count"_a,
            "Return the weights of bytes that `pack` made.")
        .def(
            "pack",
            [](const Weights& self) {
                const std::string bytes = pack(self, static_cast<std::uint32_t>(self.scale()));
                return nb::bytes(bytes.data(), bytes.size());
            },
            "Return the weights as bytes, a third of what they take in memory; their scale is a "
            "whole number.")
        .def_prop_ro(
            "starts", [](const Weights& self) { return to_bytes(self.starts()); },
            "Where buckets start, as 32-bit numbers.")
        .def_prop_ro(
            "data", [](const Weights& self) { return to_bytes(self.data()); },
            "The buckets, as 16-bit numbers.")
        .def_prop_ro("scale", &Weights::scale)
        .def_prop_ro("feature_count", &Weights::feature_count)
        .def_prop_ro("weight_count", &Weights::weight_count);

    nb::class_<BeamParser>(module, "BeamParser", "Beam search with a linear model.")
        .def(
            "__init__",
            [](BeamParser* self, const SharedSystem& system, std::shared_ptr<Templates> templates,
               std::shared_ptr<Weights> weights, Stop stop) {
                new (self)
                    BeamParser(system->value, std::move(templates), std::move(weights), stop);
            },
            "system"_a, "templates"_a, "weights"_a, nb::kw_only(), "stop"_a = Stop::all,
            R"(Prepare a search.

Args:
    system: What the transitions do.
    templates: The features of a configuration.
    weights: The weights of features.
    stop: Whether a search ends when all items on the beam are whole trees, or the first one.)")
        .def("parse", &parse, "rows"_a, "offsets"_a, nb::kw_only(), "beam"_a, "threads"_a = 1,
             "k_best"_a = 1,
             nb::sig("def parse(self, rows: typing_extensions.Buffer, offsets: "
                     "collections.abc.Sequence[int], *, beam: int, threads: int = 1, k_best: int = "
                     "1) -> list[list[tuple[float, bytes]]]"),
             R"(Parse sentences. The result is the same for any number of threads.

Args:
    rows: The token table of all sentences.
    offsets: Sentence i has the tokens offsets[i] up to offsets[i + 1], at least one.
    beam: The number of configurations that are kept at each step.
    threads: The number of threads.
    k_best: The number of parses of each sentence, at most as many as are on the beam.

Returns:
    For each sentence, its parses, best first: the score, and the tree in postfix form, without
    temporary nodes, as 32-bit numbers for `NodeMaker.build`. A token is its index. A node is ~label, followed by the number of its children,
    which come before it, ordered by first token.)")
        .def("trace", &trace, "rows"_a, nb::kw_only(), "beam"_a,
             nb::sig("def trace(self, rows: typing_extensions.Buffer, *, beam: int) -> "
                     "tuple[float, list[tuple[int, list[tuple[int, float]]]]]"),
             R"(Return how the best parse of one sentence is found.

Args:
    rows: The token table of the sentence.
    beam: The number of configurations that are kept at each step.

Returns:
    The score of the parse, and its steps: the transition that was taken, and all legal transitions
    with their scores. The scores of the transitions taken add up to that of the parse.)");

    bind_trainer(module);
}

}  // namespace crossbranch::bindings

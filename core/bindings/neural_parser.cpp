#include <nanobind/stl/shared_ptr.h>

#include "bindings/networks.hpp"
#include "bindings/systems.hpp"
#include "bindings/traces.hpp"
#include "neural/parser.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

// A parser that keeps its system for Python.
struct HeldParser {
    HeldParser(const neural::Tensors& tensors, std::shared_ptr<HeldWriter> writer,
               const std::string& prefix, const std::vector<std::string>& residuals,
               const TaskLevels& tasks)
        : holder(std::move(writer)),
          parser(tensors, prefix, to_residuals(residuals), to_tasks(tasks), holder->value) {}

    std::shared_ptr<HeldWriter> holder;
    neural::Parser parser;
};

using Trees = std::vector<std::vector<std::pair<double, TreeCodes>>>;

std::pair<Trees, std::vector<nb::bytes>> parse(
    const HeldParser& self, const Buffer<std::int32_t>& lengths, const Numbers& words,
    const Numbers& tags, const Numbers& forms, const Numbers& characters,
    const Numbers& form_lengths, const std::optional<Buffer<float>>& features, std::size_t beam,
    std::size_t k_best, std::size_t threads) {
    const TokenArrays tokens(lengths, words, tags, forms, characters, form_lengths, features);
    neural::ParseResult result;
    Trees trees;
    {
        const nb::gil_scoped_release release;
        result = self.parser.parse(tokens.batch(), {beam, k_best, threads});
        for (std::vector<FoundTree>& found : result.trees) {
            auto& one = trees.emplace_back();
            for (FoundTree& tree : found)
                one.emplace_back(tree.score, std::move(tree.codes));
        }
    }
    std::vector<nb::bytes> classes;
    for (const std::vector<std::uint32_t>& numbers : result.classes)
        classes.emplace_back(numbers.data(), numbers.size() * sizeof(numbers[0]));
    return {std::move(trees), std::move(classes)};
}

std::vector<std::pair<double, PlainTrace>> trace(
    const HeldParser& self, const Buffer<std::int32_t>& lengths, const Numbers& words,
    const Numbers& tags, const Numbers& forms, const Numbers& characters,
    const Numbers& form_lengths, const std::optional<Buffer<float>>& features, std::size_t beam) {
    const TokenArrays tokens(lengths, words, tags, forms, characters, form_lengths, features);
    const nb::gil_scoped_release release;
    neural::ParseOptions options;
    options.beam = beam;
    options.is_traced = true;
    neural::ParseResult result = self.parser.parse(tokens.batch(), options);
    std::vector<std::pair<double, PlainTrace>> found;
    for (std::size_t i = 0; i < result.traces.size(); ++i)
        found.emplace_back(result.trees[i].at(0).score, to_plain(std::move(result.traces[i])));
    return found;
}

}  // namespace

void bind_neural_parser(nb::module_& module) {
    nb::class_<HeldParser>(module, "NeuralParser",
                           "Greedy or beam search with neural networks, without torch.")
        .def(nb::init<const neural::Tensors&, std::shared_ptr<HeldWriter>, const std::string&,
                      const std::vector<std::string>&, const TaskLevels&>(),
             "tensors"_a, "writer"_a, nb::kw_only(), "prefix"_a = "", "residuals"_a,
             "tasks"_a = TaskLevels(),
             R"(Take the tensors of a parser. Raises a ValueError if they do not fit.

Args:
    tensors: The tensors of the whole network. The names begin with encoder., structure. and label.
    writer: It writes the rows that the scorers of structure and labels take.
    prefix: The beginning of the names of all tensors.
    residuals: For each bi-LSTM layer, how its input is joined with its output: none, add or gated.
    tasks: The name and level of each task that has a linear map. Level 0 is the first layer.)")
        .def("parse", &parse, "lengths"_a, nb::kw_only(), "words"_a = nb::none(),
             "tags"_a = nb::none(), "forms"_a = nb::none(), "characters"_a = nb::none(),
             "form_lengths"_a = nb::none(), "features"_a = nb::none(), "beam"_a = 1, "k_best"_a = 1,
             "threads"_a = 1,
             nb::sig("def parse(self, lengths: typing_extensions.Buffer, *, words: "
                     "typing_extensions.Buffer | None = None, tags: typing_extensions.Buffer | "
                     "None = None, forms: typing_extensions.Buffer | None = None, characters: "
                     "typing_extensions.Buffer | None = None, form_lengths: "
                     "typing_extensions.Buffer | None = None, features: typing_extensions.Buffer "
                     "| None = None, beam: int = 1, k_best: int = 1, threads: int = 1) -> "
                     "tuple[list[list[tuple[float, list[int]]]], list[bytes]]"),
             R"(Parse sentences. The result is the same for any number of threads.

Args:
    lengths: As in NeuralEncoder.encode, like the next ones.
    words: See there.
    tags: See there.
    forms: See there.
    characters: See there.
    form_lengths: See there.
    features: See there.
    beam: The number of hypotheses that are kept for each sentence; 1 is greedy.
    k_best: The largest number of trees for each sentence. They are all different.
    threads: The number of threads.

Returns:
    For each sentence, the scores (logarithms of probabilities) and codes of its trees, the best one
    first; and for each task, the number of the best class of each token, as 32-bit numbers.)")
        .def(
            "trace", &trace, "lengths"_a, nb::kw_only(), "words"_a = nb::none(),
            "tags"_a = nb::none(), "forms"_a = nb::none(), "characters"_a = nb::none(),
            "form_lengths"_a = nb::none(), "features"_a = nb::none(), "beam"_a = 1,
            nb::sig("def trace(self, lengths: typing_extensions.Buffer, *, words: "
                    "typing_extensions.Buffer | None = None, tags: typing_extensions.Buffer | "
                    "None = None, forms: typing_extensions.Buffer | None = None, characters: "
                    "typing_extensions.Buffer | None = None, form_lengths: "
                    "typing_extensions.Buffer | None = None, features: typing_extensions.Buffer "
                    "| None = None, beam: int = 1) -> "
                    "list[tuple[float, list[tuple[int, list[tuple[int, float]]]]]]"),
            R"(Return how the best trees of sentences are found; the arguments are those of `parse`.

Returns:
    For each sentence, the score of its best tree, and its steps: the transition that was taken, and
    all legal transitions with the logarithms of their probabilities. Those of the transitions taken
    add up to the score of the tree.)");
}

}  // namespace crossbranch::bindings

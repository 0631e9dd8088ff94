#include <nanobind/stl/shared_ptr.h>

#include "bindings/networks.hpp"
#include "bindings/systems.hpp"
#include "neural/parser.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

using Classes = std::vector<std::int32_t>;

neural::Structure to_structure(const std::string& name) {
    if (name == "candidates")
        return neural::Structure::candidates;
    if (name == "classes")
        return neural::Structure::classes;
    throw std::invalid_argument("structure is " + name + ", expected candidates or classes");
}

// A parser that keeps its system for Python.
struct HeldParser {
    HeldParser(const neural::Tensors& tensors, SharedSystem system, const std::string& prefix,
               const std::vector<std::string>& residuals, const TaskLevels& tasks,
               const std::string& structure, std::size_t stack, std::size_t aside,
               std::size_t queue, std::size_t gaps, const Classes& structure_classes,
               const Classes& label_classes)
        : holder(std::move(system)),
          parser(tensors, describe(prefix + "encoder.", residuals, tasks), prefix,
                 {to_structure(structure),
                  {stack, aside, queue, 1},
                  gaps,
                  structure_classes,
                  label_classes},
                 holder->value) {}

    SharedSystem holder;
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
        for (std::vector<neural::ScoredTree>& found : result.trees) {
            auto& one = trees.emplace_back();
            for (neural::ScoredTree& tree : found)
                one.emplace_back(tree.score, std::move(tree.codes));
        }
    }
    std::vector<nb::bytes> classes;
    for (const std::vector<std::uint32_t>& numbers : result.classes)
        classes.emplace_back(numbers.data(), numbers.size() * sizeof(numbers[0]));
    return {std::move(trees), std::move(classes)};
}

}  // namespace

void bind_neural_parser(nb::module_& module) {
    nb::class_<HeldParser>(module, "NeuralParser",
                           "Greedy or beam search with neural networks, without torch.")
        .def(nb::init<const neural::Tensors&, SharedSystem, const std::string&,
                      const std::vector<std::string>&, const TaskLevels&, const std::string&,
                      std::size_t, std::size_t, std::size_t, std::size_t, const Classes&,
                      const Classes&>(),
             "tensors"_a, "system"_a, nb::kw_only(), "prefix"_a = "", "residuals"_a,
             "tasks"_a = TaskLevels(), "structure"_a = "candidates", "stack"_a = 2, "aside"_a = 0,
             "queue"_a = 1, "gaps"_a = 1, "structure_classes"_a = Classes(), "label_classes"_a,
             R"(Take the tensors of a parser. Raises a ValueError if they do not fit.

Args:
    tensors: The tensors of the whole network. The names begin with encoder., structure. and label.
    system: A system that labels candidates: ML-GAP or stack-free.
    prefix: The beginning of the names of all tensors.
    residuals: For each bi-LSTM layer, how its input is joined with its output: none, add or gated.
    tasks: The name and level of each task that has a linear map. Level 0 is the first layer.
    structure: How structural transitions are scored. With candidates, a row has an item and the
        focus: each item of the stack is one row, and the next token is another one, for SHIFT. With
        classes, a row has the focus and items of the stack, set aside, and of the queue, and gives
        one number for each transition.
    stack: The number of items of the stack in a row, with classes.
    aside: The number of items set aside in a row, with classes.
    queue: The number of items of the queue in a row, with classes.
    gaps: The number of gaps that an item shows; the last ones together count as one.
    structure_classes: The number of the transition of each output, with classes.
    label_classes: The number of the transition of each output of the network for labels.)")
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
    first; and for each task, the number of the best class of each token, as 32-bit numbers.)");
}

}  // namespace crossbranch::bindings

// Parsing with span charts, for Python.
#include "neural/span_parser.hpp"

#include "bindings/networks.hpp"
#include "neural/padded_scores.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

using spans::SearchSpace;

// A search space as one number: twice the number of its rules, and 1 more if it is ill-nested.
std::vector<SearchSpace> to_spaces(const Buffer<std::int32_t>& numbers) {
    std::vector<SearchSpace> spaces;
    for (const std::int32_t number : view(numbers)) {
        if (number < 0 || number / 2 > static_cast<std::int32_t>(spans::Rules::sextic))
            throw std::invalid_argument("there is no search space " + std::to_string(number));
        spaces.push_back({static_cast<spans::Rules>(number / 2), number % 2 == 1});
    }
    return spaces;
}

// Score, codes, probability, and probabilities of constituents.
using PlainTree = std::tuple<double, TreeCodes, double, std::vector<double>>;
using PlainTrees = std::vector<std::vector<PlainTree>>;

PlainTrees plain(std::vector<std::vector<neural::DecodedTree>>& trees) {
    PlainTrees found;
    for (auto& of_sentence : trees) {
        auto& own = found.emplace_back();
        for (neural::DecodedTree& tree : of_sentence)
            own.emplace_back(tree.score, std::move(tree.codes), tree.probability,
                             std::move(tree.probabilities));
    }
    return found;
}

neural::SpanParser make_parser(const neural::Tensors& tensors, const std::string& prefix,
                               const std::vector<std::string>& residuals, const TaskLevels& tasks,
                               const std::vector<bool>& is_root) {
    return {tensors, prefix, to_residuals(residuals), to_tasks(tasks), is_root};
}

std::pair<PlainTrees, std::vector<nb::bytes>> parse(
    const neural::SpanParser& self, const Buffer<std::int32_t>& lengths, const Numbers& words,
    const Numbers& tags, const Numbers& forms, const Numbers& characters,
    const Numbers& form_lengths, const std::optional<Buffer<float>>& features,
    const Buffer<std::int32_t>& spaces, std::size_t k_best, bool probabilities, bool minimum_risk,
    std::size_t threads) {
    const TokenArrays tokens(lengths, words, tags, forms, characters, form_lengths, features);
    neural::SpanParseResult result;
    PlainTrees trees;
    const std::vector<SearchSpace> chosen = to_spaces(spaces);
    {
        const nb::gil_scoped_release release;
        result = self.parse(tokens.batch(), {chosen, k_best, probabilities, threads, minimum_risk});
        trees = plain(result.trees);
    }
    std::vector<nb::bytes> classes;
    for (const std::vector<std::uint32_t>& numbers : result.classes)
        classes.emplace_back(numbers.data(), numbers.size() * sizeof(numbers[0]));
    return {std::move(trees), std::move(classes)};
}

using PlainScores = std::tuple<std::vector<float>, std::vector<float>, std::vector<float>>;

std::vector<PlainScores> score(const neural::SpanParser& self, const Buffer<std::int32_t>& lengths,
                               const Numbers& words, const Numbers& tags, const Numbers& forms,
                               const Numbers& characters, const Numbers& form_lengths,
                               const std::optional<Buffer<float>>& features) {
    const TokenArrays tokens(lengths, words, tags, forms, characters, form_lengths, features);
    std::vector<PlainScores> found;
    for (neural::ScoredSentence& one : self.score(tokens.batch()))
        found.emplace_back(std::move(one.continuous), std::move(one.outer), std::move(one.gap));
    return found;
}

// The charts of many sentences, whose scores torch has computed.
struct SpanCharts {
    std::vector<bool> is_root;
    std::size_t discontinuous_labels;
    std::size_t threads;

    [[nodiscard]] neural::PaddedScores scores(const Buffer<std::int32_t>& lengths,
                                              const Buffer<float>& continuous,
                                              const Buffer<float>& outer, const Buffer<float>& gap,
                                              const std::vector<SearchSpace>& spaces) const {
        const auto counts = view(lengths);
        const std::int32_t longest = counts.empty() ? 0 : *std::ranges::max_element(counts);
        neural::PaddedScores found{counts,           static_cast<std::size_t>(std::max(longest, 0)),
                                   view(continuous), view(outer),
                                   view(gap),        discontinuous_labels,
                                   is_root,          spaces,
                                   threads};
        found.check();
        return found;
    }
};

PlainTrees chart_trees(const SpanCharts& self, const Buffer<std::int32_t>& lengths,
                       const Buffer<float>& continuous, const Buffer<float>& outer,
                       const Buffer<float>& gap, const Buffer<std::int32_t>& spaces,
                       std::size_t k_best, bool probabilities, bool minimum_risk) {
    const std::vector<SearchSpace> chosen = to_spaces(spaces);
    const neural::PaddedScores scores = self.scores(lengths, continuous, outer, gap, chosen);
    const nb::gil_scoped_release release;
    auto found = neural::decode_all(scores, {{}, k_best, probabilities, minimum_risk});
    return plain(found);
}

using PlainConstituent =
    std::tuple<spans::Label, spans::Place, spans::Place, spans::Place, spans::Place>;

using PlainConstituents = std::vector<std::vector<PlainConstituent>>;  // of each sentence

std::vector<std::vector<spans::Constituent>> to_constituents(const PlainConstituents& given) {
    std::vector<std::vector<spans::Constituent>> found;
    for (const auto& of_sentence : given) {
        auto& own = found.emplace_back();
        for (const auto& [label, i, k, l, j] : of_sentence)
            own.push_back({{i, k, l, j}, label});
    }
    return found;
}

PlainConstituents chart_constituents_with_cost(
    const SpanCharts& self, const Buffer<std::int32_t>& lengths, const Buffer<float>& continuous,
    const Buffer<float>& outer, const Buffer<float>& gap, const Buffer<std::int32_t>& spaces,
    const PlainConstituents& gold, float cost, float gold_cost) {
    const std::vector<SearchSpace> chosen = to_spaces(spaces);
    const neural::PaddedScores scores = self.scores(lengths, continuous, outer, gap, chosen);
    const nb::gil_scoped_release release;
    const auto right = to_constituents(gold);
    PlainConstituents found;
    for (const auto& tree : neural::best_trees_with_cost(scores, {right, cost, gold_cost})) {
        auto& own = found.emplace_back();
        for (const auto& [item, label] : tree.constituents)
            own.emplace_back(label, item.i, item.k, item.l, item.j);
    }
    return found;
}

std::vector<double> chart_partitions(const SpanCharts& self, const Buffer<std::int32_t>& lengths,
                                     const Buffer<float>& continuous, const Buffer<float>& outer,
                                     const Buffer<float>& gap,
                                     const Target<float>& continuous_target,
                                     const Target<float>& outer_target,
                                     const Target<float>& gap_target,
                                     const Buffer<std::int32_t>& spaces) {
    const std::vector<SearchSpace> chosen = to_spaces(spaces);
    const neural::PaddedScores scores = self.scores(lengths, continuous, outer, gap, chosen);
    const nb::gil_scoped_release release;
    return neural::log_partitions(scores, view(continuous_target), view(outer_target),
                                  view(gap_target));
}

#define BUFFER "typing_extensions.Buffer"
#define TOKENS                                                               \
    "lengths: " BUFFER ", *, words: " BUFFER " | None = None, tags: " BUFFER \
    " | None = None, forms: " BUFFER " | None = None, characters: " BUFFER   \
    " | None = None, form_lengths: " BUFFER " | None = None"
#define SCORES "lengths: " BUFFER ", continuous: " BUFFER ", outer: " BUFFER ", gap: " BUFFER
#define CONSTITUENT "tuple[int, int, int, int, int]"
#define TREES "list[list[tuple[float, list[int], float, list[float]]]]"

void bind_network(nb::module_& module) {
    nb::class_<neural::SpanParser>(module, "NeuralSpanParser",
                                   "Span charts with a neural network, without torch.")
        .def(nb::new_(&make_parser), "tensors"_a, nb::kw_only(), "prefix"_a = "", "residuals"_a,
             "tasks"_a = TaskLevels(), "is_root"_a,
             R"(Take the tensors of a parser. Raises a ValueError if they do not fit.

Args:
    tensors: The tensors of the whole network. The names begin with encoder. and scorer.
    prefix: The beginning of the names of all tensors.
    residuals: As in NeuralParser.
    tasks: As in NeuralParser.
    is_root: For each label of continuous constituents, whether it is one of whole sentences.)")
        .def("parse", &parse, "lengths"_a, nb::kw_only(), "words"_a = nb::none(),
             "tags"_a = nb::none(), "forms"_a = nb::none(), "characters"_a = nb::none(),
             "form_lengths"_a = nb::none(), "features"_a = nb::none(), "spaces"_a, "k_best"_a = 1,
             "probabilities"_a = false, "minimum_risk"_a = false, "threads"_a = 1,
             nb::sig("def parse(self, " TOKENS ", features: " BUFFER
                     " | None = None, spaces: " BUFFER
                     ", k_best: int = 1, probabilities: bool = False, minimum_risk: bool = False, "
                     "threads: int = 1) -> "
                     "tuple[" TREES ", list[bytes]]"),
             R"(Parse sentences. The result is the same for any number of threads.

Args:
    lengths: As in NeuralEncoder.encode, like the next ones.
    words: See there.
    tags: See there.
    forms: See there.
    characters: See there.
    form_lengths: See there.
    features: See there.
    spaces: The search space of each sentence: twice the number of its rules (continuous is 0, cubic
        is 1, and so on), and 1 more with ill-nested trees. If empty, no trees are found.
    k_best: The largest number of trees for each sentence. They are all different.
    probabilities: Also compute the probabilities of trees and constituents.
    minimum_risk: Find the tree with the best expected F1, which is then its score.
    threads: The number of threads.

Returns:
    For each sentence its trees, the best one first: the score, the codes, the probability, and the
    probabilities of the constituents in the order of the codes. Labels of discontinuous
    constituents have the numbers after those of continuous ones. And for each task, the number of
    the best class of each token, as 32-bit numbers.)")
        .def("score", &score, "lengths"_a, nb::kw_only(), "words"_a = nb::none(),
             "tags"_a = nb::none(), "forms"_a = nb::none(), "characters"_a = nb::none(),
             "form_lengths"_a = nb::none(), "features"_a = nb::none(),
             nb::sig("def score(self, " TOKENS ", features: " BUFFER " | None = None) -> "
                     "list[tuple[list[float], list[float], list[float]]]"),
             "The scores of all spans of each sentence, as SpanScores takes them.")
        .def_prop_ro("discontinuous_labels", &neural::SpanParser::discontinuous_labels,
                     "The number of labels of discontinuous constituents.");
}

void bind_charts(nb::module_& module) {
    nb::class_<SpanCharts>(module, "SpanCharts",
                           "The charts of many sentences, whose scores torch has computed.")
        .def(nb::new_([](const std::vector<bool>& is_root, std::size_t discontinuous_labels,
                         std::size_t threads) {
                 return SpanCharts{is_root, discontinuous_labels, threads};
             }),
             nb::kw_only(), "is_root"_a, "discontinuous_labels"_a, "threads"_a = 1,
             R"(Take the number of labels.

The scores of spans have four dimensions: sentences, first tokens, last tokens, and labels. All
sentences have as much space as the longest one.

Args:
    is_root: For each label of continuous constituents, whether it is one of whole sentences.
    discontinuous_labels: The number of labels of discontinuous constituents.
    threads: The number of threads.)")
        .def("trees", &chart_trees, "lengths"_a, "continuous"_a, "outer"_a, "gap"_a, nb::kw_only(),
             "spaces"_a, "k_best"_a = 1, "probabilities"_a = false, "minimum_risk"_a = false,
             nb::sig("def trees(self, " SCORES ", *, spaces: " BUFFER
                     ", k_best: int = 1, probabilities: bool = False, minimum_risk: bool = False)"
                     " -> " TREES),
             "The best trees of each sentence: see NeuralSpanParser.parse.")
        .def("constituents_with_cost", &chart_constituents_with_cost, "lengths"_a, "continuous"_a,
             "outer"_a, "gap"_a, nb::kw_only(), "spaces"_a, "gold"_a, "cost"_a, "gold_cost"_a,
             nb::sig("def constituents_with_cost(self, " SCORES ", *, spaces: " BUFFER
                     ", gold: collections.abc.Sequence[collections.abc.Sequence[" CONSTITUENT
                     "]], cost: float, gold_cost: float) -> list[list[" CONSTITUENT "]]"),
             R"(The constituents of the best tree of each sentence: see SpanScores.best_with_cost.

`gold` has the gold constituents of each sentence.)")
        .def("partitions", &chart_partitions, "lengths"_a, "continuous"_a, "outer"_a, "gap"_a,
             "continuous_target"_a, "outer_target"_a, "gap_target"_a, nb::kw_only(), "spaces"_a,
             nb::sig("def partitions(self, " SCORES ", continuous_target: " BUFFER
                     ", outer_target: " BUFFER ", gap_target: " BUFFER ", *, spaces: " BUFFER
                     ") -> list[float]"),
             R"(The logarithm of the sum over all trees of each sentence.

Its derivatives by the scores are written to the targets, which have the same order.)");
}

}  // namespace

void bind_span_parser(nb::module_& module) {
    bind_network(module);
    bind_charts(module);
}

}  // namespace crossbranch::bindings

// Span charts for Python.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

#include "convert.hpp"
#include "spans/best_tree.hpp"
#include "spans/chart_items.hpp"
#include "spans/costs.hpp"
#include "spans/k_best.hpp"
#include "spans/marginals.hpp"
#include "spans/minimum_risk.hpp"
#include "spans/probable.hpp"
#include "spans/pruned_search.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

using namespace crossbranch::spans;

// Scores that Python has handed over.
struct HeldScores {
    std::vector<float> continuous, outer, gap;
    SpanScores scores;

    HeldScores(Place token_count, const Buffer<float>& continuous_scores,
               const Buffer<float>& outer_scores, const Buffer<float>& gap_scores,
               std::size_t continuous_labels, std::size_t discontinuous_labels,
               const std::vector<bool>& is_root)
        : continuous(copied(continuous_scores)),
          outer(copied(outer_scores)),
          gap(copied(gap_scores)),
          scores(token_count, continuous, outer, gap, continuous_labels, discontinuous_labels,
                 is_root) {}
    HeldScores(const HeldScores&) = delete;
    HeldScores& operator=(const HeldScores&) = delete;

    static std::vector<float> copied(const Buffer<float>& numbers) {
        const auto found = view(numbers);
        return {found.begin(), found.end()};
    }
};

// The label of a constituent, and its places i, k, l, j; k and l are -1 if it has no gap.
using Plain = std::tuple<Label, Place, Place, Place, Place>;

SearchSpace space_of(const std::string& rules, bool ill_nested) {
    static const std::map<std::string, Rules> names{{"continuous", Rules::continuous},
                                                    {"cubic", Rules::cubic},
                                                    {"quartic", Rules::quartic},
                                                    {"quintic", Rules::quintic},
                                                    {"sextic", Rules::sextic}};
    const auto found = names.find(rules);
    if (found == names.end())
        throw std::invalid_argument("there are no rules " + rules);
    return {found->second, ill_nested};
}

// The score and the constituents of a tree.
using PlainTree = std::tuple<double, std::vector<Plain>>;

std::vector<Plain> plain(const std::vector<Constituent>& constituents) {
    std::vector<Plain> found;
    for (const auto& [item, label] : constituents)
        found.emplace_back(label, item.i, item.k, item.l, item.j);
    return found;
}

PlainTree plain(const SpanTree& tree) {
    return {tree.score, plain(tree.constituents)};
}

std::vector<Constituent> to_constituents(const std::vector<Plain>& given) {
    std::vector<Constituent> found;
    for (const auto& [label, i, k, l, j] : given)
        found.push_back({{i, k, l, j}, label});
    return found;
}

PlainTree best(const HeldScores& self, const std::string& rules, bool ill_nested) {
    const SearchSpace space = space_of(rules, ill_nested);
    const nb::gil_scoped_release release;
    return plain(best_tree(self.scores, space));
}

PlainTree best_with_cost(const HeldScores& self, const std::string& rules,
                         const std::vector<Plain>& gold, float cost, float gold_cost,
                         bool ill_nested) {
    const SearchSpace space = space_of(rules, ill_nested);
    const std::vector<Constituent> constituents = to_constituents(gold);
    const nb::gil_scoped_release release;
    return plain(best_tree_with_cost(self.scores, space, constituents, cost, gold_cost));
}

std::tuple<double, std::vector<Plain>, double> best_pruned(const HeldScores& self, bool ill_nested,
                                                           std::size_t limit) {
    const nb::gil_scoped_release release;
    const PrunedTree found = best_pruned_tree(self.scores, ill_nested, limit);
    return {found.tree.score, plain(found.tree.constituents), found.bound};
}

std::vector<PlainTree> k_best(const HeldScores& self, const std::string& rules, std::size_t count,
                              bool ill_nested) {
    const SearchSpace space = space_of(rules, ill_nested);
    const nb::gil_scoped_release release;
    std::vector<PlainTree> found;
    for (const SpanTree& tree : best_trees(self.scores, space, count))
        found.push_back(plain(tree));
    return found;
}

double partition(const HeldScores& self, const std::string& rules, bool ill_nested) {
    const SearchSpace space = space_of(rules, ill_nested);
    const nb::gil_scoped_release release;
    return log_partition(self.scores, space);
}

std::tuple<double, std::vector<double>, std::vector<double>, std::vector<double>,
           std::vector<double>>
marginals(const HeldScores& self, const std::string& rules, bool ill_nested,
          const std::vector<Plain>& asked) {
    const SearchSpace space = space_of(rules, ill_nested);
    const std::vector<Constituent> constituents = to_constituents(asked);
    check(self.scores, constituents);
    const nb::gil_scoped_release release;
    Marginals found = find_marginals(self.scores, space, constituents);
    return {found.log_partition, std::move(found.continuous), std::move(found.outer),
            std::move(found.gap), std::move(found.probabilities)};
}

// Rounds numbers into an array of Python's.
void write(const std::vector<double>& numbers, const Target<float>& target) {
    if (target.size() != numbers.size())
        throw std::invalid_argument("there must be room for " + std::to_string(numbers.size()) +
                                    " derivatives, not for " + std::to_string(target.size()));
    std::transform(numbers.begin(), numbers.end(), target.data(),
                   [](double number) { return static_cast<float>(number); });
}

double marginals_into(const HeldScores& self, const std::string& rules,
                      const Target<float>& continuous, const Target<float>& outer,
                      const Target<float>& gap, bool ill_nested) {
    const SearchSpace space = space_of(rules, ill_nested);
    const nb::gil_scoped_release release;
    const Marginals found = find_marginals(self.scores, space);
    write(found.continuous, continuous);
    write(found.outer, outer);
    write(found.gap, gap);
    return found.log_partition;
}

std::vector<std::tuple<Plain, double>> probable(const HeldScores& self, const std::string& rules,
                                                double limit, bool ill_nested) {
    const SearchSpace space = space_of(rules, ill_nested);
    if (!(limit > 0))
        throw std::invalid_argument("the limit must be above 0");
    const nb::gil_scoped_release release;
    std::vector<std::tuple<Plain, double>> found;
    for (const auto& [constituent, probability] : find_probable(self.scores, space, limit)) {
        const auto& [item, label] = constituent;
        found.emplace_back(Plain{label, item.i, item.k, item.l, item.j}, probability);
    }
    return found;
}

std::tuple<double, std::vector<Plain>, std::vector<double>> minimum_risk(const HeldScores& self,
                                                                         const std::string& rules,
                                                                         bool ill_nested) {
    const SearchSpace space = space_of(rules, ill_nested);
    const nb::gil_scoped_release release;
    const RiskTree found = find_minimum_risk(self.scores, space);
    return {found.expected_f1, plain(found.constituents), found.probabilities};
}

using PlainSpan = std::tuple<Place, Place, Place, Place>;
using PlainWay = std::tuple<std::string, PlainSpan, PlainSpan, double>;
using PlainLabel = std::tuple<Label, double>;
// Its place, itself, its score, labels, ways, whether the best tree has it, whether it is shown.
using PlainItem = std::tuple<std::size_t, PlainSpan, double, std::vector<PlainLabel>,
                             std::vector<PlainWay>, bool, bool>;

PlainSpan plain(const Item& item) {
    return {item.i, item.k, item.l, item.j};
}

std::tuple<std::vector<PlainItem>, std::size_t> items(const HeldScores& self,
                                                      const std::string& rules, std::size_t others,
                                                      std::size_t best, bool ill_nested) {
    const SearchSpace space = space_of(rules, ill_nested);
    const nb::gil_scoped_release release;
    const ChartItems list = chart_items(self.scores, space, others, best);
    std::vector<PlainItem> found;
    for (const ChartItem& one : list.items) {
        std::vector<PlainLabel> labels;
        for (const auto& [label, score] : one.labels)
            labels.emplace_back(label, score);
        std::vector<PlainWay> ways;
        for (const ItemWay& way : one.ways)
            ways.emplace_back(std::string(1, way.rule), plain(way.left), plain(way.right),
                              way.score);
        found.emplace_back(one.place, plain(one.item), one.score, std::move(labels),
                           std::move(ways), one.is_in_tree, one.is_shown);
    }
    return {std::move(found), list.total};
}

}  // namespace

void bind_spans(nb::module_& module) {
    nb::class_<HeldScores>(module, "SpanScores", "The scores of all labelled spans of a sentence.")
        .def(nb::init<Place, const Buffer<float>&, const Buffer<float>&, const Buffer<float>&,
                      std::size_t, std::size_t, const std::vector<bool>&>(),
             "token_count"_a, "continuous"_a, "outer"_a, "gap"_a, nb::kw_only(),
             "continuous_labels"_a, "discontinuous_labels"_a, "is_root"_a = std::vector<bool>{},
             nb::sig("def __init__(self, token_count: int, continuous: typing_extensions.Buffer, "
                     "outer: typing_extensions.Buffer, gap: typing_extensions.Buffer, *, "
                     "continuous_labels: int, discontinuous_labels: int, "
                     "is_root: collections.abc.Sequence[bool] = []) -> None"),
             R"(Take the scores of spans, by their first token, their last token, and the label.

Args:
    token_count: The number of tokens.
    continuous: The scores of continuous constituents.
    outer: The scores of the outer borders of discontinuous constituents.
    gap: The scores of their gaps.
    continuous_labels: The number of labels of continuous constituents.
    discontinuous_labels: The number of labels of discontinuous ones.
    is_root: For each label of continuous constituents, whether it is one of whole sentences. Such
        a sentence then has one of these labels. If empty, all labels are possible everywhere.)")
        .def("best", &best, "rules"_a, nb::kw_only(), "ill_nested"_a = false,
             R"(The score and the constituents of the best tree: label, i, k, l, j.

The tokens of a constituent are those from i to j, without those from k to l. k and l are -1 if
there is no gap. Rules are continuous, cubic, quartic, quintic or sextic.)")
        .def("best_with_cost", &best_with_cost, "rules"_a, "gold"_a, "cost"_a, nb::kw_only(),
             "gold_cost"_a = 0.0F, "ill_nested"_a = false,
             R"(The best tree if each constituent that is not gold adds a cost to the score.

This is for training with a margin. A constituent is gold if its label and its tokens are those of a
gold one; it adds `gold_cost`. The score that is returned includes the costs.)")
        .def("best_pruned", &best_pruned, nb::kw_only(), "ill_nested"_a = false, "limit"_a = 1000,
             R"(The score, the constituents, and an upper bound: quintic rules with few items.

No tree has a score above the bound. If the bound is the score, the tree is the best one. This is so
if there are at most `limit` discontinuous spans with labels of positive scores. The search is then
almost as fast as that with cubic rules.)")
        .def("k_best", &k_best, "rules"_a, "count"_a, nb::kw_only(), "ill_nested"_a = false,
             "The best trees, the best one first, all different: see `best`.")
        .def("log_partition", &partition, "rules"_a, nb::kw_only(), "ill_nested"_a = false,
             "The logarithm of the sum of the exponentials of the scores of all trees.")
        .def("marginals", &marginals, "rules"_a, nb::kw_only(), "ill_nested"_a = false,
             "asked"_a = std::vector<Plain>{},
             R"(log_partition, its derivatives by all scores, and probabilities of constituents.

Args:
    rules: As in `best`.
    ill_nested: As in `best`.
    asked: The constituents whose probabilities are returned.)")
        .def("marginals_into", &marginals_into, "rules"_a, "continuous"_a, "outer"_a, "gap"_a,
             nb::kw_only(), "ill_nested"_a = false,
             nb::sig("def marginals_into(self, rules: str, continuous: typing_extensions.Buffer, "
                     "outer: typing_extensions.Buffer, gap: typing_extensions.Buffer, *, "
                     "ill_nested: bool = False) -> float"),
             R"(Write the derivatives of log_partition into arrays of 32-bit numbers, and return it.

This is for training: it is much faster than `marginals`, which makes lists.)")
        .def("probable", &probable, "rules"_a, nb::kw_only(), "limit"_a = 0.01,
             "ill_nested"_a = false,
             "All constituents with a probability above the limit, the most probable ones first.")
        .def("items", &items, "rules"_a, "others"_a, nb::kw_only(), "best"_a = 6,
             "ill_nested"_a = false,
             R"(The items of the chart in the order in which they are computed, and how many it has.

Each item is its place in this order, its places i, k, l, j (see `best`), its score, its best labels
with their scores, the best ways to make it (rule, left part, right part, score), whether the best
tree has it, and whether it is asked for. The first label and the first way are those that the chart
takes; label -1 means none.

Args:
    rules: As in `best`. The items of cubic are those of quartic, which has the same trees.
    others: The number of items besides those of the best tree: those whose labels have the highest
        scores. The parts of these are also listed, but are not asked for.
    best: The largest number of labels and of ways of an item.
    ill_nested: As in `best`.)")
        .def("minimum_risk", &minimum_risk, "rules"_a, nb::kw_only(), "ill_nested"_a = false,
             R"(The expected F1, the constituents and their probabilities of the safest tree.

It is the tree whose expected number of right constituents is the largest part of all constituents:
twice the sum of its probabilities, divided by its number of constituents plus the expected number
of gold constituents. Discontinuous constituents with a probability below 0.001 are left out.)");
}

}  // namespace crossbranch::bindings

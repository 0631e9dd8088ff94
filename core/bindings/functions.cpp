#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>

#include "convert.hpp"
#include "functions/labeller.hpp"
#include "linear/packing.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

using Choices = std::vector<std::pair<nb::bytes, nb::bytes>>;
using Rule = std::tuple<Choices, int, std::vector<Choices>>;

std::vector<std::uint8_t> to_set(const nb::bytes& bytes) {
    const auto* data = static_cast<const std::uint8_t*>(bytes.data());
    return {data, data + bytes.size()};
}

HeadPattern to_pattern(const Choices& choices) {
    HeadPattern pattern;
    for (const auto& [labels, functions] : choices)
        pattern.push_back({to_set(labels), to_set(functions)});
    return pattern;
}

std::shared_ptr<HeadRules> make_rules(const std::vector<Rule>& rules, std::size_t label_count,
                                      std::size_t function_count) {
    std::vector<HeadRule> made;
    for (const auto& [node, which, candidates] : rules) {
        if (which < 0 || which > static_cast<int>(Which::last_mark))
            throw std::invalid_argument(
                "a head rule says first, last, initial, final, across, first-mark or last-mark");
        HeadRule& rule = made.emplace_back();
        rule.node = to_pattern(node);
        rule.which = static_cast<Which>(which);
        for (const Choices& candidate : candidates)
            rule.candidates.push_back(to_pattern(candidate));
    }
    return std::make_shared<HeadRules>(std::move(made), label_count, function_count);
}

using Item = std::tuple<std::uint32_t, std::uint32_t, bool>;

std::optional<std::size_t> find(const HeadRules& self, const Item& node,
                                const std::vector<Item>& children) {
    const auto to_item = [&](const Item& item) {
        const auto& [label, function, is_punctuation] = item;
        if (label >= self.label_count() || function >= self.function_count())
            throw std::invalid_argument("a label or a function that is not there");
        return HeadItem{label, function, is_punctuation};
    };
    std::vector<HeadItem> items;
    for (const Item& child : children)
        items.push_back(to_item(child));
    return self.find(to_item(node), items);
}

template <typename Value>
nb::bytes to_bytes(const std::vector<Value>& values) {
    return nb::bytes(values.data(), values.size() * sizeof(Value));
}

nb::tuple label(const FunctionLabeller& self, const Buffer<std::int32_t>& codes,
                const std::vector<Number>& code_offsets, const Buffer<std::uint32_t>& tokens,
                const std::vector<Number>& token_offsets, std::size_t threads) {
    const std::vector<Index> starts = to_indices(code_offsets, "an offset");
    const std::vector<Index> token_starts = to_indices(token_offsets, "an offset");
    Labelled found;
    {
        const nb::gil_scoped_release release;
        found = self.label({view(codes), starts, view(tokens), token_starts}, threads);
    }
    return nb::make_tuple(to_bytes(found.functions), to_bytes(found.heads));
}

nb::tuple sequences(const FunctionLabeller& self, const Buffer<std::int32_t>& codes,
                    const std::vector<Number>& code_offsets, const Buffer<std::uint32_t>& tokens,
                    const std::vector<Number>& token_offsets, const Buffer<Tag>& functions) {
    const std::vector<Index> starts = to_indices(code_offsets, "an offset");
    const std::vector<Index> token_starts = to_indices(token_offsets, "an offset");
    ChildSequences found;
    {
        const nb::gil_scoped_release release;
        found = self.sequences({view(codes), starts, view(tokens), token_starts}, view(functions));
    }
    return nb::make_tuple(to_bytes(found.rows), nb::cast(found.offsets), to_bytes(found.functions));
}

}  // namespace

void bind_functions(nb::module_& module) {
    module.def(
        "child_columns",
        [] { return std::vector<std::string>(child_columns.begin(), child_columns.end()); },
        "Return the names of the columns that describe a child, in the order of a row.");

    nb::class_<HeadRules>(module, "HeadRules", "Head rules over numbered labels and functions.")
        .def(nb::new_(&make_rules), "rules"_a, nb::kw_only(), "label_count"_a, "function_count"_a,
             R"(Compile rules.

Args:
    rules: For each, a pattern for the node; 0 for first, 1 for last, 2 for initial, 3 for final,
        4 for across, 5 for first-mark, 6 for last-mark; and the patterns of the candidates. A
        pattern is a list of pairs: a byte (0 or 1) for each label, and one for each function, or no
        bytes for any function.
    label_count: The number of labels and tags.
    function_count: The number of functions.)")
        .def("find", &find, "node"_a, "children"_a,
             R"(Return the position of the head, or None if no rule finds one.

Vertices are triples: label, function, and whether they are punctuation.)");

    nb::class_<FunctionLabeller>(module, "FunctionLabeller",
                                 "Finds the functions and heads of finished trees.")
        .def(
            "__init__",
            [](FunctionLabeller* self, std::shared_ptr<HeadRules> rules,
               std::shared_ptr<TagTemplates> templates, const std::optional<nb::bytes>& weights,
               std::size_t beam, bool of_tokens, Tag empty) {
                std::shared_ptr<const Weights> unpacked;
                if (weights) {
                    const std::string_view bytes(static_cast<const char*>(weights->data()),
                                                 weights->size());
                    unpacked = std::make_shared<Weights>(unpack(bytes, rules->function_count()));
                }
                new (self) FunctionLabeller(std::move(rules), std::move(templates),
                                            std::move(unpacked), beam, of_tokens, empty);
            },
            "rules"_a, "templates"_a, "weights"_a.none(), nb::kw_only(), "beam"_a, "of_tokens"_a,
            "empty"_a,
            R"(Take weights that a trainer has packed. Raises a ValueError if they are damaged.

Args:
    rules: The head rules.
    templates: Templates over `child_columns`.
    weights: Packed weights; without them, only heads are found.
    beam: The size of the beam.
    of_tokens: Whether tokens have functions, too.
    empty: The number of the empty function.)")
        .def("label", &label, "codes"_a, "code_offsets"_a, "tokens"_a, "token_offsets"_a,
             nb::kw_only(), "threads"_a = 1,
             nb::sig("def label(self, codes: typing_extensions.Buffer, code_offsets: "
                     "collections.abc.Sequence[int], tokens: typing_extensions.Buffer, "
                     "token_offsets: collections.abc.Sequence[int], *, threads: int = 1) -> "
                     "tuple[bytes, bytes]"),
             R"(Label trees. The result is the same for any number of threads.

Args:
    codes: The trees in postfix form: a token is its index; a node is ~label and the number of its
        children, which come before it.
    code_offsets: Tree i has the codes from code_offsets[i] up to code_offsets[i + 1].
    tokens: The token table of all trees.
    token_offsets: Tree i has the tokens from token_offsets[i] up to token_offsets[i + 1].
    threads: The number of threads.

Returns:
    The functions of the tokens and then of the nodes of each tree, as 16-bit numbers; and the
    positions of the heads of all nodes, as 32-bit numbers; -1 if there is none.)")
        .def("sequences", &sequences, "codes"_a, "code_offsets"_a, "tokens"_a, "token_offsets"_a,
             "functions"_a,
             nb::sig("def sequences(self, codes: typing_extensions.Buffer, code_offsets: "
                     "collections.abc.Sequence[int], tokens: typing_extensions.Buffer, "
                     "token_offsets: collections.abc.Sequence[int], functions: "
                     "typing_extensions.Buffer) -> tuple[bytes, list[int], bytes]"),
             R"(Return what a TagTrainer learns from: rows, offsets and functions of all children.

The functions are those of the tokens and then of the nodes of each tree.)");
}

}  // namespace crossbranch::bindings

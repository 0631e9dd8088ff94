// Comparison of two trees of Python. Most of the time of an evaluation would go into loops over
// nodes and tokens.
#include <cstdint>
#include <optional>
#include <vector>

#include "convert.hpp"
#include "evaluation/bracket_counts.hpp"
#include "topics.hpp"
#include "tree_parts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

class BracketCounter {
  public:
    BracketCounter(nb::type_object node_type, nb::dict labels, nb::object deleted_tags,
                   nb::object deleted_words)
        : node_type_(std::move(node_type)),
          slots_(node_type_),
          labels_(std::move(labels)),
          deleted_tags_(std::move(deleted_tags)),
          deleted_words_(std::move(deleted_words)) {}

    [[nodiscard]] nb::object compare(const nb::tuple& sentence, nb::handle root,
                                     const nb::tuple& other_sentence, nb::handle other_root) const {
        if (sentence.size() > most_tokens || sentence.size() != other_sentence.size())
            return nb::none();
        const auto tokens = kept_tokens(sentence, other_sentence);
        const auto gold = tokens ? brackets(root) : std::nullopt;
        const auto predicted = gold ? brackets(other_root) : std::nullopt;
        if (!predicted)
            return nb::none();
        const BracketComparison found = compare_brackets(*gold, *predicted, tokens->kept);
        return nb::make_tuple(to_tuple(found.all), to_tuple(found.discontinuous), tokens->tags,
                              tokens->right_tags);
    }

  private:
    static constexpr std::size_t most_tokens = 64;
    enum Field : Py_ssize_t { form, tag };

    struct Tokens {
        ShortSpan kept = ~ShortSpan{0};
        std::size_t tags = 0;
        std::size_t right_tags = 0;
    };

    static nb::tuple to_tuple(const BracketCounts& counts) {
        return nb::make_tuple(counts.gold, counts.predicted, counts.matched, counts.gold_distinct,
                              counts.predicted_distinct);
    }

    static bool contains(const nb::object& names, nb::handle name) {
        const int found = PySequence_Contains(names.ptr(), name.ptr());
        if (found < 0)
            throw nb::python_error();
        return found == 1;
    }

    static bool are_equal(nb::handle one, nb::handle other) {
        const int found = PyObject_RichCompareBool(one.ptr(), other.ptr(), Py_EQ);
        if (found < 0)
            throw nb::python_error();
        return found == 1;
    }

    // The tokens that are not deleted, and how many of their tags are right.
    [[nodiscard]] std::optional<Tokens> kept_tokens(const nb::tuple& sentence,
                                                    const nb::tuple& other_sentence) const {
        Tokens found;
        for (std::size_t i = 0; i < sentence.size(); ++i) {
            const nb::handle token = sentence[i];
            const nb::handle other = other_sentence[i];
            if (!PyTuple_Check(token.ptr()) || !PyTuple_Check(other.ptr()))
                return std::nullopt;
            const nb::handle gold_tag = PyTuple_GetItem(token.ptr(), tag);
            if (contains(deleted_tags_, gold_tag) ||
                contains(deleted_words_, PyTuple_GetItem(token.ptr(), form))) {
                found.kept &= ~(ShortSpan{1} << i);
                continue;
            }
            ++found.tags;
            found.right_tags += are_equal(gold_tag, PyTuple_GetItem(other.ptr(), tag));
        }
        return found;
    }

    // The brackets of all nodes whose labels count.
    [[nodiscard]] std::optional<std::vector<ShortBracket>> brackets(nb::handle root) const {
        std::vector<ShortBracket> found;
        std::vector<nb::handle> stack{root};
        while (!stack.empty()) {
            const nb::handle node = stack.back();
            stack.pop_back();
            if (!node.type().is(node_type_))
                return std::nullopt;
            if (const std::int64_t label = number(slots_.label.get(node)); label >= 0)
                found.push_back({PyLong_AsUnsignedLongLong(slots_.span.get(node).ptr()), label});
            const nb::handle children = slots_.children.get(node);
            for (Py_ssize_t i = 0; i < PyTuple_Size(children.ptr()); ++i) {
                const nb::handle child = PyTuple_GetItem(children.ptr(), i);
                if (!PyLong_CheckExact(child.ptr()))
                    stack.push_back(child);
            }
        }
        if (PyErr_Occurred() != nullptr)
            throw nb::python_error();
        return found;
    }

    [[nodiscard]] std::int64_t number(nb::handle label) const {
        PyObject* known = PyDict_GetItemWithError(labels_.ptr(), label.ptr());
        if (known == nullptr && PyErr_Occurred() != nullptr)
            throw nb::python_error();
        if (known != nullptr)
            return PyLong_AsLongLong(known);
        const nb::object made = checked(PyObject_GetItem(labels_.ptr(), label.ptr()));
        return PyLong_AsLongLong(made.ptr());  // of __missing__
    }

    nb::type_object node_type_;
    NodeSlots slots_;
    nb::dict labels_;
    nb::object deleted_tags_;
    nb::object deleted_words_;
};

}  // namespace

void bind_bracket_counter(nb::module_& module) {
    nb::class_<BracketCounter>(module, "BracketCounter",
                               "Compares the brackets of two trees of a short sentence.")
        .def(nb::init<nb::type_object, nb::dict, nb::object, nb::object>(), "node_type"_a,
             "labels"_a, nb::kw_only(), "deleted_tags"_a, "deleted_words"_a,
             nb::sig("def __init__(self, node_type: type, labels: dict[str, int], *, "
                     "deleted_tags: frozenset[str], deleted_words: frozenset[str]) -> None"),
             R"(Take what counts.

Args:
    node_type: `Node`.
    labels: The number of each label; below 0 if its nodes do not count. `__missing__` is called
        for new ones.
    deleted_tags: Gold tokens with these tags are deleted from both trees.
    deleted_words: Gold tokens with these forms, too.)")
        .def("compare", &BracketCounter::compare, "sentence"_a, "root"_a, "other_sentence"_a,
             "other_root"_a,
             nb::sig("def compare(self, sentence: tuple[typing.Any, ...], root: typing.Any, "
                     "other_sentence: tuple[typing.Any, ...], other_root: typing.Any) -> "
                     "tuple[tuple[int, int, int, int, int], tuple[int, int, int, int, int], int, "
                     "int] | None"),
             R"(Compare a gold tree with a predicted tree.

Returns None for sentences of more than 64 tokens. Otherwise, the counts of all brackets and of
discontinuous ones (gold, predicted, matched, different gold ones, different predicted ones), the
number of tags, and the number of right ones.)");
}

}  // namespace crossbranch::bindings

// Tokens and nodes of Python, made from the text of a file. The core finds the parts of plain
// trees; Python's own tables say what the texts mean, so escapes are read in one place only.
#include <nanobind/stl/string_view.h>

#include <optional>
#include <string_view>
#include <vector>

#include "convert.hpp"
#include "topics.hpp"
#include "tree_parts.hpp"
#include "trees/discbracket.hpp"
#include "trees/export_rows.hpp"
#include "trees/json_tree.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

// A text in UTF-8; nothing if it has half of a surrogate pair.
std::optional<std::string_view> utf8(nb::handle text) {
    Py_ssize_t size = 0;
    const char* start = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (start == nullptr) {
        PyErr_Clear();
        return std::nullopt;
    }
    return std::string_view(start, static_cast<std::size_t>(size));
}

class TreeReader {
  public:
    TreeReader(nb::type_object token_type, nb::type_object node_type, nb::dict words,
               nb::dict fields)
        : token_type_(std::move(token_type)),
          make_token_(token_type_),
          make_node_(std::move(node_type)),
          words_(std::move(words)),
          fields_(std::move(fields)) {}

    [[nodiscard]] nb::object discbracket(nb::str text) const {
        const auto view = utf8(text);
        return made(view ? parse_discbracket(*view) : std::nullopt);
    }

    [[nodiscard]] nb::object export_rows(const nb::list& lines, std::size_t columns) const {
        std::vector<std::string_view> views;
        views.reserve(lines.size());
        for (const nb::handle line : lines) {
            const auto view = utf8(line);
            if (!view)
                return nb::none();
            views.push_back(*view);
        }
        return made(parse_export_rows(views, columns));
    }

    // The sentence, the root, the id, the text, and the comments.
    [[nodiscard]] nb::object json(nb::str line) const {
        const auto view = utf8(line);
        const auto found = view ? parse_json_tree(*view) : std::nullopt;
        if (!found)
            return nb::none();
        const auto text = [](std::string_view one) { return nb::str(one.data(), one.size()); };
        nb::list comments;
        for (const std::string_view comment : found->comments)
            comments.append(text(comment));
        return nb::make_tuple(sentence(found->tree), root(found->tree), text(found->id),
                              text(found->text), comments);
    }

  private:
    // The sentence and the root.
    [[nodiscard]] nb::object made(const std::optional<TreeTexts>& found) const {
        if (!found)
            return nb::none();
        return nb::make_tuple(sentence(*found), root(*found));
    }

    static nb::object meaning(const nb::dict& table, std::string_view text) {
        const nb::str key(text.data(), text.size());
        PyObject* known = PyDict_GetItemWithError(table.ptr(), key.ptr());
        if (known != nullptr)
            return nb::borrow(known);
        if (PyErr_Occurred() != nullptr)
            throw nb::python_error();
        return checked(PyObject_GetItem(table.ptr(), key.ptr()));  // calls __missing__
    }

    // None for -1, and if the format has no such numbers.
    static nb::object number(const std::vector<std::int64_t>& numbers, std::size_t i) {
        if (numbers.empty() || numbers[i] < 0)
            return nb::none();
        return nb::int_(numbers[i]);
    }

    [[nodiscard]] nb::object sentence(const TreeTexts& tree) const {
        nb::object tokens = checked(PyTuple_New(static_cast<Py_ssize_t>(tree.words.size())));
        for (std::size_t i = 0; i < tree.words.size(); ++i) {
            nb::object token = make_token_(field_count);
            Py_ssize_t place = 0;
            const auto set = [&](nb::object value) {
                PyTuple_SetItem(token.ptr(), place++, value.release().ptr());
            };
            set(meaning(words_, tree.words[i]));
            for (const auto* column :
                 {&tree.tags, &tree.lemmas, &tree.morphology, &tree.edge_labels})
                set(column->empty() || (*column)[i].empty() ? nb::object(empty_)
                                                            : meaning(fields_, (*column)[i]));
            set(no_features_);
            set(number(tree.starts, i));
            set(number(tree.ends, i));
            PyTuple_SetItem(tokens.ptr(), static_cast<Py_ssize_t>(i), token.release().ptr());
        }
        return tokens;
    }

    [[nodiscard]] nb::object root(const TreeTexts& tree) const {
        std::vector<nb::object> nodes;
        std::vector<TokenSet> spans;
        nodes.reserve(tree.labels.size());
        spans.reserve(tree.labels.size());
        std::size_t place = 0;
        for (std::size_t node = 0; node < tree.labels.size(); ++node) {
            const std::int64_t size = tree.sizes[node];
            nb::object children = checked(PyTuple_New(static_cast<Py_ssize_t>(size)));
            TokenSet span;
            for (std::int64_t i = 0; i < size; ++i) {
                const std::int64_t child = tree.children[place++];
                const auto number = static_cast<std::size_t>(~child);
                span.add(child >= 0 ? TokenSet(child) : spans[number]);
                nb::object item = child >= 0 ? nb::int_(child) : nodes[number];
                PyTuple_SetItem(children.ptr(), static_cast<Py_ssize_t>(i), item.release().ptr());
            }
            const nb::object edge_label =
                tree.node_edge_labels.empty() || tree.node_edge_labels[node].empty()
                    ? nb::object(empty_)
                    : meaning(fields_, tree.node_edge_labels[node]);
            nodes.push_back(make_node_(meaning(fields_, tree.labels[node]), children, edge_label,
                                       span.to_python(), number(tree.heads, node)));
            spans.push_back(std::move(span));
        }
        return nodes.back();
    }

    static constexpr Py_ssize_t field_count = 8;

    nb::type_object token_type_;
    Allocator make_token_;
    NodeAllocator make_node_;
    nb::dict words_;
    nb::dict fields_;
    nb::str empty_ = interned("");
    nb::tuple no_features_ = nb::make_tuple();
};

}  // namespace

void bind_tree_reader(nb::module_& module) {
    nb::class_<TreeReader>(module, "TreeReader", "Makes sentences and roots from plain text.")
        .def(nb::init<nb::type_object, nb::type_object, nb::dict, nb::dict>(), "token_type"_a,
             "node_type"_a, "words"_a, "fields"_a,
             nb::sig("def __init__(self, token_type: type, node_type: type, words: dict[str, str], "
                     "fields: dict[str, str]) -> None"),
             R"(Take the types and what texts in files mean.

Args:
    token_type: `Token`, a tuple with eight fields.
    node_type: `Node`. Its fields are set without checks.
    words: The form for each word in a file. `__missing__` is called for new ones.
    fields: The same for tags, labels and all other fields.)")
        .def("discbracket", &TreeReader::discbracket, "text"_a,
             nb::sig("def discbracket(self, text: str) -> "
                     "tuple[tuple[typing.Any, ...], typing.Any] | None"),
             R"(Read a tree in disco-dop's brackets: return its sentence and its root.

Returns None for unusual trees, which must be checked, such as brackets that do not match.)")
        .def("export_rows", &TreeReader::export_rows, "lines"_a, "columns"_a,
             nb::sig("def export_rows(self, lines: list[str], columns: int) -> "
                     "tuple[tuple[typing.Any, ...], typing.Any] | None"),
             R"(Read the lines of a sentence in export: return the sentence and the virtual root.

Returns None for unusual sentences, such as those with comments or secondary edges.)")
        .def("json", &TreeReader::json, "line"_a,
             nb::sig("def json(self, line: str) -> tuple[tuple[typing.Any, ...], typing.Any, str, "
                     "str, list[str]] | None"),
             R"(Read a tree in JSON: return its sentence, root, id, text and comments.

Returns None for lines that crossbranch would not write, and for trees with features or secondary
edges.)");
}

}  // namespace crossbranch::bindings

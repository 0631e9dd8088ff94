// Trees of Python as text. Python's own tables escape the texts, so there is one place for it.
#include <cstdint>
#include <optional>
#include <string>
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

enum class Collected : std::uint8_t {
    labels,   // words, tags and labels
    fields,   // also lemmas, morphology and edge labels
    numbers,  // also offsets and heads
};

// The texts of one tree, and what keeps them alive.
class TextCollector {
  public:
    TextCollector(nb::handle node_type, const NodeSlots& slots, const nb::dict& words,
                  const nb::dict& fields, Collected wanted)
        : node_type_(node_type),
          slots_(slots),
          words_(words),
          fields_(fields),
          all_fields_(wanted != Collected::labels),
          numbers_(wanted == Collected::numbers) {}

    // Returns false if the tree has something that only Python writes.
    bool collect(const nb::tuple& sentence, nb::handle root) {
        for (const nb::handle token : sentence)
            if (!add_token(token))
                return false;
        return add_nodes(root);
    }

    TreeTexts tree;

  private:
    struct OpenNode {
        nb::handle node;  // the root keeps all nodes
        nb::handle children;
        Py_ssize_t next = 0;  // its next child
        std::size_t first;    // its first child among the vertices without a parent
    };
    enum Field : Py_ssize_t {
        form,
        tag,
        lemma,
        morphology,
        edge_label,
        features,
        start,
        end,
        field_count
    };

    bool add(std::vector<std::string_view>& column, const nb::dict& table, nb::handle text) {
        nb::object escaped;
        PyObject* known = PyDict_GetItemWithError(table.ptr(), text.ptr());
        if (known != nullptr)
            escaped = nb::borrow(known);
        else if (PyErr_Occurred() == nullptr)
            escaped = checked(PyObject_GetItem(table.ptr(), text.ptr()));  // calls __missing__
        else
            throw nb::python_error();
        Py_ssize_t size = 0;
        const char* first = PyUnicode_AsUTF8AndSize(escaped.ptr(), &size);
        if (first == nullptr) {  // half of a surrogate pair
            PyErr_Clear();
            return false;
        }
        column.emplace_back(first, static_cast<std::size_t>(size));
        kept_.push_back(std::move(escaped));
        return true;
    }

    bool add_token(nb::handle token) {
        if (!PyTuple_Check(token.ptr()) || PyTuple_Size(token.ptr()) != field_count)
            return false;
        const auto field = [&](Field place) {
            return nb::handle(PyTuple_GetItem(token.ptr(), place));
        };
        if (!add(tree.words, words_, field(form)) || !add(tree.tags, fields_, field(tag)))
            return false;
        if (numbers_ &&
            !(add_number(tree.starts, field(start)) && add_number(tree.ends, field(end))))
            return false;
        return !all_fields_ || (PyObject_IsTrue(field(features).ptr()) == 0 &&
                                add(tree.lemmas, fields_, field(lemma)) &&
                                add(tree.morphology, fields_, field(morphology)) &&
                                add(tree.edge_labels, fields_, field(edge_label)));
    }

    // Adds a number, or -1 for None.
    static bool add_number(std::vector<std::int64_t>& column, nb::handle number) {
        const bool is_there = !number.is_none();
        if (is_there && !PyLong_CheckExact(number.ptr()))
            return false;
        column.push_back(is_there ? PyLong_AsLongLong(number.ptr()) : -1);
        if (is_there && column.back() < 0) {
            PyErr_Clear();  // if it is too large
            return false;
        }
        return true;
    }

    bool open(nb::handle node) {
        if (!node.type().is(node_type_))
            return false;
        const nb::handle children = slots_.children.get(node);
        if (!PyTuple_Check(children.ptr()))
            return false;
        open_.push_back({node, children, 0, pending_.size()});
        return true;
    }

    bool add_nodes(nb::handle root) {
        if (!open(root))
            return false;
        while (!open_.empty()) {
            OpenNode& top = open_.back();
            if (top.next == PyTuple_Size(top.children.ptr())) {
                if (!close())
                    return false;
                continue;
            }
            const nb::handle child = PyTuple_GetItem(top.children.ptr(), top.next++);
            if (!(PyLong_CheckExact(child.ptr()) ? add_leaf(child) : open(child)))
                return false;
        }
        return true;
    }

    bool add_leaf(nb::handle child) {
        const long long token = PyLong_AsLongLong(child.ptr());
        if (token < 0 || static_cast<std::size_t>(token) >= tree.words.size()) {
            PyErr_Clear();
            return false;
        }
        pending_.push_back(token);
        return true;
    }

    // Adds the last open node, whose children are complete.
    bool close() {
        const OpenNode done = open_.back();
        open_.pop_back();
        if (!add(tree.labels, fields_, slots_.label.get(done.node)))
            return false;
        if (all_fields_ && (PyObject_IsTrue(slots_.features.get(done.node).ptr()) != 0 ||
                            !add(tree.node_edge_labels, fields_, slots_.edge_label.get(done.node))))
            return false;
        if (numbers_ &&
            (!add_number(tree.heads, slots_.head.get(done.node)) || pending_.size() == done.first))
            return false;
        const auto first = pending_.begin() + static_cast<std::ptrdiff_t>(done.first);
        tree.sizes.push_back(pending_.end() - first);
        tree.children.insert(tree.children.end(), first, pending_.end());
        pending_.erase(first, pending_.end());
        pending_.push_back(~static_cast<std::int64_t>(tree.labels.size() - 1));
        return true;
    }

    nb::handle node_type_;
    const NodeSlots& slots_;
    const nb::dict& words_;
    const nb::dict& fields_;
    bool all_fields_;
    bool numbers_;
    std::vector<nb::object> kept_;
    std::vector<OpenNode> open_;
    std::vector<std::int64_t> pending_;  // vertices without a parent so far
};

class TreeWriter {
  public:
    TreeWriter(nb::type_object node_type, nb::dict words, nb::dict fields)
        : node_type_(std::move(node_type)),
          slots_(node_type_),
          words_(std::move(words)),
          fields_(std::move(fields)) {}

    [[nodiscard]] nb::object discbracket(const nb::tuple& sentence, nb::handle root) const {
        return written(sentence, root, Collected::labels, write_discbracket);
    }

    [[nodiscard]] nb::object export_rows(const nb::tuple& sentence, nb::handle root,
                                         bool lemmas) const {
        return written(sentence, root, Collected::fields,
                       [&](const TreeTexts& tree) { return write_export_rows(tree, lemmas); });
    }

    [[nodiscard]] nb::object json(const nb::tuple& sentence, nb::handle root) const {
        return written(sentence, root, Collected::numbers, write_json_tree);
    }

  private:
    template <typename Write>
    [[nodiscard]] nb::object written(const nb::tuple& sentence, nb::handle root, Collected wanted,
                                     Write write) const {
        TextCollector found(node_type_, slots_, words_, fields_, wanted);
        if (!found.collect(sentence, root))
            return nb::none();
        const std::string text = write(found.tree);
        return nb::str(text.data(), text.size());
    }

    nb::type_object node_type_;
    NodeSlots slots_;
    nb::dict words_;
    nb::dict fields_;
};

// The nodes from a root down: their number, those with an edge label, a head, and features.
nb::tuple count_nodes(nb::handle root) {
    nb::handle type = root.type();
    NodeSlots slots(type);
    const auto is_true = [](nb::handle value) { return PyObject_IsTrue(value.ptr()) == 1; };
    std::size_t count = 0, edge_labels = 0, heads = 0, featured = 0;
    std::vector<nb::handle> stack{root};
    while (!stack.empty()) {
        const nb::handle node = stack.back();
        stack.pop_back();
        if (!node.type().is(type)) {  // a class of somebody else
            type = node.type();
            slots = NodeSlots(type);
        }
        ++count;
        edge_labels += is_true(slots.edge_label.get(node));
        heads += !slots.head.get(node).is_none();
        featured += is_true(slots.features.get(node));
        const nb::handle children = slots.children.get(node);
        for (Py_ssize_t i = 0; i < PyTuple_Size(children.ptr()); ++i) {
            const nb::handle child = PyTuple_GetItem(children.ptr(), i);
            if (!PyLong_CheckExact(child.ptr()))
                stack.push_back(child);
        }
    }
    return nb::make_tuple(count, edge_labels, heads, featured);
}

}  // namespace

void bind_tree_writer(nb::module_& module) {
    module.def("count_nodes", &count_nodes, "root"_a,
               nb::sig("def count_nodes(root: typing.Any) -> tuple[int, int, int, int]"),
               "Count all nodes, and those with an edge label, with a head, and with features.");

    nb::class_<TreeWriter>(module, "TreeWriter", "Writes plain trees as text.")
        .def(nb::init<nb::type_object, nb::dict, nb::dict>(), "node_type"_a, "words"_a, "fields"_a,
             nb::sig("def __init__(self, node_type: type, words: dict[str, str], "
                     "fields: dict[str, str]) -> None"),
             R"(Take the type of nodes and how texts are escaped.

Args:
    node_type: `Node`.
    words: How each form is written. `__missing__` is called for new ones.
    fields: The same for tags, labels and all other fields.)")
        .def("discbracket", &TreeWriter::discbracket, "sentence"_a, "root"_a,
             nb::sig("def discbracket(self, sentence: tuple[typing.Any, ...], root: typing.Any)"
                     " -> str | None"),
             "Return a tree in disco-dop's brackets; None if it must be written carefully.")
        .def("export_rows", &TreeWriter::export_rows, "sentence"_a, "root"_a, nb::kw_only(),
             "lemmas"_a,
             nb::sig("def export_rows(self, sentence: tuple[typing.Any, ...], root: typing.Any, *,"
                     " lemmas: bool) -> str | None"),
             R"(Return the rows of a tree in export, its virtual root left out.

Returns None for trees with features of tokens or nodes.)")
        .def("json", &TreeWriter::json, "sentence"_a, "root"_a,
             nb::sig("def json(self, sentence: tuple[typing.Any, ...], root: typing.Any)"
                     " -> str | None"),
             R"(Return the tokens and nodes of a tree as members of a JSON object.

Returns None for trees with features of tokens or nodes, and for nodes without children.)");
}

}  // namespace crossbranch::bindings

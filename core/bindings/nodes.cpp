// Nodes of Python, made from the numbers that a parser found. Python code would take longer for
// this than the whole search for functions.
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "convert.hpp"
#include "topics.hpp"
#include "tree_parts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

class NodeMaker {
  public:
    NodeMaker(nb::type_object type, std::vector<std::vector<nb::str>> upwards)
        : make_(std::move(type)), upwards_(std::move(upwards)) {}

    // The root of a tree in postfix form. Throws std::invalid_argument if this is not a tree.
    [[nodiscard]] nb::object build(std::span<const std::int32_t> codes) const {
        std::vector<Vertex> open;  // without a parent yet
        for (std::size_t i = 0; i < codes.size(); ++i) {
            if (codes[i] >= 0) {
                open.push_back({nb::int_(codes[i]), TokenSet(codes[i])});
                continue;
            }
            const auto label = static_cast<std::size_t>(~codes[i]);
            if (++i == codes.size() || codes[i] < 1 || label >= upwards_.size() ||
                upwards_[label].empty() || static_cast<std::size_t>(codes[i]) > open.size())
                throw std::invalid_argument("the numbers are not those of a tree");
            reduce(open, static_cast<std::size_t>(codes[i]), upwards_[label]);
        }
        if (open.size() != 1 || codes.size() == 1)
            throw std::invalid_argument("the numbers are not those of one tree");
        return open.front().object;
    }

  private:
    struct Vertex {
        nb::object object;
        TokenSet span;
    };
    // Replaces the last vertices by the node above them; a label may stand for a chain of nodes.
    void reduce(std::vector<Vertex>& open, std::size_t count,
                const std::vector<nb::str>& upwards) const {
        const std::size_t first = open.size() - count;
        TokenSet span;
        nb::object children = checked(PyTuple_New(static_cast<Py_ssize_t>(count)));
        for (std::size_t i = 0; i < count; ++i) {
            Vertex& child = open[first + i];
            span.add(child.span);
            PyTuple_SetItem(children.ptr(), static_cast<Py_ssize_t>(i),
                            child.object.release().ptr());
        }
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
        const nb::object tokens = span.to_python();
        nb::object node;
        for (const nb::str& label : upwards) {
            if (node.is_valid()) {
                children = checked(PyTuple_New(1));
                PyTuple_SetItem(children.ptr(), 0, node.release().ptr());
            }
            node = make_(label, children, no_label_, tokens);
        }
        open.push_back({std::move(node), std::move(span)});
    }

    NodeAllocator make_;
    std::vector<std::vector<nb::str>> upwards_;
    nb::str no_label_ = interned("");
};

// A copy of a token with one other field.
nb::object with_field(const Allocator& allocate, nb::handle token, Py_ssize_t field,
                      nb::handle value) {
    const Py_ssize_t size = PyTuple_Size(token.ptr());
    nb::object made = allocate(size);
    for (Py_ssize_t i = 0; i < size; ++i) {
        const nb::handle kept = i == field ? value : nb::handle(PyTuple_GetItem(token.ptr(), i));
        PyTuple_SetItem(made.ptr(), i, kept.inc_ref().ptr());
    }
    return made;
}

nb::object with_fields(const nb::tuple& tokens, Py_ssize_t field, const nb::list& values,
                       bool keep) {
    if (tokens.size() != values.size())
        throw std::invalid_argument("there are " + std::to_string(values.size()) + " values for " +
                                    std::to_string(tokens.size()) + " tokens");
    if (tokens.size() == 0)
        return tokens;
    nb::handle type = tokens[0].type();
    Allocator allocate(type);
    nb::object made = checked(PyTuple_New(static_cast<Py_ssize_t>(tokens.size())));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const nb::object token = tokens[i];
        if (!PyTuple_Check(token.ptr()) || field < 0 || field >= PyTuple_Size(token.ptr()))
            throw std::invalid_argument("a token has no field " + std::to_string(field));
        if (!token.type().is(type)) {
            type = token.type();
            allocate = Allocator(type);
        }
        const nb::object value = values[i];
        const nb::handle old = PyTuple_GetItem(token.ptr(), field);
        const bool stays = old.is(value) || (keep && PyObject_IsTrue(old.ptr()) == 1);
        nb::object next = stays ? token : with_field(allocate, token, field, value);
        PyTuple_SetItem(made.ptr(), static_cast<Py_ssize_t>(i), next.release().ptr());
    }
    return made;
}

}  // namespace

void bind_nodes(nb::module_& module) {
    nb::class_<NodeMaker>(module, "NodeMaker", "Makes nodes from the numbers that a parser found.")
        .def(nb::init<nb::type_object, std::vector<std::vector<nb::str>>>(), "node_type"_a,
             "upwards"_a,
             R"(Take the type of nodes and the names of labels.

Args:
    node_type: `Node`. Its fields are set without checks.
    upwards: The names of each label: one, or a chain of them, the lowest first. Temporary labels
        have none.)")
        .def(
            "build",
            [](const NodeMaker& self, const nb::bytes& codes) {
                if (codes.size() % sizeof(std::int32_t) != 0)
                    throw std::invalid_argument("the bytes are not those of numbers");
                std::vector<std::int32_t> numbers(codes.size() / sizeof(std::int32_t));
                std::memcpy(numbers.data(), codes.data(), numbers.size() * sizeof(std::int32_t));
                return self.build(numbers);
            },
            "codes"_a, "The same, from the bytes of 32-bit numbers, as a search returns them.")
        .def(
            "build",
            [](const NodeMaker& self, const std::vector<std::int32_t>& codes) {
                return self.build(codes);
            },
            "codes"_a,
            R"(Return the root of a tree in postfix form.

Raises a ValueError if the numbers are not those of a tree. Whether its tokens are in order, and
each of them only once, is not checked.)");

    module.def("with_fields", &with_fields, "tokens"_a, "field"_a, "values"_a, nb::kw_only(),
               "keep"_a = false,
               nb::sig("def with_fields(tokens: tuple[object, ...], field: int, values: "
                       "list[str], *, keep: bool = False) -> tuple[typing.Any, ...]"),
               R"(Return tokens (named tuples) with other values in one field.

Args:
    tokens: The tokens.
    field: The place of the field.
    values: A value for each token.
    keep: Tokens that have a value keep it.)");
}

}  // namespace crossbranch::bindings

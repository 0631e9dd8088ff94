// Nodes of Python, made from the numbers that a parser found. Python code would take longer for
// this than the whole search for functions.
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "convert.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

nb::object checked(PyObject* made) {
    if (made == nullptr)
        throw nb::python_error();
    return nb::steal(made);
}

// Makes objects of a type, without a call of its __new__ and __init__.
class Allocator {
  public:
    explicit Allocator(nb::handle type) : type_(reinterpret_cast<PyTypeObject*>(type.ptr())) {
        allocate_ = reinterpret_cast<allocfunc>(PyType_GetSlot(type_, Py_tp_alloc));
        if (allocate_ == nullptr)
            throw nb::python_error();
    }
    // `size` is the length of a tuple, and 0 for other objects.
    [[nodiscard]] nb::object operator()(Py_ssize_t size = 0) const {
        return checked(allocate_(type_, size));
    }

  private:
    PyTypeObject* type_;
    allocfunc allocate_;
};

class NodeMaker {
  public:
    NodeMaker(nb::type_object type, std::vector<std::vector<nb::str>> upwards)
        : type_(std::move(type)), allocate_(type_), upwards_(std::move(upwards)) {}

    // The root of a tree in postfix form. Throws std::invalid_argument if this is not a tree.
    [[nodiscard]] nb::object build(const std::vector<std::int32_t>& codes) const {
        std::vector<Vertex> open;  // without a parent yet
        for (std::size_t i = 0; i < codes.size(); ++i) {
            if (codes[i] >= 0) {
                open.push_back({nb::int_(codes[i]), span_of(codes[i])});
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
    // A set of tokens: bits, or an int of Python if it has later tokens than there are bits.
    struct TokenSet {
        std::uint64_t bits = 0;
        nb::object large;
    };
    struct Vertex {
        nb::object object;
        TokenSet span;
    };
    static constexpr std::int32_t bit_count = 64;

    static TokenSet span_of(std::int32_t token) {
        if (token < bit_count)
            return {std::uint64_t{1} << static_cast<std::uint32_t>(token), {}};
        return {0, checked(PyNumber_Lshift(nb::int_(1).ptr(), nb::int_(token).ptr()))};
    }

    static void add(TokenSet& set, const TokenSet& other) {
        set.bits |= other.bits;
        if (!set.large.is_valid())
            set.large = other.large;
        else if (other.large.is_valid())
            set.large = checked(PyNumber_Or(set.large.ptr(), other.large.ptr()));
    }

    static nb::object to_python(const TokenSet& set) {
        const nb::object bits = checked(PyLong_FromUnsignedLongLong(set.bits));
        return set.large.is_valid() ? checked(PyNumber_Or(bits.ptr(), set.large.ptr())) : bits;
    }

    // Replaces the last vertices by the node above them; a label may stand for a chain of nodes.
    void reduce(std::vector<Vertex>& open, std::size_t count,
                const std::vector<nb::str>& upwards) const {
        const std::size_t first = open.size() - count;
        TokenSet span;
        nb::object children = checked(PyTuple_New(static_cast<Py_ssize_t>(count)));
        for (std::size_t i = 0; i < count; ++i) {
            Vertex& child = open[first + i];
            add(span, child.span);
            PyTuple_SetItem(children.ptr(), static_cast<Py_ssize_t>(i),
                            child.object.release().ptr());
        }
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
        const nb::object tokens = to_python(span);
        nb::object node;
        for (const nb::str& label : upwards) {
            if (node.is_valid()) {
                children = checked(PyTuple_New(1));
                PyTuple_SetItem(children.ptr(), 0, node.release().ptr());
            }
            node = make(label, children, tokens);
        }
        open.push_back({std::move(node), std::move(span)});
    }

    [[nodiscard]] nb::object make(nb::handle label, nb::handle children, nb::handle span) const {
        nb::object node = allocate_();
        const auto set = [&](const nb::str& name, nb::handle value) {
            if (PyObject_GenericSetAttr(node.ptr(), name.ptr(), value.ptr()) != 0)
                throw nb::python_error();
        };
        set(label_, label);
        set(children_, children);
        set(edge_label_, no_label_);
        set(head_, nb::none());
        set(features_, no_features_);
        set(span_, span);
        return node;
    }

    static nb::str name(const char* text) {
        return nb::borrow<nb::str>(checked(PyUnicode_InternFromString(text)));
    }

    nb::type_object type_;
    Allocator allocate_;
    std::vector<std::vector<nb::str>> upwards_;
    nb::str label_ = name("label");
    nb::str children_ = name("children");
    nb::str edge_label_ = name("edge_label");
    nb::str head_ = name("head");
    nb::str features_ = name("features");
    nb::str span_ = name("span");
    nb::str no_label_ = name("");
    nb::tuple no_features_ = nb::make_tuple();
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
        .def("build", &NodeMaker::build, "codes"_a,
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

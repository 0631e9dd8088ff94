// Tokens and nodes of Python, made without calls of Python code: trees are made by the million.
#pragma once

#include <cstdint>

#include "convert.hpp"

namespace crossbranch::bindings {

inline nanobind::object checked(PyObject* made) {
    if (made == nullptr)
        throw nanobind::python_error();
    return nanobind::steal(made);
}

inline nanobind::str interned(const char* text) {
    return nanobind::borrow<nanobind::str>(checked(PyUnicode_InternFromString(text)));
}

// Makes objects of a type, without a call of its __new__ and __init__.
class Allocator {
  public:
    explicit Allocator(nanobind::handle type) : type_(reinterpret_cast<PyTypeObject*>(type.ptr())) {
        allocate_ = reinterpret_cast<allocfunc>(PyType_GetSlot(type_, Py_tp_alloc));
        if (allocate_ == nullptr)
            throw nanobind::python_error();
    }
    // `size` is the length of a tuple, and 0 for other objects.
    [[nodiscard]] nanobind::object operator()(Py_ssize_t size = 0) const {
        return checked(allocate_(type_, size));
    }

  private:
    PyTypeObject* type_;
    allocfunc allocate_;
};

// A set of tokens: bits, or an int of Python if it has later tokens than there are bits.
class TokenSet {
  public:
    TokenSet() = default;
    explicit TokenSet(std::int64_t token) {
        if (token < bit_count)
            bits_ = std::uint64_t{1} << static_cast<std::uint32_t>(token);
        else
            large_ = checked(PyNumber_Lshift(nanobind::int_(1).ptr(), nanobind::int_(token).ptr()));
    }

    void add(const TokenSet& other) {
        bits_ |= other.bits_;
        if (!large_.is_valid())
            large_ = other.large_;
        else if (other.large_.is_valid())
            large_ = checked(PyNumber_Or(large_.ptr(), other.large_.ptr()));
    }

    [[nodiscard]] nanobind::object to_python() const {
        const nanobind::object bits = checked(PyLong_FromUnsignedLongLong(bits_));
        return large_.is_valid() ? checked(PyNumber_Or(bits.ptr(), large_.ptr())) : bits;
    }

  private:
    static constexpr std::int64_t bit_count = 64;

    std::uint64_t bits_ = 0;
    nanobind::object large_;
};

// Makes nodes whose fields are known to be right.
class NodeAllocator {
  public:
    explicit NodeAllocator(nanobind::type_object type) : type_(std::move(type)), allocate_(type_) {}

    [[nodiscard]] nanobind::object operator()(nanobind::handle label, nanobind::handle children,
                                              nanobind::handle edge_label,
                                              nanobind::handle span) const {
        nanobind::object node = allocate_();
        const auto set = [&](const nanobind::str& name, nanobind::handle value) {
            if (PyObject_GenericSetAttr(node.ptr(), name.ptr(), value.ptr()) != 0)
                throw nanobind::python_error();
        };
        set(label_, label);
        set(children_, children);
        set(edge_label_, edge_label);
        set(head_, nanobind::none());
        set(features_, no_features_);
        set(span_, span);
        return node;
    }

  private:
    nanobind::type_object type_;
    Allocator allocate_;
    nanobind::str label_ = interned("label");
    nanobind::str children_ = interned("children");
    nanobind::str edge_label_ = interned("edge_label");
    nanobind::str head_ = interned("head");
    nanobind::str features_ = interned("features");
    nanobind::str span_ = interned("span");
    nanobind::tuple no_features_ = nanobind::make_tuple();
};

}  // namespace crossbranch::bindings

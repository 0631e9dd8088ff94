// Tokens and nodes of Python, made without calls of Python code: trees are made by the million.
#pragma once

#include <structmember.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

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

// A slot of a type: its place in the objects of the type, so that it is read and set without a
// search for its name.
class Slot {
  public:
    // Throws std::invalid_argument if neither the type nor one of its bases has the slot.
    Slot(nanobind::handle type, std::string_view name) {
        auto* at = reinterpret_cast<PyTypeObject*>(type.ptr());
        for (; at != nullptr; at = static_cast<PyTypeObject*>(PyType_GetSlot(at, Py_tp_base))) {
            const auto* member = static_cast<const PyMemberDef*>(PyType_GetSlot(at, Py_tp_members));
            for (; member != nullptr && member->name != nullptr; ++member)
                if (member->name == name && member->type == T_OBJECT_EX) {
                    offset_ = member->offset;
                    return;
                }
        }
        throw std::invalid_argument("the type has no slot " + std::string(name));
    }
    [[nodiscard]] nanobind::handle get(nanobind::handle object) const {
        PyObject* value = place(object);
        return value == nullptr ? Py_None : value;
    }
    // Of a new object.
    void set(nanobind::handle object, nanobind::handle value) const {
        place(object) = value.inc_ref().ptr();
    }

  private:
    [[nodiscard]] PyObject*& place(nanobind::handle object) const {
        return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object.ptr()) + offset_);
    }

    Py_ssize_t offset_ = 0;
};

// The slots of nodes.
struct NodeSlots {
    explicit NodeSlots(nanobind::handle type)
        : label(type, "label"),
          children(type, "children"),
          edge_label(type, "edge_label"),
          head(type, "head"),
          features(type, "features"),
          span(type, "span") {}

    Slot label;
    Slot children;
    Slot edge_label;
    Slot head;
    Slot features;
    Slot span;
};

// Makes nodes whose fields are known to be right.
class NodeAllocator {
  public:
    explicit NodeAllocator(nanobind::type_object type)
        : type_(std::move(type)), allocate_(type_), slots_(type_) {}

    [[nodiscard]] nanobind::object operator()(nanobind::handle label, nanobind::handle children,
                                              nanobind::handle edge_label, nanobind::handle span,
                                              nanobind::handle head = Py_None) const {
        nanobind::object node = allocate_();
        slots_.label.set(node, label);
        slots_.children.set(node, children);
        slots_.edge_label.set(node, edge_label);
        slots_.head.set(node, head);
        slots_.features.set(node, no_features_);
        slots_.span.set(node, span);
        return node;
    }

  private:
    nanobind::type_object type_;
    Allocator allocate_;
    NodeSlots slots_;
    nanobind::tuple no_features_ = nanobind::make_tuple();
};

}  // namespace crossbranch::bindings

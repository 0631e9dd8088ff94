#include "transitions/batch.hpp"

#include <nanobind/stl/shared_ptr.h>

#include "bindings/systems.hpp"
#include "convert.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

// Target arrays are never converted: the results would be lost in a copy.

// A batch that keeps its system for Python. Other Python threads can run while it works.
struct HeldBatch : Batch {
    HeldBatch(SharedSystem system, const Buffer<std::int32_t>& token_counts)
        : Batch(system->value, view(token_counts)), holder(std::move(system)) {}
    HeldBatch(SharedSystem system, Batch batch)
        : Batch(std::move(batch)), holder(std::move(system)) {}

    SharedSystem holder;
};

void write_legal(HeldBatch& self, const Target<std::uint8_t>& mask) {
    const nb::gil_scoped_release release;
    self.write_legal(view(mask));
}

void write_final(const HeldBatch& self, const Target<std::uint8_t>& is_final) {
    const nb::gil_scoped_release release;
    self.write_final(view(is_final));
}

void apply(HeldBatch& self, const Buffer<std::int32_t>& chosen) {
    const nb::gil_scoped_release release;
    self.apply(view(chosen));
}

void write_items(const HeldBatch& self, const Target<std::int32_t>& items, std::size_t stack,
                 std::size_t aside, std::size_t queue, std::size_t blocks) {
    const nb::gil_scoped_release release;
    self.write_items({stack, aside, queue, blocks}, view(items));
}

std::vector<TreeCodes> codes(const HeldBatch& self) {
    const nb::gil_scoped_release release;
    return self.codes();
}

HeldBatch select(const HeldBatch& self, const Buffer<std::int32_t>& numbers) {
    const nb::gil_scoped_release release;
    return {self.holder, self.select(view(numbers))};
}

HeldConfiguration configuration(const HeldBatch& self, Number number) {
    const Index i = to_index(number, "the number of a configuration");
    if (i >= self.size())
        throw std::invalid_argument("there is no configuration " + std::to_string(i) + " among " +
                                    std::to_string(self.size()));
    return {self.holder, self.stepper(i)};
}

}  // namespace

void bind_batch(nb::module_& module) {
    nb::class_<HeldBatch>(module, "Batch",
                          "Many configurations of one system that take their steps together.")
        .def(nb::init<SharedSystem, const Buffer<std::int32_t>&>(), "system"_a, "token_counts"_a,
             nb::sig("def __init__(self, system: System, token_counts: "
                     "typing_extensions.Buffer) -> None"))
        .def("__len__", &HeldBatch::size)
        .def("write_legal", &write_legal, "mask"_a.noconvert(),
             nb::sig("def write_legal(self, mask: typing_extensions.Buffer) -> None"),
             "Write a row of bytes for each configuration: 1 for each legal transition, else 0.")
        .def("write_final", &write_final, "is_final"_a.noconvert(),
             nb::sig("def write_final(self, is_final: typing_extensions.Buffer) -> None"),
             "Write a byte for each configuration: 1 if it is final.")
        .def("apply", &apply, "chosen"_a,
             nb::sig("def apply(self, chosen: typing_extensions.Buffer) -> None"),
             R"(Take a transition in each configuration that is not final.

Raises ValueError, and changes nothing, if one of them is not legal.)")
        .def("write_items", &write_items, "items"_a.noconvert(), nb::kw_only(), "stack"_a = 2,
             "aside"_a = 0, "queue"_a = 1, "blocks"_a = 2,
             nb::sig("def write_items(self, items: typing_extensions.Buffer, *, stack: int = 2, "
                     "aside: int = 0, queue: int = 1, blocks: int = 2) -> None"),
             R"(Write the items of each configuration.

First comes the focus, then the stack from its top, the items set aside (the first one first), and
the queue from its front. An item is its vertex, its label (-1: a token, -2: joined items without a
label), its head token, its number of blocks, and the start and stop of each block. Missing numbers are -1. If an item has more blocks
than `blocks`, the last place has its last block.)")
        .def("codes", &codes,
             "The finished trees, for NodeBuilder; empty if a tree is not finished.")
        .def("select", &select, "numbers"_a,
             nb::sig("def select(self, numbers: typing_extensions.Buffer) -> Batch"),
             "Return a batch of copies of these configurations. Each may occur several times.")
        .def("configuration", &configuration, "i"_a, "A copy of one configuration.")
        .def_prop_ro("system", [](const HeldBatch& self) { return self.holder; })
        .def_prop_ro(
            "transition_count", &HeldBatch::transition_count,
            "The number of transitions, with those of the open move that can be legal now.")
        .def_prop_ro("deepest_stack", &HeldBatch::deepest_stack,
                     "The number of items of the deepest stack.")
        .def_prop_ro("is_done", &HeldBatch::is_done, "Whether all configurations are final.");
}

}  // namespace crossbranch::bindings

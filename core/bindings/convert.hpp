// Conversion between types of the core and types of Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "trees/blocks.hpp"
#include "trees/span.hpp"

namespace crossbranch::bindings {

// Signed, so that a negative number is a ValueError and not a TypeError.
using Number = std::int64_t;
using NumberPair = std::pair<Number, Number>;

// The numbers of a Python array in memory, without a copy.
template <typename Value>
using Buffer =
    nanobind::ndarray<const Value, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename Value>
std::span<const Value> view(const Buffer<Value>& buffer) {
    return {buffer.data(), buffer.size()};
}

// The same for writing, with any shape.
template <typename Value>
using Target = nanobind::ndarray<Value, nanobind::c_contig, nanobind::device::cpu>;

template <typename Value>
std::span<Value> view(const Target<Value>& target) {
    return {target.data(), target.size()};
}

inline Index to_index(Number number, const std::string& name) {
    if (number < 0)
        throw std::invalid_argument(name + " is " + std::to_string(number) +
                                    ", expected 0 or more");
    return static_cast<Index>(number);
}

inline std::vector<Index> to_indices(const std::vector<Number>& numbers, const std::string& name) {
    std::vector<Index> indices;
    indices.reserve(numbers.size());
    for (const Number number : numbers)
        indices.push_back(to_index(number, name));
    return indices;
}

inline Blocks to_blocks(const std::vector<NumberPair>& pairs) {
    Blocks blocks;
    blocks.reserve(pairs.size());
    for (const auto& [start, stop] : pairs)
        blocks.push_back({to_index(start, "a block's start"), to_index(stop, "a block's stop")});
    return blocks;
}

inline std::vector<std::pair<Index, Index>> to_pairs(const Blocks& blocks) {
    std::vector<std::pair<Index, Index>> pairs;
    pairs.reserve(blocks.size());
    for (const auto& [start, stop] : blocks)
        pairs.emplace_back(start, stop);
    return pairs;
}

// A span is an int in Python: bit i stands for token i.
inline nanobind::int_ to_int(const Span& span) {
    std::string bytes;  // lowest first, on every machine
    for (const Span::Word word : span.words())
        for (Index shift = 0; shift < Span::word_bits; shift += 8)
            bytes.push_back(static_cast<char>(word >> shift & 0xffU));
    const nanobind::object number =
        nanobind::handle(reinterpret_cast<PyObject*>(&PyLong_Type))
            .attr("from_bytes")(nanobind::bytes(bytes.data(), bytes.size()), "little");
    return nanobind::int_(number);
}

}  // namespace crossbranch::bindings

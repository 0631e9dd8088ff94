// Descriptions and inputs of neural networks, from Python.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "convert.hpp"
#include "neural/encoder.hpp"

namespace crossbranch::bindings {

using Numbers = std::optional<Buffer<std::uint32_t>>;

template <typename Value>
std::span<const Value> view_if_any(const std::optional<Buffer<Value>>& buffer) {
    return buffer ? view(*buffer) : std::span<const Value>();
}

// The name and level of each task.
using TaskLevels = std::vector<std::tuple<std::string, Number>>;

inline neural::Residual to_residual(const std::string& name) {
    if (name == "none")
        return neural::Residual::none;
    if (name == "add")
        return neural::Residual::add;
    if (name == "gated")
        return neural::Residual::gated;
    throw std::invalid_argument("unknown residual connection " + name +
                                ", expected none, add or gated");
}

inline neural::EncoderDescription describe(const std::string& prefix,
                                           const std::vector<std::string>& residuals,
                                           const TaskLevels& tasks) {
    neural::EncoderDescription description{prefix, {}, {}};
    for (const std::string& name : residuals)
        description.residuals.push_back(to_residual(name));
    for (const auto& [name, level] : tasks)
        description.tasks.push_back({name, to_index(level, "the level of " + name)});
    return description;
}

}  // namespace crossbranch::bindings

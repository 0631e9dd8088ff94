#include "neural/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace crossbranch::neural {

namespace {

std::string shape_text(std::span<const std::size_t> shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i == 0 ? "" : ", ") + (shape[i] == 0 ? "any" : std::to_string(shape[i]));
    return text + "]";
}

bool fits(std::span<const std::size_t> shape, std::span<const std::size_t> expected) {
    if (shape.size() != expected.size())
        return false;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] == 0 || (expected[i] != 0 && shape[i] != expected[i]))
            return false;
    return true;
}

}  // namespace

void Tensors::add(const std::string& name, Tensor tensor) {
    std::size_t count = 1;
    bool can_be_counted = true;
    for (const std::size_t size : tensor.shape) {
        can_be_counted = can_be_counted && (size == 0 || count <= SIZE_MAX / size);
        count *= size;
    }
    if (!can_be_counted || count != tensor.values.size())
        throw std::invalid_argument("the tensor " + name + " has the shape " +
                                    shape_text(tensor.shape) + " but " +
                                    std::to_string(tensor.values.size()) + " numbers");
    if (!std::ranges::all_of(tensor.values, [](float value) { return std::isfinite(value); }))
        throw std::invalid_argument("the tensor " + name + " has numbers that are not finite");
    if (!tensors_.emplace(name, std::move(tensor)).second)
        throw std::invalid_argument("there are two tensors " + name);
}

const Tensor& Tensors::get(const std::string& name, std::span<const std::size_t> shape) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end())
        throw std::invalid_argument("there is no tensor " + name +
                                    ", expected one with the shape " + shape_text(shape));
    if (!fits(found->second.shape, shape))
        throw std::invalid_argument("the tensor " + name + " has the shape " +
                                    shape_text(found->second.shape) + ", expected " +
                                    shape_text(shape));
    return found->second;
}

PackedMatrix Tensors::linear(const std::string& name, std::size_t inputs,
                             std::size_t outputs) const {
    const Tensor& weight = get(name + ".weight", {outputs, inputs});
    std::span<const float> bias;
    if (has(name + ".bias"))
        bias = get(name + ".bias", {weight.size(0)}).values;
    return {weight.values, weight.size(0), weight.size(1), bias, precision_};
}

}  // namespace crossbranch::neural

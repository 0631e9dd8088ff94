// The named tensors of a trained network, and what layers read from them.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neural/matrix.hpp"

namespace crossbranch::neural {

struct Tensor {
    std::vector<std::size_t> shape;
    std::vector<float> values;

    [[nodiscard]] std::size_t size(std::size_t dimension) const { return shape[dimension]; }
};

// Tensors by name. Everything that is missing or has the wrong shape is a std::invalid_argument
// whose message names the tensor, its shape, and the shape that was expected.
class Tensors {
  public:
    // Layers compute in this precision.
    explicit Tensors(Precision precision = Precision::float32) : precision_(precision) {}

    // Throws if the shape does not fit the number of values, if a value is not finite, or if there
    // is such a tensor already.
    void add(const std::string& name, Tensor tensor);

    [[nodiscard]] Precision precision() const { return precision_; }
    [[nodiscard]] bool has(const std::string& name) const { return tensors_.contains(name); }

    // A size of 0 stands for any size above 0.
    [[nodiscard]] const Tensor& get(const std::string& name,
                                    std::span<const std::size_t> shape) const;
    [[nodiscard]] const Tensor& get(const std::string& name,
                                    std::initializer_list<std::size_t> shape) const {
        return get(name, std::span(shape.begin(), shape.size()));
    }

    // The linear map NAME.weight (outputs x inputs) and, if there is one, NAME.bias.
    [[nodiscard]] PackedMatrix linear(const std::string& name, std::size_t inputs,
                                      std::size_t outputs = 0) const;

  private:
    Precision precision_;
    std::map<std::string, Tensor, std::less<>> tensors_;
};

}  // namespace crossbranch::neural

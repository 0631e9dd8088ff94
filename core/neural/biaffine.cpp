#include "neural/biaffine.hpp"

#include <algorithm>

namespace crossbranch::neural {

namespace {

constexpr float slope = 0.1F;  // of the leaky rectifier

void rectify(float* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        values[i] = std::max(values[i], slope * values[i]);
}

}  // namespace

Biaffine::Biaffine(const Tensors& tensors, const std::string& prefix, std::size_t inputs) {
    const Tensor& label = tensors.get(prefix + "label.tensor", {0, 0, 0});
    labels_ = label.size(0);
    label_size_ = label.size(1);
    const Tensor& span = tensors.get(prefix + "span.tensor", {1, 0, 0});
    span_size_ = span.size(1);
    (void)tensors.get(prefix + "label.tensor", {labels_, label_size_, label_size_});
    (void)tensors.get(prefix + "span.tensor", {1, span_size_, span_size_});
    std::vector<float> weights, bias;
    for (const char* side : {"label.left", "label.right"})
        add_hidden(tensors, prefix + side, inputs, label_size_, weights, bias);
    for (const char* side : {"span.left", "span.right"})
        add_hidden(tensors, prefix + side, inputs, span_size_, weights, bias);
    hidden_ = PackedMatrix(weights, bias.size(), inputs, bias, tensors.precision());
    pack_labels(label, tensors.precision());
    span_map_ = PackedMatrix(span.values, span_size_, span_size_, {}, tensors.precision());
}

// The 1 at the end is an output of the map without weights.
void Biaffine::add_hidden(const Tensors& tensors, const std::string& name, std::size_t inputs,
                          std::size_t size, std::vector<float>& weights, std::vector<float>& bias) {
    const Tensor& weight = tensors.get(name + ".weight", {size - 1, inputs});
    const Tensor& own = tensors.get(name + ".bias", {size - 1});
    weights.insert(weights.end(), weight.values.begin(), weight.values.end());
    weights.resize(weights.size() + inputs, 0.0F);
    bias.insert(bias.end(), own.values.begin(), own.values.end());
    bias.push_back(1.0F);
}

// The outputs are in the order of the panels of a packed matrix with an output for each label. So
// the row of a token is such a matrix, by which the vectors of first tokens can be multiplied.
void Biaffine::pack_labels(const Tensor& tensor, Precision precision) {
    const Kernels& machine = kernels();
    const std::size_t padded = (labels_ + machine.lanes - 1) / machine.lanes * machine.lanes;
    const std::size_t size = label_size_;
    std::vector<float> weights(padded * size * size, 0.0F);
    float* to = weights.data();
    for (std::size_t begin = 0; begin < padded; begin += machine.panel_width) {
        const std::size_t end = std::min(begin + machine.panel_width, padded);
        for (std::size_t left = 0; left < size; ++left)
            for (std::size_t label = begin; label < end; ++label, to += size)
                if (label < labels_)
                    std::copy_n(tensor.values.data() + (label * size + left) * size, size, to);
    }
    label_map_ = PackedMatrix(weights, padded * size, size, {}, precision);
}

void Biaffine::prepare(const Matrix& tokens, std::size_t begin, std::size_t count,
                       Memory& memory) const {
    const std::size_t width = hidden_.outputs();
    memory.hidden.resize(count, width);
    hidden_.multiply(tokens.row(begin), tokens.columns(), count, memory.hidden.data(), width);
    rectify(memory.hidden.data(), count * width);
    memory.panels.resize(count, label_map_.outputs());
    label_map_.multiply(memory.hidden.data() + label_size_, width, count, memory.panels.data(),
                        label_map_.outputs());
    memory.spans.resize(count, span_size_);
    span_map_.multiply(memory.hidden.data() + 2 * label_size_ + span_size_, width, count,
                       memory.spans.data(), span_size_);
}

void Biaffine::score(const Memory& memory, std::size_t begin, std::size_t last, float* out,
                     std::size_t stride) const {
    const Kernels& machine = kernels();
    const float* const span = memory.spans.row(begin + last);
    for (std::size_t first = 0; first <= last; ++first) {
        const float* const left = memory.hidden.row(begin + first) + 2 * label_size_;
        std::fill_n(out + first * stride, labels_, machine.dot(left, span, span_size_));
    }
    machine.multiply({memory.hidden.row(begin), hidden_.outputs(), last + 1, label_size_,
                      memory.panels.row(begin + last), labels_, nullptr, out, stride});
}

}  // namespace crossbranch::neural

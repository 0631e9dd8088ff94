#include "neural/matrix.hpp"

#include <stdexcept>

namespace crossbranch::neural {

namespace {

constexpr std::size_t rounded_values = 32768;  // that stay in the cache until they are multiplied

// Calls add(output, input) for all weights in the order of the panels.
template <typename Add>
void for_each_packed(std::size_t padded, std::size_t panel_width, std::size_t inputs, Add add) {
    for (std::size_t begin = 0; begin < padded; begin += panel_width)
        for (std::size_t input = 0; input < inputs; ++input)
            for (std::size_t output = begin; output < std::min(begin + panel_width, padded);
                 ++output)
                add(output, input);
}

}  // namespace

PackedMatrix::PackedMatrix(std::span<const float> weights, std::size_t outputs, std::size_t inputs,
                           std::span<const float> bias, Precision precision, const Kernels& chosen)
    : kernels_(&chosen), outputs_(outputs), inputs_(inputs) {
    if (weights.size() != outputs * inputs || (!bias.empty() && bias.size() != outputs))
        throw std::invalid_argument("the weights do not have the size of the matrix");
    const std::size_t padded = (outputs + chosen.lanes - 1) / chosen.lanes * chosen.lanes;
    if (precision == Precision::bfloat16 && chosen.multiply_pairs != nullptr)
        pack_pairs(weights, padded);
    else
        pack(weights, padded);
    bias_ = Memory<float>(padded);
    std::fill_n(bias_.data(), padded, 0.0F);
    std::copy(bias.begin(), bias.end(), bias_.data());
}

void PackedMatrix::pack(std::span<const float> weights, std::size_t padded) {
    panels_ = Memory<float>(padded * inputs_);
    float* to = panels_.data();
    for_each_packed(padded, kernels_->panel_width, inputs_,
                    [&](std::size_t output, std::size_t input) {
                        *to++ = output < outputs_ ? weights[output * inputs_ + input] : 0.0F;
                    });
}

void PackedMatrix::pack_pairs(std::span<const float> weights, std::size_t padded) {
    const std::size_t width = (inputs_ + 1) / 2;
    std::vector<Pair> rounded(outputs_ * width);
    kernels_->round_to_pairs(weights.data(), inputs_, outputs_, inputs_, rounded.data());
    pair_panels_ = Memory<Pair>(padded * width);
    Pair* to = pair_panels_.data();
    for_each_packed(padded, kernels_->panel_width, width,
                    [&](std::size_t output, std::size_t pair) {
                        *to++ = output < outputs_ ? rounded[output * width + pair] : 0;
                    });
}

void PackedMatrix::run(const float* in, std::size_t in_stride, std::size_t rows, const float* bias,
                       float* out, std::size_t out_stride) const {
    if (pair_panels_.size() > 0)
        run_pairs(in, in_stride, rows, bias, out, out_stride);
    else
        kernels_->multiply(
            {in, in_stride, rows, inputs_, panels_.data(), outputs_, bias, out, out_stride});
}

void PackedMatrix::run_pairs(const float* in, std::size_t in_stride, std::size_t rows,
                             const float* bias, float* out, std::size_t out_stride) const {
    const std::size_t width = (inputs_ + 1) / 2;
    const std::size_t part = std::max<std::size_t>(rounded_values / width, 1);
    thread_local std::vector<Pair> rounded;
    rounded.resize(std::max(rounded.size(), std::min(rows, part) * width));
    for (std::size_t row = 0; row < rows; row += part) {
        const std::size_t count = std::min(part, rows - row);
        kernels_->round_to_pairs(in + row * in_stride, in_stride, count, inputs_, rounded.data());
        kernels_->multiply_pairs({rounded.data(), width, count, width, pair_panels_.data(),
                                  outputs_, bias, out + row * out_stride, out_stride});
    }
}

void PackedMatrix::multiply(const Matrix& in, Matrix& out) const {
    out.resize(in.rows(), outputs_);
    multiply(in.data(), in.columns(), in.rows(), out.data(), outputs_);
}

}  // namespace crossbranch::neural

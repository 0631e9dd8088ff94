#include "neural/matrix.hpp"

#include <stdexcept>

namespace crossbranch::neural {

PackedMatrix::PackedMatrix(std::span<const float> weights, std::size_t outputs, std::size_t inputs,
                           std::span<const float> bias, const Kernels& chosen)
    : kernels_(&chosen), outputs_(outputs), inputs_(inputs) {
    if (weights.size() != outputs * inputs || (!bias.empty() && bias.size() != outputs))
        throw std::invalid_argument("the weights do not have the size of the matrix");
    const std::size_t lanes = chosen.lanes;
    const std::size_t padded = (outputs + lanes - 1) / lanes * lanes;
    panels_ = Floats(padded * inputs);
    bias_ = Floats(padded);
    float* to = panels_.data();
    for (std::size_t begin = 0; begin < padded; begin += chosen.panel_width) {
        const std::size_t end = std::min(begin + chosen.panel_width, padded);
        for (std::size_t input = 0; input < inputs; ++input)
            for (std::size_t output = begin; output < end; ++output)
                *to++ = output < outputs ? weights[output * inputs + input] : 0.0F;
    }
    std::fill_n(bias_.data(), padded, 0.0F);
    std::copy(bias.begin(), bias.end(), bias_.data());
}

void PackedMatrix::multiply(const float* in, std::size_t in_stride, std::size_t rows, float* out,
                            std::size_t out_stride) const {
    kernels_->multiply(
        {in, in_stride, rows, inputs_, panels_.data(), outputs_, bias_.data(), out, out_stride});
}

void PackedMatrix::multiply_add(const float* in, std::size_t in_stride, std::size_t rows,
                                float* out, std::size_t out_stride) const {
    kernels_->multiply(
        {in, in_stride, rows, inputs_, panels_.data(), outputs_, nullptr, out, out_stride});
}

void PackedMatrix::multiply(const Matrix& in, Matrix& out) const {
    out.resize(in.rows(), outputs_);
    multiply(in.data(), in.columns(), in.rows(), out.data(), outputs_);
}

}  // namespace crossbranch::neural

// The inner loops of neural networks. They are compiled for several kinds of machines, and the
// fastest version that the machine can run is chosen at run time.
//
// Every result depends on its own row alone: it is the same to the last bit, whatever the number of
// rows that are computed together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace crossbranch::neural {

// A matrix product out = in * W^T + start, with the weights of PackedMatrix.
template <typename Value>
struct ProductOf {
    const Value* in;  // row_count x depth
    std::size_t in_stride;
    std::size_t row_count;
    std::size_t depth;
    const Value* panels;  // the weights: one panel after the other
    std::size_t columns;
    const float* bias;  // padded to whole vectors; nullptr: `out` has the start already
    float* out;         // row_count x columns
    std::size_t out_stride;
};

using Product = ProductOf<float>;

// Two 16-bit floats (bfloat16: the upper halves of 32-bit floats), the first one in the lower bits.
using Pair = std::uint32_t;
using PairProduct = ProductOf<Pair>;

struct Kernels {
    const char* name;
    std::size_t lanes;        // floats in a vector
    std::size_t panel_width;  // columns of a panel, a multiple of `lanes`

    void (*multiply)(const Product& product);

    // In place. Relative errors are below 1e-6.
    void (*tanh)(float* values, std::size_t count);
    void (*sigmoid)(float* values, std::size_t count);

    // One step of one LSTM: the gates i, f, g, o (before their functions), each with `units`
    // values.
    void (*lstm_cell)(const float* gates, float* cell, float* hidden, std::size_t units);

    // The same in training. The gates are replaced by the values of their functions. `before` is
    // the cell of the step before.
    void (*keep_lstm_cell)(float* gates, const float* before, float* cell, float* hidden,
                           std::size_t units);
    // The way back: from the values of the gates and the cells to the gradient of the gates before
    // their functions. The gradient of the cell becomes that of the cell before.
    void (*lstm_cell_gradient)(const float* gates, const float* before, const float* cell,
                               const float* hidden_gradient, float* cell_gradient,
                               float* gate_gradient, std::size_t units);

    // out[i] = the sum of rows[..][i], added in this order.
    void (*sum_rows)(const float* const* rows, std::size_t row_count, float* out,
                     std::size_t width);

    // out[i] += values[i]; out[i] = max(out[i], values[i]); out[i] += gates[i] * values[i]
    void (*add)(const float* values, float* out, std::size_t count);
    void (*keep_largest)(const float* values, float* out, std::size_t count);
    void (*add_gated)(const float* gates, const float* values, float* out, std::size_t count);

    float (*dot)(const float* left, const float* right, std::size_t count);

    // Products of 16-bit floats, which are added up in 32 bits; nullptr if the machine has none.
    void (*multiply_pairs)(const PairProduct& product) = nullptr;
    // Rounds rows to pairs; the last pair of a row may have a 0. A row has (depth + 1) / 2 pairs.
    void (*round_to_pairs)(const float* in, std::size_t in_stride, std::size_t row_count,
                           std::size_t depth, Pair* out) = nullptr;
};

// The kernels of this machine.
[[nodiscard]] const Kernels& kernels();

// All that this machine can run, the fastest first. `at` is below `runnable_count`.
[[nodiscard]] std::size_t runnable_count();
[[nodiscard]] const Kernels& runnable(std::size_t at);

}  // namespace crossbranch::neural

// A bidirectional LSTM layer in training: its states, and the way back from their gradients.
//
// Torch computes everything else, in a few large matrix products. This is the part that has to go
// from token to token.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace crossbranch::neural {

// Of all tokens, one sequence after the other. The two directions follow each other, with
// `tokens` rows for each of them.
struct LstmRun {
    std::size_t units;
    std::span<const std::int32_t> lengths;            // of the sequences; none is empty
    std::array<std::span<const float>, 2> recurrent;  // of both directions: 4 units x units

    // Rows of 4 x units: first what the inputs give to the gates, then the values of the gates.
    std::span<float> gates;
    // Rows of 2 x units: the cell, and the hidden state before the token.
    std::span<float> kept;

    [[nodiscard]] std::size_t tokens() const { return gates.size() / (8 * units); }
    // Throws std::invalid_argument if the sizes do not fit.
    void check() const;
};

// Computes the states of all tokens, in rows of 2 x units: [forward; backward].
void run_lstm(const LstmRun& run, std::span<float> hidden);

// The gradients of what the inputs gave to the gates, as rows like those of the gates.
void run_lstm_back(const LstmRun& run, std::span<const float> hidden_gradients,
                   std::span<float> gate_gradients);

}  // namespace crossbranch::neural

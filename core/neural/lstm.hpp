// Bidirectional LSTM layers over many sequences of different lengths at once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neural/matrix.hpp"
#include "neural/tensors.hpp"

namespace crossbranch::neural {

// Sequence i has the tokens starts[i] up to starts[i + 1]. None is empty.
using Starts = std::span<const std::uint32_t>;

// Memory that is kept from call to call. Each thread needs its own.
struct LstmMemory {
    Matrix inputs;  // what the inputs give to the gates, for both directions
    Matrix gates, hidden, cell;
    std::vector<std::uint32_t> order;  // sequences, the longest first
};

// Gates of both directions, computed from inputs: a row of 8 x units numbers. Token i has the row
// rows[i]; if there are no rows, it has row i.
struct GateInputs {
    const Matrix* values;
    std::span<const std::uint32_t> rows;
};

class BiLstm {
  public:
    BiLstm() = default;
    // Takes PREFIXweight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, and the same with _reverse,
    // as torch.nn.LSTM names them. `inputs` of 0 stands for any number.
    BiLstm(const Tensors& tensors, const std::string& prefix, std::size_t inputs = 0);

    [[nodiscard]] std::size_t inputs() const { return input_.inputs(); }
    [[nodiscard]] std::size_t outputs() const { return 2 * units_; }

    // The states at all tokens: [forward; backward] in each row of `out`, which gets its size.
    void run(const Matrix& tokens, Starts starts, Matrix& out, LstmMemory& memory) const;

    // The last states of both directions, one row for each sequence. The inputs are one row of
    // gates for each kind of token, computed beforehand by `input_gates`.
    void run_to_end(const GateInputs& inputs, Starts starts, Matrix& out, LstmMemory& memory) const;

    void input_gates(const Matrix& tokens, Matrix& gates) const { input_.multiply(tokens, gates); }

  private:
    enum class Keep : std::uint8_t { all, last };

    void run_direction(std::size_t direction, const GateInputs& inputs, Starts starts, Keep keep,
                       Matrix& out, LstmMemory& memory) const;

    std::size_t units_ = 0;
    PackedMatrix input_;  // both directions
    std::array<PackedMatrix, 2> recurrent_;
};

}  // namespace crossbranch::neural

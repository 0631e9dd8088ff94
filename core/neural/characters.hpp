// Vectors of word forms, computed from their characters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neural/form_cache.hpp"
#include "neural/lstm.hpp"

namespace crossbranch::neural {

// Different forms, and which of them each token has. Form i has the characters starts[i] up to
// starts[i + 1], with the marks of its start and stop. None is empty.
struct TokenForms {
    std::span<const std::uint32_t> of_tokens;
    std::span<const std::uint32_t> characters;
    Starts starts;
};

struct CharacterMemory {
    LstmMemory lstm;
    Matrix vectors;                         // one row for each form of these tokens
    Matrix computed;                        // one row for each form that was not known
    Matrix sums;                            // of one position
    std::vector<std::int32_t> row_of;       // the row of each form, while it has one; otherwise -1
    std::vector<std::uint32_t> used;        // the form of each row
    std::vector<std::uint32_t> missing;     // rows that must be computed
    std::vector<std::uint32_t> characters;  // of the missing forms
    std::vector<std::uint32_t> starts;
};

// A bi-LSTM (its last states) or a convolution (ReLU, maximum over all positions). What a character
// gives to the gates or filters is computed once, when the network is loaded.
//
//   embedding.weight    characters x size
//   lstm.*              as in torch.nn.LSTM, or
//   convolution.weight  filters x size x width, with convolution.bias; zeros beyond both ends
class CharacterEncoder {
  public:
    CharacterEncoder(const Tensors& tensors, const std::string& prefix);

    [[nodiscard]] std::size_t outputs() const { return outputs_; }

    // Throws std::invalid_argument for a number that no form or character has.
    void check(const TokenForms& forms) const;

    // Writes one vector for each token, to rows that are `out_stride` floats apart. The forms have
    // been checked.
    void encode(const TokenForms& forms, float* out, std::size_t out_stride,
                CharacterMemory& memory) const;

  private:
    void add_convolution(const Tensors& tensors, const std::string& prefix,
                         const Tensor& embedding);
    void compute(const TokenForms& forms, CharacterMemory& memory) const;
    void convolve(CharacterMemory& memory) const;

    std::size_t character_count_ = 0;
    std::size_t outputs_ = 0;
    std::optional<BiLstm> lstm_;
    Matrix table_;             // gates, or the filters at all offsets, for each character
    std::size_t width_ = 0;    // of the convolution
    std::vector<float> bias_;  // of the convolution
    std::unique_ptr<FormCache> cache_;
};

}  // namespace crossbranch::neural

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

// The numbers of characters that every network has.
inline constexpr std::uint32_t unknown_character = 0;
inline constexpr std::uint32_t start_character = 1;
inline constexpr std::uint32_t stop_character = 2;

struct CharacterMemory {
    LstmMemory lstm;
    Matrix vectors;                         // one row for each distinct form
    Matrix computed;                        // one row for each form that was not known
    Matrix sums;                            // of one position
    std::vector<std::uint32_t> of_token;    // the distinct form of each token
    std::vector<std::uint32_t> missing;     // distinct forms that must be computed
    std::vector<std::uint32_t> first_of;    // the first token with this form
    std::vector<std::uint32_t> characters;  // of the missing forms, with start and stop
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

    // Writes one vector for each form, to rows that are `out_stride` floats apart. Form i has the
    // characters forms[i] up to forms[i + 1], perhaps none. Throws std::invalid_argument for a
    // number that no character has.
    void encode(std::span<const std::uint32_t> characters, Starts forms, float* out,
                std::size_t out_stride, CharacterMemory& memory) const;

  private:
    void add_convolution(const Tensors& tensors, const std::string& prefix,
                         const Tensor& embedding);
    void compute(std::span<const std::uint32_t> characters, Starts forms,
                 CharacterMemory& memory) const;
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

// Feed-forward networks over constituents, each named by a few of its tokens.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neural/matrix.hpp"
#include "neural/tensors.hpp"
#include "transitions/items.hpp"

namespace crossbranch::neural {

struct SpanScorerDescription {
    std::string prefix;      // of the names of all tensors
    std::size_t items = 1;   // constituents in a row, such as a candidate and the focus
    std::size_t places = 4;  // tokens of a constituent, such as its first and last token
};

struct SpanMemory {
    Matrix first, hidden, next;
    std::vector<const float*> rows;
};

// A row is the concatenation of the vectors of its tokens. The network is linear in each of them up
// to the first tanh. So what a token gives to the first layer is computed once, for each place
// where it may stand, and a row adds up what its tokens give.
//
//   absent                 places x size: vectors of the places that a constituent does not have
//   layers.0, layers.1 ..  linear maps with tanh; the first one has items x places x size inputs
//   output                 a linear map
class SpanScorer {
  public:
    SpanScorer(const Tensors& tensors, SpanScorerDescription description, std::size_t size);

    [[nodiscard]] std::size_t outputs() const { return output_.outputs(); }
    [[nodiscard]] std::size_t size() const { return projection_.inputs(); }  // of a token's vector
    [[nodiscard]] std::size_t hidden() const { return hidden_; }
    [[nodiscard]] std::size_t places() const { return description_.places; }
    [[nodiscard]] std::size_t items() const { return description_.items; }
    [[nodiscard]] std::size_t row_size() const { return description_.items * description_.places; }

    // What all tokens give to the first layer. `projections` gets its size.
    void prepare(const Matrix& tokens, Matrix& projections) const {
        projection_.multiply(tokens, projections);
    }

    // Scores rows of items x places token indices: rows x outputs() numbers. Throws
    // std::invalid_argument for a number that no token has.
    void score(const Matrix& projections, std::span<const std::int32_t> rows, std::span<float> out,
               SpanMemory& memory) const;

    // What one item gives to the first layer: hidden() numbers. `item` is its position in a row.
    // The tokens are not checked.
    void sum_item(const Matrix& projections, std::size_t item, const std::int32_t* tokens,
                  float* sum) const;

    // Scores rows of sums of items: items() pointers for each row.
    void score_sums(std::span<const float* const> sums, std::span<float> out,
                    SpanMemory& memory) const;

  private:
    [[nodiscard]] const float* part(const Matrix& projections, std::size_t place,
                                    std::int32_t token) const {
        return token == no_token
                   ? absent_.row(place)
                   : projections.row(static_cast<std::size_t>(token)) + place * hidden_;
    }
    void score_hidden(std::size_t rows, float* out, SpanMemory& memory) const;

    SpanScorerDescription description_;
    std::size_t hidden_ = 0;            // of the first layer
    PackedMatrix projection_;           // the first layer, for all items and places
    Matrix absent_;                     // what a missing token gives to the first layer
    Matrix bias_;                       // of the first layer
    std::vector<PackedMatrix> layers_;  // after the first one
    PackedMatrix output_;
    std::vector<float> single_output_;  // the weights, if there is only one output
    float single_bias_ = 0;
};

}  // namespace crossbranch::neural

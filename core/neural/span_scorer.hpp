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
    std::vector<bool> rare;  // for items x places: whether few rows have a token there; empty: none
};

// What the tokens of a batch give to the first layer. Each thread needs its own.
struct SpanParts {
    const Matrix* tokens = nullptr;  // their vectors, which must stay where they are
    Matrix common;                   // for each token, one part for each place that is not rare
    RowStore rare;                   // the parts for rare places that were needed
    std::vector<std::int32_t> rare_rows;             // their rows, tokens x rare places; or:
    std::vector<std::vector<std::uint32_t>> wanted;  // for each rare place, tokens to compute
    Matrix inputs, computed;
};

struct SpanMemory {
    Matrix last;  // the sum of the last item of a row, with the bias
    Matrix first, hidden, next;
    std::vector<const float*> rows;
};

// A row is the concatenation of the vectors of its tokens. The network is linear in each of them up
// to the first tanh. So what a token gives to the first layer is computed once, for each place
// where it may stand, and a row adds up what its tokens give. For rare places, such as the ends of
// gaps, this is done only when it is needed.
//
//   absent                 places x size: vectors of the places that a constituent does not have
//   layers.0, layers.1 ..  linear maps with tanh; the first one has items x places x size inputs
//   output                 a linear map
class SpanScorer {
  public:
    SpanScorer(const Tensors& tensors, SpanScorerDescription description, std::size_t size);

    [[nodiscard]] std::size_t outputs() const { return output_.outputs(); }
    [[nodiscard]] std::size_t size() const { return size_; }  // of a token's vector
    [[nodiscard]] std::size_t hidden() const { return hidden_; }
    [[nodiscard]] std::size_t places() const { return description_.places; }
    [[nodiscard]] std::size_t items() const { return description_.items; }
    [[nodiscard]] std::size_t row_size() const { return description_.items * description_.places; }

    // Computes what all tokens give to the first layer at places that are not rare.
    void prepare(const Matrix& tokens, SpanParts& parts) const;

    // Scores rows of items x places token indices: rows x outputs() numbers. Neighbouring rows with
    // the same last item, such as the focus, share its sum. Throws std::invalid_argument for a
    // number that no token has.
    void score(SpanParts& parts, std::span<const std::int32_t> rows, std::span<float> out,
               SpanMemory& memory) const;

  private:
    void add_places(const Tensors& tensors, const Tensor& first);
    void want(SpanParts& parts, std::size_t place, std::int32_t token) const;
    void compute_wanted(SpanParts& parts) const;
    [[nodiscard]] const float* part(const SpanParts& parts, std::size_t place,
                                    std::int32_t token) const;
    void sum_row(const SpanParts& parts, const std::int32_t* row, bool has_same_last,
                 SpanMemory& memory, float* sum) const;
    void score_hidden(std::size_t rows, float* out, SpanMemory& memory) const;

    SpanScorerDescription description_;
    std::size_t size_ = 0;
    std::size_t hidden_ = 0;            // of the first layer
    std::vector<std::size_t> numbers_;  // of each place, among the rare or the common ones
    PackedMatrix common_;               // the first layer, for all common places
    std::vector<PackedMatrix> rare_;    // the first layer, for each rare place
    Matrix absent_;                     // what a missing token gives to the first layer
    Matrix bias_;                       // of the first layer
    std::vector<PackedMatrix> layers_;  // after the first one
    PackedMatrix output_;
    std::vector<float> single_output_;  // the weights, if there is only one output
    float single_bias_ = 0;
};

}  // namespace crossbranch::neural

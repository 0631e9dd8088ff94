// Scores of labelled spans: biaffine functions of the vectors of their first and last tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "neural/matrix.hpp"
#include "neural/tensors.hpp"

namespace crossbranch::neural {

// The scores of all labels of all spans, each the sum of one score for the span and one for the
// label. `left` is a vector of the first token and `right` one of the last token:
//
//   label.left, label.right   linear maps of the vector of a token, then a leaky rectifier
//   label.tensor              labels x (size + 1) x (size + 1): left * tensor * right, both vectors
//                             with a 1 at the end
//   span.left ...             the same for the span, with one tensor
class Biaffine {
  public:
    Biaffine(const Tensors& tensors, const std::string& prefix, std::size_t inputs);

    [[nodiscard]] std::size_t labels() const { return labels_; }

    struct Memory {
        Matrix hidden;  // for each token: left and right of the label, left and right of the span
        Matrix panels;  // for each token: tensor * right of all labels, in the order of the kernels
        Matrix spans;   // for each token: tensor * right of the span
    };

    // Computes what each token of some sentences gives to the scores.
    void prepare(const Matrix& tokens, std::size_t begin, std::size_t count, Memory& memory) const;

    // The scores of all spans that end with token `last` of a sentence whose first token has the
    // row `begin` of the memory: for each first token a row of labels, `stride` after the last one.
    void score(const Memory& memory, std::size_t begin, std::size_t last, float* out,
               std::size_t stride) const;

  private:
    void add_hidden(const Tensors& tensors, const std::string& name, std::size_t inputs,
                    std::size_t size, std::vector<float>& weights, std::vector<float>& bias);
    void pack_labels(const Tensor& tensor, Precision precision);

    std::size_t labels_ = 0;
    std::size_t label_size_ = 0, span_size_ = 0;  // with the 1 at the end
    PackedMatrix hidden_, label_map_, span_map_;
};

}  // namespace crossbranch::neural

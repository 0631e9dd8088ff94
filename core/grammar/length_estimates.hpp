// Outside estimates by length (the LN estimates of Kallmeyer & Maier 2013): a lower bound of what
// is missing to a symbol that covers some of the tokens, wherever these are.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "grammar/chart.hpp"
#include "grammar/rules.hpp"

namespace crossbranch::grammar {

class LengthEstimates {
  public:
    // The axioms say which symbols the tokens of the sentence may have.
    LengthEstimates(const Grammar& grammar, std::span<const Axiom> axioms, std::size_t token_count);

    [[nodiscard]] double outside(Symbol symbol, std::size_t length) const {
        return outside_[symbol * (token_count_ + 1) + length];
    }

  private:
    double& inside_at(Symbol symbol, std::size_t length) {
        return inside_[symbol * (token_count_ + 1) + length];
    }
    double& outside_at(Symbol symbol, std::size_t length) {
        return outside_[symbol * (token_count_ + 1) + length];
    }
    void fill_inside(const Grammar& grammar);
    void fill_outside(const Grammar& grammar);

    std::size_t token_count_;
    std::vector<double> inside_;  // by symbol and length
    std::vector<double> outside_;
};

}  // namespace crossbranch::grammar

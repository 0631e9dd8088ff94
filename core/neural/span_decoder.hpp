// From the scores of spans to trees as codes, with their probabilities.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spans/best_tree.hpp"
#include "transitions/tree_codes.hpp"

namespace crossbranch::neural {

// Scores of continuous spans of which only the best label is kept: two labels, one for constituents
// inside a sentence and one for the whole sentence. This saves memory and time.
struct BestLabels {
    std::vector<float> scores;         // in the order of SpanScores, for the two labels
    std::vector<spans::Label> labels;  // the best label of each span

    void clear(std::size_t tokens);
    // Keeps the best of the labels of the spans that end with token `last`. `scores` has a row for
    // each first token.
    void keep(std::span<const float> rows, std::size_t tokens, std::size_t last,
              const std::vector<bool>& is_root);

    [[nodiscard]] static const std::vector<bool>& is_root();
};

struct DecodedTree {
    double score = 0;
    TreeCodes codes;
    // If they were asked for; those of constituents are in the order of the codes.
    double probability = 0;
    std::vector<double> probabilities;
};

struct DecodeOptions {
    spans::SearchSpace space;
    std::size_t k_best = 1;
    bool has_probabilities = false;
    bool has_minimum_risk = false;  // the tree with the best expected F1; k_best is 1

    // Whether the best label of each span is not enough.
    [[nodiscard]] bool needs_all_labels() const {
        return k_best > 1 || has_probabilities || has_minimum_risk;
    }
    // Throws std::invalid_argument if options exclude each other.
    void check() const;
};

// The best trees of a sentence. The score of a minimum-risk tree is its expected F1. Labels of
// discontinuous constituents have the numbers after those of continuous ones, of which there are
// `continuous_labels`. With `best`, scores have only the labels of BestLabels.
[[nodiscard]] std::vector<DecodedTree> decode(const spans::SpanScores& scores,
                                              const DecodeOptions& options,
                                              std::size_t continuous_labels,
                                              const BestLabels* best = nullptr);

}  // namespace crossbranch::neural

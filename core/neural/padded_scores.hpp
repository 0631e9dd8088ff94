// Scores of the spans of many sentences, as torch computes them, and the charts over them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neural/span_decoder.hpp"

namespace crossbranch::neural {

// The scores of all sentences are equally large: as if all were as long as the longest one. Those
// of the labels of the span from token i to token j of a sentence start at
// ((sentence * length + i) * length + j) * labels.
struct PaddedScores {
    std::span<const std::int32_t> token_counts;
    std::size_t length;  // of the longest sentence
    std::span<const float> continuous, outer, gap;
    std::size_t discontinuous_labels;
    std::vector<bool> is_root;                   // of the labels of continuous constituents
    std::span<const spans::SearchSpace> spaces;  // of each sentence
    std::size_t threads = 1;

    // Throws std::invalid_argument if sizes do not fit each other.
    void check() const;
};

// The trees of each sentence. The space of the options does not count: each sentence has its own.
[[nodiscard]] std::vector<std::vector<DecodedTree>> decode_all(const PaddedScores& scores,
                                                               const DecodeOptions& options);

// What constituents add to their scores in training with a margin.
struct ConstituentCosts {
    std::span<const std::vector<spans::Constituent>> gold;  // of each sentence
    float wrong = 1, right = -1;
};

// The best tree of each sentence with these costs: see spans::best_tree_with_cost.
[[nodiscard]] std::vector<spans::SpanTree> best_trees_with_cost(const PaddedScores& scores,
                                                                const ConstituentCosts& costs);

// The logarithm of the sum over all trees of each sentence. Its derivatives are written to the
// targets, which have the same order as the scores, and are 0 elsewhere.
[[nodiscard]] std::vector<double> log_partitions(const PaddedScores& scores,
                                                 std::span<float> continuous,
                                                 std::span<float> outer, std::span<float> gap);

}  // namespace crossbranch::neural

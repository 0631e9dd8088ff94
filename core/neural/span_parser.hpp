// Parsing with span charts: a network scores all spans of a sentence, and a chart finds the best
// tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neural/biaffine.hpp"
#include "neural/encoder.hpp"
#include "neural/span_decoder.hpp"

namespace crossbranch::neural {

struct SpanParseOptions {
    std::vector<spans::SearchSpace> spaces;  // of each sentence; empty: no trees, only classes
    std::size_t k_best = 1;
    bool has_probabilities = false;
    std::size_t threads = 1;
    bool has_minimum_risk = false;

    [[nodiscard]] DecodeOptions of_sentence(std::size_t number) const {
        return {spaces[number], k_best, has_probabilities, has_minimum_risk};
    }
};

struct SpanParseResult {
    std::vector<std::vector<DecodedTree>> trees;      // of each sentence, the best one first
    std::vector<std::vector<std::uint32_t>> classes;  // of each task, for all tokens
};

// The scores of the spans of one sentence, in the order of spans::SpanScores.
struct ScoredSentence {
    std::vector<float> continuous, outer, gap;
};

class SpanParser {
  public:
    // The names of tensors begin with `prefix` and "encoder." or "scorer.continuous.",
    // "scorer.outer.", "scorer.gap."; without the last two, there are no discontinuous
    // constituents. `is_root` says of each label of continuous constituents if it is one of whole
    // sentences. Throws std::invalid_argument if the tensors do not fit.
    SpanParser(const Tensors& tensors, const std::string& prefix, std::vector<Residual> residuals,
               std::vector<TaskDescription> tasks, std::vector<bool> is_root);

    [[nodiscard]] std::size_t continuous_labels() const { return continuous_.labels(); }
    [[nodiscard]] std::size_t discontinuous_labels() const { return outer_ ? outer_->labels() : 0; }

    // The result does not depend on the number of threads, nor on what else is in the batch. Throws
    // std::invalid_argument for a batch that does not fit the network.
    [[nodiscard]] SpanParseResult parse(const TokenBatch& batch,
                                        const SpanParseOptions& options) const;

    // All scores of each sentence.
    [[nodiscard]] std::vector<ScoredSentence> score(const TokenBatch& batch) const;

  private:
    struct Worker;

    void parse_piece(const TokenBatch& batch, std::span<const std::uint32_t> sentences,
                     const SpanParseOptions& options, Worker& worker,
                     SpanParseResult& result) const;
    void prepare(std::size_t begin, std::size_t count, Worker& worker) const;
    [[nodiscard]] std::vector<DecodedTree> parse_sentence(std::size_t begin, std::size_t tokens,
                                                          const DecodeOptions& options,
                                                          Worker& worker) const;
    void score_continuous(std::size_t begin, std::size_t tokens, Worker& worker) const;
    void score_gaps(std::size_t begin, std::size_t tokens, Worker& worker) const;

    Encoder encoder_;
    Biaffine continuous_;
    std::optional<Biaffine> outer_, gap_;
    std::vector<bool> is_root_;
};

}  // namespace crossbranch::neural

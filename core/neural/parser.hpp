// Parsing with neural networks: from the words of sentences to trees, with a beam of any size.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "neural/encoder.hpp"
#include "neural/scored_moves.hpp"
#include "transitions/tree_codes.hpp"

namespace crossbranch::neural {

struct ScoredTree {
    TreeCodes codes;
    double score;  // the logarithm of the probability of its derivation
};

struct ParseOptions {
    std::size_t beam = 1;    // 1: greedy
    std::size_t k_best = 1;  // trees for each sentence, at most
    std::size_t threads = 1;
};

struct ParseResult {
    std::vector<std::vector<ScoredTree>> trees;       // of each sentence, the best one first
    std::vector<std::vector<std::uint32_t>> classes;  // of each task, for all tokens
};

class Parser {
  public:
    // The encoder's tensors begin with encoder.prefix, those of the scorers with "structure." and
    // "label." after `prefix`.
    Parser(const Tensors& tensors, EncoderDescription encoder, const std::string& prefix,
           MoveDescription moves, const std::shared_ptr<const System>& system);

    [[nodiscard]] const Encoder& encoder() const { return encoder_; }

    // The result does not depend on the number of threads, nor on what else is in the batch. Throws
    // std::invalid_argument for a batch that does not fit the network.
    [[nodiscard]] ParseResult parse(const TokenBatch& batch, const ParseOptions& options) const;

  private:
    struct Worker;

    void parse_piece(const TokenBatch& batch, std::span<const std::uint32_t> sentences,
                     const ParseOptions& options, Worker& worker, ParseResult& result) const;
    void search(const ParseOptions& options, Worker& worker) const;

    Encoder encoder_;
    MoveScorer moves_;
};

}  // namespace crossbranch::neural

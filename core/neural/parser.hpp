// Parsing with neural networks: from the words of sentences to trees, with a beam of any size.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "neural/encoder.hpp"
#include "neural/span_scorer.hpp"
#include "transitions/choice_beam.hpp"

namespace crossbranch::neural {

struct ParseOptions {
    std::size_t beam = 1;    // 1: greedy
    std::size_t k_best = 1;  // trees for each sentence, at most
    std::size_t threads = 1;
    bool is_traced = false;  // whether `traces` is wanted
};

struct ParseResult {
    std::vector<std::vector<FoundTree>> trees;        // of each sentence, the best one first
    std::vector<Trace> traces;                        // of each sentence: how the best was found
    std::vector<std::vector<std::uint32_t>> classes;  // of each task, for all tokens
};

class Parser {
  public:
    // The names of tensors begin with `prefix` and "encoder.", "structure." or "label.". The
    // scorers have the rows and scores of `writer`. Throws std::invalid_argument if the tensors do
    // not fit.
    Parser(const Tensors& tensors, const std::string& prefix, std::vector<Residual> residuals,
           std::vector<TaskDescription> tasks, std::shared_ptr<const ChoiceWriter> writer);

    // The result does not depend on the number of threads, nor on what else is in the batch. Throws
    // std::invalid_argument for a batch that does not fit the network.
    [[nodiscard]] ParseResult parse(const TokenBatch& batch, const ParseOptions& options) const;

  private:
    struct Worker;

    void parse_piece(const TokenBatch& batch, std::span<const std::uint32_t> sentences,
                     const ParseOptions& options, Worker& worker, ParseResult& result) const;
    void search(ChoiceBeam& beam, Worker& worker) const;

    std::shared_ptr<const ChoiceWriter> writer_;
    Encoder encoder_;
    SpanScorer structure_, labels_;
};

}  // namespace crossbranch::neural

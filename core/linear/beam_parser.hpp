// Parsing: from token tables to trees.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "linear/beam.hpp"
#include "linear/templates.hpp"
#include "linear/weights.hpp"
#include "transitions/system.hpp"
#include "transitions/trace.hpp"
#include "transitions/tree_codes.hpp"

namespace crossbranch {

struct Parse {
    double score;
    TreeCodes codes;
};

struct TracedParse {
    double score;  // the sum of the scores of all transitions that were taken
    Trace steps;
};

struct ParseOptions {
    std::size_t beam = 4;
    std::size_t threads = 1;
    std::size_t k_best = 1;
};

class BeamParser {
  public:
    // Throws std::invalid_argument if the weights are for another number of
    // transitions.
    BeamParser(std::shared_ptr<const System> system, std::shared_ptr<const Templates> templates,
               std::shared_ptr<const Weights> weights, Stop stop = Stop::all);

    // The best parses of each sentence, best first; with Stop::first, there may be fewer than
    // `k_best`. Sentence i has the tokens offsets[i] up to offsets[i + 1], at least one. The result
    // is the same for any number of threads.
    [[nodiscard]] std::vector<std::vector<Parse>> parse(std::span<const std::uint32_t> rows,
                                                        std::span<const std::size_t> offsets,
                                                        const ParseOptions& options) const;

    // How the best parse of one sentence is found. `rows` has its tokens, at least one.
    [[nodiscard]] TracedParse trace(std::span<const std::uint32_t> rows, std::size_t beam) const;

  private:
    std::shared_ptr<const System> system_;
    std::shared_ptr<const Templates> templates_;
    std::shared_ptr<const Weights> weights_;
    Stop stop_;
};

}  // namespace crossbranch

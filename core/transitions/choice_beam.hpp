// Search with a neural scorer: the configurations of many sentences take their steps together.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "transitions/choices.hpp"
#include "transitions/trace.hpp"
#include "transitions/tree_codes.hpp"

namespace crossbranch {

struct FoundTree {
    double score;  // the log-probability of the derivation
    TreeCodes codes;
};

class ChoiceBeam {
  public:
    // Throws std::invalid_argument for a sentence without tokens, or a beam without a place. With
    // `is_traced`, `traces` knows all steps.
    ChoiceBeam(std::shared_ptr<const ChoiceWriter> writer,
               std::span<const std::int32_t> token_counts, std::size_t beam,
               bool is_traced = false);

    [[nodiscard]] std::size_t size() const { return sentences_.size(); }
    [[nodiscard]] std::size_t width() const { return beam_; }
    [[nodiscard]] const ChoiceWriter& writer() const { return *writer_; }

    // The choices of all configurations. Transitions without an alternative are taken before, with
    // a beam of 1 as many as there are, otherwise one: so the configurations of a beam have the
    // same number of transitions. If there is no choice left, all configurations are final. Until
    // they are decided, the choices stay the same.
    [[nodiscard]] const Choices& choices();

    // Goes on with the best transitions by these scores, which need not be normalized: one for each
    // row (or for each move of each row), and `output_count` for each label choice. Throws
    // std::invalid_argument if their numbers are wrong.
    void advance(std::span<const float> structure, std::span<const float> labels);

    // The same for a beam of 1, not always with the best: structure is drawn by its probabilities,
    // with the given chance at each step, and otherwise taken from the oracle. Labels are the best.
    void explore(std::span<const float> structure, std::span<const float> labels,
                 std::span<const SpanOracle* const> oracles, double chance,
                 std::mt19937_64& random);

    // For each sentence: the transitions that were chosen, for `derive_choices`.
    [[nodiscard]] std::vector<std::vector<TransitionId>> taken() const;

    // For each sentence: its finished trees, the best one first. Some may be equal.
    [[nodiscard]] std::vector<std::vector<FoundTree>> trees() const;

    // For each sentence: how its best tree was found. Scores are log-probabilities of single steps.
    [[nodiscard]] std::vector<Trace> traces() const;

  private:
    struct Hypothesis {
        Configuration at;
        double score = 0;
        std::int32_t step = -1;  // its last step, if steps are traced
    };
    struct PastStep {
        std::int32_t before;  // the step before it; -1: none
        TracedStep step;
    };
    struct Sentence {
        Forest forest;
        std::vector<Hypothesis> beam;
        std::int32_t start = 0;
        std::vector<TransitionId> taken;  // with a beam of 1
        std::vector<PastStep> past;       // if steps are traced
    };
    // A configuration that has a choice.
    struct Pending {
        std::size_t sentence, hypothesis;
        std::size_t first;  // its first row, or the number of its label choice
        bool is_label;
        Legal legal;
    };
    struct Option {
        std::size_t hypothesis;
        TransitionId transition;  // -1: it stays as it is
        double score;
    };

    void check(std::span<const float> structure, std::span<const float> labels) const;
    // Takes transitions without an alternative. Whether there is a choice then: `legal` has it.
    bool settle(Sentence& sentence, Hypothesis& one, Legal& legal) const;
    // Adds the legal transitions of a choice with their log-probabilities.
    void rate(const Pending& at, std::span<const float> structure, std::span<const float> labels,
              std::vector<Option>& options) const;
    // Remembers a step after others, and returns its number.
    static std::int32_t remember(Sentence& sentence, std::int32_t before, TracedStep step);
    // The finished hypotheses of a sentence, the best one first.
    [[nodiscard]] std::vector<const Hypothesis*> finished(const Sentence& sentence) const;
    // Goes on with the best options.
    void keep(Sentence& sentence, std::vector<Option>& options) const;

    std::shared_ptr<const ChoiceWriter> writer_;
    std::size_t beam_;
    bool is_traced_;
    std::vector<Sentence> sentences_;
    Choices choices_;
    std::vector<Pending> pending_;  // in the order of the sentences
};

}  // namespace crossbranch

// The averaged structured perceptron (Collins 2002) for beam search.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linear/beam.hpp"
#include "linear/learned_weights.hpp"
#include "linear/templates.hpp"
#include "transitions/system.hpp"

namespace crossbranch {

enum class UpdateRule : std::uint8_t {
    early,         // when the right derivation falls off the beam (Collins & Roark 2004)
    restart,       // the same, and the search continues from it (LaSO, Daumé & Marcu 2005)
    max_violation  // where its score is most behind (Huang et al. 2012)
};

struct PerceptronOptions {
    std::size_t beam = 4;
    UpdateRule rule = UpdateRule::early;
    std::int32_t importance = 1;  // a GAP or SWAP counts this many times (Maier 2015)
    std::uint8_t min_update = 0;  // features with fewer updates do not count
    Stop stop = Stop::all;
};

struct TrainingCounts {
    std::size_t sentences = 0;
    std::size_t updates = 0;      // sentences that changed weights
    std::size_t transitions = 0;  // steps of the search
};

class Perceptron {
  public:
    Perceptron(std::shared_ptr<const System> system, std::shared_ptr<const Templates> templates,
               const PerceptronOptions& options);
    Perceptron(const Perceptron&) = delete;  // searches point at the weights
    Perceptron& operator=(const Perceptron&) = delete;

    // Adds a training sentence: its token table and its derivation. Throws std::invalid_argument
    // if the derivation is not legal or does not end in a tree.
    void add(std::vector<std::uint32_t> rows, std::vector<TransitionId> derivation);
    [[nodiscard]] std::size_t sentence_count() const { return sentences_.size(); }

    // Learns from these sentences in this order. The sentences of a batch see the same weights, so
    // the result depends on the size of batches, but not on the number of threads.
    TrainingCounts train(std::span<const std::uint32_t> order, std::size_t batch,
                         std::size_t threads);

    // The averaged weights; with `others`, which learn the same system, the mean of all.
    [[nodiscard]] Weights average(double prune,
                                  std::span<const Perceptron* const> others = {}) const;
    [[nodiscard]] std::string state() const;
    void restore(std::string_view state);

  private:
    struct Sentence {
        std::vector<std::uint32_t> rows;
        std::vector<TransitionId> derivation;
    };
    struct Change {
        Feature feature;
        TransitionId transition;
        std::int32_t amount;
        bool is_first = true;  // of the changes of its feature in one comparison
    };
    struct Lesson {
        std::vector<Change> changes;
        std::size_t steps = 0;
    };
    using Search = Beam<LearnedWeights>;

    void learn(const Sentence& sentence, Search& search, Lesson& lesson) const;
    void learn_early(const Sentence& sentence, Search& search, Lesson& lesson) const;
    void learn_max_violation(const Sentence& sentence, Search& search, Lesson& lesson) const;
    void compare(std::int32_t gold, std::int32_t predicted, const Search& search,
                 Lesson& lesson) const;
    // Adds up changes of the same weight, from `start` on.
    static void add_up(std::vector<Change>& changes, std::ptrdiff_t start);
    void collect(std::int32_t from, std::int32_t to, std::int32_t sign, const Search& search,
                 Lesson& lesson) const;

    std::shared_ptr<const System> system_;
    std::shared_ptr<const Templates> templates_;
    PerceptronOptions options_;
    LearnedWeights weights_;
    std::vector<Sentence> sentences_;
    std::int64_t time_ = 0;  // sentences seen so far
    std::vector<std::unique_ptr<Search>> searches_;
    std::vector<Lesson> lessons_;
};

}  // namespace crossbranch

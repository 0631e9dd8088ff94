// The scores of the legal transitions of many configurations at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "neural/span_scorer.hpp"
#include "transitions/batch.hpp"
#include "transitions/candidates.hpp"
#include "transitions/items.hpp"

namespace crossbranch::neural {

// How structural transitions are scored.
enum class Structure : std::uint8_t {
    candidates,  // one row [item; focus] for each item of the stack, and for the next token (SHIFT)
    classes      // one row of items with one number for each transition
};

struct MoveDescription {
    Structure structure = Structure::candidates;
    ItemWidths items;                             // of a row, with `classes`; `blocks` is not used
    std::size_t gaps = 1;                         // that an item shows
    std::vector<TransitionId> structure_classes;  // with `classes`: the transition of each number
    std::vector<TransitionId> label_classes;      // the transition of each number
};

// A configuration of a sentence and what may come next.
struct Choice {
    TransitionId transition;
    float score;  // a logarithm of a probability
};

// A sentence while it is parsed. Its sums are kept for all its configurations.
struct OpenSentence {
    Forest forest;
    std::int32_t offset = 0;  // the number of its first token in the batch
    std::vector<const float*> candidate_sums, focus_sums;  // by vertex; nullptr: not yet
};

class MoveScorer {
  public:
    // Throws std::invalid_argument if the tensors do not fit the system or the description.
    MoveScorer(const Tensors& tensors, MoveDescription description,
               std::shared_ptr<const System> system, const std::string& prefix, std::size_t size);

    [[nodiscard]] const CandidateSystem& system() const { return *system_; }
    [[nodiscard]] ItemPlaces places() const { return {description_.gaps, system_->has_heads()}; }

    class Round;

  private:
    std::shared_ptr<const System> owner_;
    const CandidateSystem* system_;
    MoveDescription description_;
    SpanScorer structure_, labels_;
};

// The configurations of a batch that must be scored now. Its memory is kept for the next round.
class MoveScorer::Round {
  public:
    explicit Round(const MoveScorer& scorer) : scorer_(&scorer) {}

    // A new batch: the vectors of all its tokens.
    void prepare(const Matrix& tokens);

    // Starts a new round.
    void clear();
    // Finds the legal transitions of a configuration, which is not final. Returns its number.
    std::size_t add(OpenSentence& sentence, const Configuration& at);
    // Scores everything that was added. If there is only one legal transition, its score is 0.
    void score();
    // The legal transitions of a configuration.
    [[nodiscard]] std::span<const Choice> choices(std::size_t number) const {
        return std::span(choices_).subspan(starts_[number], starts_[number + 1] - starts_[number]);
    }

  private:
    enum class Kind : std::uint8_t { forced, candidates, classes, labels };

    void add_candidates(OpenSentence& sentence, const Configuration& at);
    void add_classes(const OpenSentence& sentence, const Configuration& at);
    void add_labels(const OpenSentence& sentence, const Configuration& at);
    void add_legal(std::span<const TransitionId> classes);
    // The sum of an item, which is computed before anything is scored.
    [[nodiscard]] const float* sum_of(OpenSentence& sentence, Vertex vertex, std::size_t position);
    void compute_sums();
    void take_scores();

    const MoveScorer* scorer_;
    SpanParts structure_parts_, label_parts_;  // what tokens give to the first layers
    RowStore sums_;                            // of items
    std::vector<ItemSum> new_sums_;            // to be computed; their tokens follow
    std::vector<std::int32_t> new_tokens_;
    SpanMemory memory_;
    Legal legal_;
    std::vector<Kind> kinds_;
    std::vector<std::size_t> starts_;  // of the choices of each configuration
    std::vector<Choice> choices_;
    std::vector<std::uint32_t> classes_;  // the class of each choice, if it has one
    std::vector<const float*> candidate_rows_;
    std::vector<std::int32_t> class_rows_, label_rows_;
    std::vector<float> candidate_scores_, class_scores_, label_scores_;
};

}  // namespace crossbranch::neural

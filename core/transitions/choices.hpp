// What a neural scorer has to choose between, as arrays of numbers for many configurations at once.
//
// A choice is structural, or it is about the label of the focus. Items are named by some of their
// tokens: the first and the last one, the ends of their gaps, perhaps the head. A transition
// without an alternative is no choice: it is simply taken.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "transitions/candidates.hpp"
#include "transitions/items.hpp"
#include "transitions/span_oracle.hpp"

namespace crossbranch {

// Rows have the numbers of tokens in a list of all sentences, one after the other; see ItemPlaces.
struct Choices {
    std::vector<std::int32_t> rows;            // of structural choices
    std::vector<std::int32_t> owners;          // of candidates: the number of the choice
    std::vector<TransitionId> transitions;     // of candidates
    std::vector<std::uint8_t> legal;           // without candidates: a byte for each move
    std::vector<std::int32_t> configurations;  // of structural choices
    std::vector<std::int32_t> targets;         // the row, or the move, that is right
    std::vector<std::int32_t> label_rows;      // one for each focus that gets a label
    std::vector<std::uint8_t> label_is_root;   // whether it is the whole sentence
    std::vector<std::int32_t> label_configurations;
    std::vector<std::int32_t> label_targets;  // 0: no label; otherwise the label plus 1

    [[nodiscard]] std::size_t structure_count() const { return configurations.size(); }
    [[nodiscard]] std::size_t label_count() const { return label_configurations.size(); }
};

// Writes the choices of configurations.
class ChoiceWriter {
  public:
    // Throws std::invalid_argument for a system without candidates.
    ChoiceWriter(const std::shared_ptr<const System>& system, std::size_t gaps);

    [[nodiscard]] const CandidateSystem& system() const { return *system_; }
    // Whether each candidate has a row and a score. Otherwise, one row has the scores of all moves.
    [[nodiscard]] bool has_candidates() const { return system_->open_move().has_value(); }
    // The structural transitions, in the order of their scores; none if candidates have scores.
    [[nodiscard]] const std::vector<TransitionId>& moves() const { return moves_; }
    // Candidates: candidate and focus. Otherwise: focus, two items of the stack, d1, next token.
    [[nodiscard]] std::size_t items() const { return has_candidates() ? 2 : 5; }
    // Whether an item of a row is d1, which exists only after GAP.
    [[nodiscard]] bool is_aside(std::size_t item) const { return !has_candidates() && item == 3; }
    [[nodiscard]] const ItemPlaces& places() const { return places_; }
    // The scores of a label choice: for no label, and for each label.
    [[nodiscard]] std::size_t output_count() const {
        return static_cast<std::size_t>(system_->labels().count()) + 1;
    }

    // Adds the choice of a configuration, which has several legal transitions. `start` is the
    // number of the first token of its sentence, and `number` that of the configuration.
    void add(const Forest& forest, const Configuration& at, const Legal& legal, std::int32_t start,
             std::size_t number, Choices& found) const;

    // The score of a transition: its row or move, or for a label the label plus 1, or 0 for none.
    // The rows of the choice begin with `first_row`. -1 if there is none.
    [[nodiscard]] std::int32_t score_of(TransitionId id, const Choices& found,
                                        std::size_t first_row) const;

  private:
    void add_candidates(const Forest& forest, const Configuration& at, const Legal& legal,
                        std::int32_t start, Choices& found) const;
    void add_moves(const Forest& forest, const Configuration& at, const Legal& legal,
                   std::int32_t start, Choices& found) const;
    void write(const Forest& forest, Vertex vertex, std::int32_t start,
               std::vector<std::int32_t>& target) const;

    std::shared_ptr<const CandidateSystem> system_;
    ItemPlaces places_;
    std::vector<TransitionId> moves_;
};

// The only legal transition; -1 if there are several.
[[nodiscard]] inline TransitionId only(const Legal& legal) {
    return legal.size() == 1 && legal[0].end - legal[0].begin == 1 ? legal[0].begin : -1;
}

// All choices on the way from the first configurations of some sentences to the end. The targets
// are what the oracles say. Where `taken` has a list of transitions for a sentence, one for each
// choice, these are taken; after its end, the targets are.
[[nodiscard]] Choices derive_choices(const ChoiceWriter& writer,
                                     std::span<const SpanOracle* const> oracles,
                                     std::span<const std::vector<TransitionId>> taken);

}  // namespace crossbranch

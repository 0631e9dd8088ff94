#include "transitions/choices.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace crossbranch {

namespace {

bool is_structural(Move move) {
    return move != Move::label && move != Move::unlabelled && move != Move::idle;
}

bool is_among(const Legal& legal, TransitionId id) {
    return std::ranges::any_of(
        legal, [id](const TransitionRange& range) { return range.begin <= id && id < range.end; });
}

Vertex item(const Forest& forest, CellId cell, std::int32_t i) {
    for (; i > 0 && cell != no_cell; --i)
        cell = forest.cell(cell).below;
    return cell == no_cell ? no_vertex : forest.cell(cell).vertex;
}

}  // namespace

ChoiceWriter::ChoiceWriter(const std::shared_ptr<const System>& system, std::size_t gaps)
    : system_(std::dynamic_pointer_cast<const CandidateSystem>(system)) {
    if (!system_)
        throw std::invalid_argument("choices are for ML-GAP and stack-free parsing");
    places_ = {gaps, system_->has_heads()};
    const auto& known = system->transitions();
    for (std::size_t id = 0; id < known.size() && !has_candidates(); ++id)
        if (is_structural(known[id].move))
            moves_.push_back(static_cast<TransitionId>(id));
}

void ChoiceWriter::add(const Forest& forest, const Configuration& at, const Legal& legal,
                       std::int32_t start, std::size_t number, Choices& found) const {
    if (CandidateSystem::is_labelling(at)) {
        write(forest, at.focus, start, found.label_rows);
        found.label_is_root.push_back(forest.node(at.focus).size == forest.token_count());
        found.label_configurations.push_back(static_cast<std::int32_t>(number));
        return;
    }
    if (has_candidates())
        add_candidates(forest, at, legal, start, found);
    else
        add_moves(forest, at, legal, start, found);
    found.configurations.push_back(static_cast<std::int32_t>(number));
}

void ChoiceWriter::add_candidates(const Forest& forest, const Configuration& at, const Legal& legal,
                                  std::int32_t start, Choices& found) const {
    const auto owner = static_cast<std::int32_t>(found.structure_count());
    CellId cell = at.stack;
    for (const auto& [begin, end] : legal)
        for (TransitionId id = begin; id < end; ++id) {
            Vertex candidate = at.next;         // SHIFT: the next token
            if (id >= system_->first_open()) {  // these have the order of the stack
                candidate = forest.cell(cell).vertex;
                cell = forest.cell(cell).below;
            }
            write(forest, candidate, start, found.rows);
            write(forest, at.focus, start, found.rows);
            found.owners.push_back(owner);
            found.transitions.push_back(id);
        }
}

void ChoiceWriter::add_moves(const Forest& forest, const Configuration& at, const Legal& legal,
                             std::int32_t start, Choices& found) const {
    for (const Vertex vertex : {at.focus, item(forest, at.stack, 0), item(forest, at.stack, 1),
                                at.gapped_first, system_->queue_item(forest, at, 0)})
        write(forest, vertex, start, found.rows);
    for (const TransitionId move : moves_)
        found.legal.push_back(is_among(legal, move) ? 1 : 0);
}

void ChoiceWriter::write(const Forest& forest, Vertex vertex, std::int32_t start,
                         std::vector<std::int32_t>& target) const {
    const std::size_t end = target.size();
    target.resize(end + places_.count());
    places_.write(forest, vertex, start, target.data() + end);
}

std::int32_t ChoiceWriter::score_of(TransitionId id, const Choices& found,
                                    std::size_t first_row) const {
    const Transition taken = system_->transition(id);
    if (taken.move == Move::label)
        return taken.argument + 1;
    if (taken.move == Move::unlabelled)
        return 0;
    const auto& known = has_candidates() ? found.transitions : moves_;
    const auto first =
        known.begin() + static_cast<std::ptrdiff_t>(has_candidates() ? first_row : 0);
    const auto place = std::find(first, known.end(), id);
    return place == known.end() ? -1 : static_cast<std::int32_t>(place - known.begin());
}

Choices derive_choices(const ChoiceWriter& writer, std::span<const SpanOracle* const> oracles,
                       std::span<const std::vector<TransitionId>> taken) {
    if (oracles.size() != taken.size())
        throw std::invalid_argument("expected as many lists of transitions as oracles");
    const CandidateSystem& system = writer.system();
    Choices found;
    Forest forest;
    Legal legal;
    std::int32_t start = 0;
    for (std::size_t i = 0; i < oracles.size(); ++i) {
        const SpanOracle& oracle = *oracles[i];
        forest.reset(static_cast<std::int32_t>(oracle.gold().token_count()));
        Configuration at;
        for (std::size_t step = 0; !system.is_final(forest, at);) {
            system.find_legal(forest, at, legal);
            TransitionId next = only(legal);
            if (next < 0) {
                const TransitionId right = oracle.best(forest, at);
                const std::size_t first_row = found.transitions.size();
                writer.add(forest, at, legal, start, i, found);
                const std::int32_t score = writer.score_of(right, found, first_row);
                if (score < 0)
                    throw std::invalid_argument("sentence " + std::to_string(i) +
                                                ": the oracle chose what is not legal");
                (CandidateSystem::is_labelling(at) ? found.label_targets : found.targets)
                    .push_back(score);
                next = step < taken[i].size() ? taken[i][step] : right;
                if (!is_among(legal, next))
                    throw std::invalid_argument("sentence " + std::to_string(i) + ": transition " +
                                                std::to_string(next) + " is not legal here");
                ++step;
            }
            at = system.apply(forest, at, next);
        }
        start += forest.token_count();
    }
    return found;
}

}  // namespace crossbranch

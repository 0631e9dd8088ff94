#include "neural/scored_moves.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace crossbranch::neural {

namespace {

constexpr std::size_t as_candidate = 0, as_focus = 1;  // positions in a row

// Labels do not change the tokens of an item: the item below all its labels.
Vertex without_labels(const Forest& forest, Vertex vertex) {
    while (forest.node(vertex).left != no_vertex && forest.node(vertex).right == no_vertex)
        vertex = forest.node(vertex).left;
    return vertex;
}

const CandidateSystem* to_candidates(const System* system) {
    const auto* found = dynamic_cast<const CandidateSystem*>(system);
    if (found == nullptr)
        throw std::invalid_argument("this transition system has no candidates to label");
    return found;
}

std::size_t item_count(const MoveDescription& description) {
    return description.structure == Structure::candidates ? 2 : description.items.item_count();
}

// Few items have gaps, and few items are set aside.
std::vector<bool> rare_places(const MoveDescription& description, std::size_t items,
                              std::size_t places) {
    const bool has_classes = description.structure == Structure::classes;
    const std::size_t aside = 1 + description.items.stack;
    std::vector<bool> rare;
    for (std::size_t item = 0; item < items; ++item) {
        const bool is_aside =
            has_classes && item >= aside && item < aside + description.items.aside;
        for (std::size_t place = 0; place < places; ++place)
            rare.push_back(is_aside || (place >= 2 && place < 2 + 2 * description.gaps));
    }
    return rare;
}

SpanScorerDescription describe(const MoveDescription& description, const std::string& prefix,
                               std::size_t items, std::size_t places) {
    return {prefix, items, places, rare_places(description, items, places)};
}

void check_classes(const char* name, const SpanScorer& scorer,
                   std::span<const TransitionId> classes, const System& system) {
    if (scorer.outputs() != classes.size())
        throw std::invalid_argument(std::string(name) + " has " + std::to_string(scorer.outputs()) +
                                    " outputs, expected " + std::to_string(classes.size()));
    for (const TransitionId id : classes)
        if (id < 0 || id >= system.first_open())
            throw std::invalid_argument(std::string(name) + ": there is no transition " +
                                        std::to_string(id));
}

// Turns scores into logarithms of probabilities.
void normalise(std::span<Choice> choices) {
    float largest = choices.front().score;
    for (const Choice& choice : choices)
        largest = std::max(largest, choice.score);
    float sum = 0;
    for (const Choice& choice : choices)
        sum += std::exp(choice.score - largest);
    const float total = largest + std::log(sum);
    for (Choice& choice : choices)
        choice.score -= total;
}

}  // namespace

MoveScorer::MoveScorer(const Tensors& tensors, MoveDescription description,
                       std::shared_ptr<const System> system, const std::string& prefix,
                       std::size_t size)
    : owner_(std::move(system)),
      system_(to_candidates(owner_.get())),
      description_(std::move(description)),
      structure_(
          tensors,
          describe(description_, prefix + "structure.", item_count(description_), places().count()),
          size),
      labels_(tensors, describe(description_, prefix + "label.", 1, places().count()), size) {
    check_classes("the network for labels", labels_, description_.label_classes, *system_);
    if (description_.structure == Structure::classes)
        check_classes("the network for structure", structure_, description_.structure_classes,
                      *system_);
    else if (structure_.outputs() != 1)
        throw std::invalid_argument("the network for structure has " +
                                    std::to_string(structure_.outputs()) + " outputs, expected 1");
    else if (!system_->open_move())
        throw std::invalid_argument("this transition system does not name items of the stack");
}

void MoveScorer::Round::prepare(const Matrix& tokens) {
    scorer_->structure_.prepare(tokens, structure_parts_);
    scorer_->labels_.prepare(tokens, label_parts_);
    sums_.clear(scorer_->structure_.hidden());
}

void MoveScorer::Round::clear() {
    kinds_.clear();
    starts_.assign(1, 0);
    choices_.clear();
    classes_.clear();
    candidate_rows_.clear();
    class_rows_.clear();
    label_rows_.clear();
}

std::size_t MoveScorer::Round::add(OpenSentence& sentence, const Configuration& at) {
    const CandidateSystem& system = *scorer_->system_;
    system.find_legal(sentence.forest, at, legal_);
    if (legal_.size() == 1 && legal_[0].end == legal_[0].begin + 1) {
        kinds_.push_back(Kind::forced);
        choices_.push_back({legal_[0].begin, 0.0F});
        classes_.push_back(0);
    } else if (CandidateSystem::is_labelling(at)) {
        add_labels(sentence, at);
    } else if (scorer_->description_.structure == Structure::classes) {
        add_classes(sentence, at);
    } else {
        add_candidates(sentence, at);
    }
    starts_.push_back(choices_.size());
    return starts_.size() - 2;
}

void MoveScorer::Round::add_legal(std::span<const TransitionId> classes) {
    for (std::uint32_t i = 0; i < classes.size(); ++i) {
        for (const auto& [begin, end] : legal_) {
            if (classes[i] >= begin && classes[i] < end) {
                choices_.push_back({classes[i], 0.0F});
                classes_.push_back(i);
            }
        }
    }
    if (choices_.size() == starts_.back())
        throw std::invalid_argument("no legal transition has a score");
}

void MoveScorer::Round::add_labels(const OpenSentence& sentence, const Configuration& at) {
    const ItemPlaces places = scorer_->places();
    kinds_.push_back(Kind::labels);
    label_rows_.resize(label_rows_.size() + places.count());
    places.write(sentence.forest, at.focus, sentence.offset,
                 label_rows_.data() + label_rows_.size() - places.count());
    add_legal(scorer_->description_.label_classes);
}

void MoveScorer::Round::add_classes(const OpenSentence& sentence, const Configuration& at) {
    const MoveDescription& description = scorer_->description_;
    const ItemPlaces places = scorer_->places();
    kinds_.push_back(Kind::classes);
    std::size_t start = class_rows_.size();
    class_rows_.resize(start + description.items.item_count() * places.count());
    const auto write = [&](Vertex vertex) {
        places.write(sentence.forest, vertex, sentence.offset, class_rows_.data() + start);
        start += places.count();
    };
    const auto write_stack = [&](CellId cell, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            write(cell == no_cell ? no_vertex : sentence.forest.cell(cell).vertex);
            cell = cell == no_cell ? no_cell : sentence.forest.cell(cell).below;
        }
    };
    write(at.focus);
    write_stack(at.stack, description.items.stack);
    // Items set aside come in the order in which this was done: the last one is on top.
    std::vector<Vertex> aside;
    for (CellId cell = at.aside; cell != no_cell; cell = sentence.forest.cell(cell).below)
        aside.push_back(sentence.forest.cell(cell).vertex);
    for (std::size_t i = 0; i < description.items.aside; ++i)
        write(i < aside.size() ? aside[aside.size() - 1 - i] : no_vertex);
    for (std::size_t i = 0; i < description.items.queue; ++i)
        write(scorer_->system_->queue_item(sentence.forest, at, static_cast<std::int32_t>(i)));
    add_legal(description.structure_classes);
}

void MoveScorer::Round::add_candidates(OpenSentence& sentence, const Configuration& at) {
    const CandidateSystem& system = *scorer_->system_;
    kinds_.push_back(Kind::candidates);
    const float* focus = sum_of(sentence, at.focus, as_focus);
    const auto add_row = [&](TransitionId transition, Vertex item) {
        choices_.push_back({transition, 0.0F});
        classes_.push_back(0);
        candidate_rows_.push_back(sum_of(sentence, item, as_candidate));
        candidate_rows_.push_back(focus);
    };
    for (const auto& [begin, end] : legal_) {
        if (begin < system.first_open()) {  // SHIFT
            add_row(begin, at.next);
            continue;
        }
        CellId cell = at.stack;
        for (TransitionId id = begin; id < end; ++id, cell = sentence.forest.cell(cell).below)
            add_row(id, sentence.forest.cell(cell).vertex);
    }
}

const float* MoveScorer::Round::sum_of(OpenSentence& sentence, Vertex vertex,
                                       std::size_t position) {
    const auto at = static_cast<std::size_t>(without_labels(sentence.forest, vertex));
    auto& known = position == as_focus ? sentence.focus_sums : sentence.candidate_sums;
    if (known.size() <= at)
        known.resize(static_cast<std::size_t>(sentence.forest.node_count()), nullptr);
    if (known[at] == nullptr) {
        const ItemPlaces places = scorer_->places();
        const std::size_t end = new_tokens_.size();
        new_tokens_.resize(end + places.count());
        places.write(sentence.forest, vertex, sentence.offset, new_tokens_.data() + end);
        float* sum = sums_.add();
        new_sums_.push_back({position, nullptr, sum});
        known[at] = sum;
    }
    return known[at];
}

void MoveScorer::Round::compute_sums() {
    for (std::size_t i = 0; i < new_sums_.size(); ++i)
        new_sums_[i].tokens = new_tokens_.data() + i * scorer_->structure_.places();
    scorer_->structure_.sum_items(structure_parts_, new_sums_);
    new_sums_.clear();
    new_tokens_.clear();
}

void MoveScorer::Round::score() {
    compute_sums();
    candidate_scores_.resize(candidate_rows_.size() / 2);
    scorer_->structure_.score_sums(candidate_rows_, candidate_scores_, memory_);
    if (!class_rows_.empty()) {
        class_scores_.resize(class_rows_.size() / scorer_->structure_.row_size() *
                             scorer_->structure_.outputs());
        scorer_->structure_.score(structure_parts_, class_rows_, class_scores_, memory_);
    }
    label_scores_.resize(label_rows_.size() / scorer_->labels_.row_size() *
                         scorer_->labels_.outputs());
    scorer_->labels_.score(label_parts_, label_rows_, label_scores_, memory_);
    take_scores();
}

void MoveScorer::Round::take_scores() {
    const float* candidates = candidate_scores_.data();
    const float* classes = class_scores_.data();
    const float* labels = label_scores_.data();
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        const std::span all = std::span(choices_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
        const auto take = [&](const float* scores) {
            for (std::size_t j = 0; j < all.size(); ++j)
                all[j].score = scores[classes_[starts_[i] + j]];
            normalise(all);
        };
        switch (kinds_[i]) {
            case Kind::forced:
                break;
            case Kind::candidates:
                for (Choice& choice : all)
                    choice.score = *candidates++;
                normalise(all);
                break;
            case Kind::classes:
                take(classes);
                classes += scorer_->structure_.outputs();
                break;
            case Kind::labels:
                take(labels);
                labels += scorer_->labels_.outputs();
                break;
        }
    }
}

}  // namespace crossbranch::neural

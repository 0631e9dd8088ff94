#include "transitions/stepper.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace crossbranch {

Stepper::Stepper(std::shared_ptr<const System> system, std::int32_t token_count)
    : system_(std::move(system)) {
    if (token_count < 1)
        throw std::invalid_argument("a sentence has at least one token");
    forest_.reset(token_count);
}

const Legal& Stepper::legal() {
    if (!legal_is_known_)
        system_->find_legal(forest_, at_, legal_);
    legal_is_known_ = true;
    return legal_;
}

bool Stepper::is_legal(TransitionId id) {
    return std::ranges::any_of(
        legal(), [&](const TransitionRange& r) { return r.begin <= id && id < r.end; });
}

void Stepper::apply(TransitionId id) {
    if (!is_legal(id))
        throw std::invalid_argument("transition " + std::to_string(id) + " is not legal here");
    apply_legal(id);
}

void Stepper::apply_legal(TransitionId id) {
    at_ = system_->apply(forest_, at_, id);
    legal_is_known_ = false;
}

Vertex Stepper::stack_item(std::int32_t i) const {
    CellId cell = at_.stack;
    for (; i > 0 && cell != no_cell; --i)
        cell = forest_.cell(cell).below;
    return cell == no_cell || i < 0 ? no_vertex : forest_.cell(cell).vertex;
}

Vertex Stepper::queue_item(std::int32_t i) const {
    return i < 0 ? no_vertex : system_->queue_item(forest_, at_, i);
}

std::vector<Vertex> Stepper::items(CellId cell) const {
    std::vector<Vertex> found;
    for (; cell != no_cell; cell = forest_.cell(cell).below)
        found.push_back(forest_.cell(cell).vertex);
    return found;
}

TreeCodes Stepper::codes() const {
    if (!is_final())
        throw std::invalid_argument("the tree is not finished");
    return encode(forest_, at_.focus);
}

}  // namespace crossbranch

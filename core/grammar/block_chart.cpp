#include "grammar/block_chart.hpp"

#include <algorithm>

namespace crossbranch::grammar {

BlockChart::BlockChart(const BlockGrammar& grammar, std::span<const Axiom> axioms,
                       std::size_t token_count)
    : grammar_(grammar), token_count_(token_count) {
    inside_.assign(token_count * (token_count + 1) / 2 * grammar.size(), far);
    present_.resize(token_count * token_count);
    fill_inside(axioms);
    best_ = inside(grammar.start(), 0, token_count);
}

void BlockChart::look_outside(double margin) {
    limit_ = best_ + margin;
    highest_ = static_cast<float>(limit_ * (1 + rounding));
    outside_.assign(inside_.size(), far);
    if (best_ < infinite)
        fill_outside();
}

void BlockChart::fill_inside(std::span<const Axiom> axioms) {
    for (const Axiom& axiom : axioms) {
        float& cost = inside_[cell(axiom.token, axiom.token + 1) + grammar_.of(axiom.symbol, 0)];
        cost = std::min(cost, static_cast<float>(axiom.cost));
    }
    for (std::size_t width = 1; width <= token_count_; ++width)
        for (std::size_t start = 0; start + width <= token_count_; ++start) {
            join(start, start + width);
            close_inside(start, start + width);
        }
}

void BlockChart::join(std::size_t start, std::size_t stop) {
    float* const parents = &inside_[cell(start, stop)];
    for (std::size_t middle = start + 1; middle < stop; ++middle) {
        const float* const lefts = &inside_[cell(start, middle)];
        const float* const rights = &inside_[cell(middle, stop)];
        if (present_[middle * token_count_ + stop - 1].empty())
            continue;
        for (const BlockSymbol left : present_[start * token_count_ + middle - 1]) {
            const float cost = lefts[left];
            for (const auto& neighbour : grammar_.neighbours(left)) {
                const float both = cost + rights[neighbour.right];
                if (both == far)
                    continue;
                for (const auto& rule : grammar_.parents(neighbour))
                    if (both + rule.cost < parents[rule.parent])
                        parents[rule.parent] = both + rule.cost;
            }
        }
    }
}

// Applies unary rules until nothing gets better, and lists the symbols that there are.
void BlockChart::close_inside(std::size_t start, std::size_t stop) {
    float* const costs = &inside_[cell(start, stop)];
    waiting_.clear();
    for (BlockSymbol symbol = 0; symbol < grammar_.size(); ++symbol)
        if (costs[symbol] < far)
            waiting_.push_back(symbol);
    while (!waiting_.empty()) {
        const BlockSymbol child = waiting_.back();
        waiting_.pop_back();
        for (const auto& rule : grammar_.unaries(child))
            if (costs[child] + rule.cost < costs[rule.parent]) {
                costs[rule.parent] = costs[child] + rule.cost;
                waiting_.push_back(rule.parent);
            }
    }
    auto& present = present_[start * token_count_ + stop - 1];
    for (BlockSymbol symbol = 0; symbol < grammar_.size(); ++symbol)
        if (costs[symbol] < far)
            present.push_back(symbol);
}

void BlockChart::fill_outside() {
    outside_[cell(0, token_count_) + grammar_.start()] = 0;
    for (std::size_t width = token_count_; width > 0; --width)
        for (std::size_t start = 0; start + width <= token_count_; ++start)
            divide(start, start + width);
}

// Applies unary rules from the top down, and drops what is too far away. Returns what is left.
std::span<const BlockSymbol> BlockChart::close_outside(std::size_t start, std::size_t stop) {
    const std::size_t here = cell(start, stop);
    float* const costs = &outside_[here];
    const auto& present = present_[start * token_count_ + stop - 1];
    waiting_.clear();
    if (std::ranges::all_of(present, [&](BlockSymbol symbol) { return costs[symbol] == far; }))
        return waiting_;
    // Chains are short, so this soon ends.
    for (bool is_better = true; is_better;) {
        is_better = false;
        for (const BlockSymbol child : present)
            for (const auto& rule : grammar_.unaries(child))
                if (costs[rule.parent] + rule.cost < costs[child]) {
                    costs[child] = costs[rule.parent] + rule.cost;
                    is_better = true;
                }
    }
    for (const BlockSymbol symbol : present) {
        if (costs[symbol] + inside_[here + symbol] > highest_)
            costs[symbol] = far;
        else
            waiting_.push_back(symbol);
    }
    return waiting_;
}

void BlockChart::divide(std::size_t start, std::size_t stop) {
    const auto parents = close_outside(start, stop);
    const float* const outside = &outside_[cell(start, stop)];
    for (std::size_t middle = start + 1; !parents.empty() && middle < stop; ++middle) {
        const std::size_t left_cell = cell(start, middle);
        const std::size_t right_cell = cell(middle, stop);
        for (const BlockSymbol parent : parents)
            for (const auto& rule : grammar_.children(parent)) {
                const float above = outside[parent] + rule.cost;
                const float left = inside_[left_cell + rule.left];
                const float right = inside_[right_cell + rule.right];
                if (!(above + left + right <= highest_))
                    continue;
                float& left_outside = outside_[left_cell + rule.left];
                left_outside = std::min(left_outside, above + right);
                float& right_outside = outside_[right_cell + rule.right];
                right_outside = std::min(right_outside, above + left);
            }
    }
}

}  // namespace crossbranch::grammar

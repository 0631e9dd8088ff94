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
            for (const auto& rule : grammar_.binaries(left)) {
                const float found = cost + rights[rule.right] + rule.cost;
                if (found < parents[rule.parent])
                    parents[rule.parent] = found;
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
        for (std::size_t start = 0; start + width <= token_count_; ++start) {
            close_outside(start, start + width);
            divide(start, start + width);
        }
}

void BlockChart::close_outside(std::size_t start, std::size_t stop) {
    float* const costs = &outside_[cell(start, stop)];
    const auto& present = present_[start * token_count_ + stop - 1];
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
}

void BlockChart::divide(std::size_t start, std::size_t stop) {
    const std::size_t here = cell(start, stop);
    const auto highest = static_cast<float>(limit_ * (1 + rounding));
    float* const parents = &outside_[here];
    bool is_used = false;
    for (const BlockSymbol symbol : present_[start * token_count_ + stop - 1]) {
        if (parents[symbol] + inside_[here + symbol] > highest)
            parents[symbol] = far;
        is_used = is_used || parents[symbol] < far;
    }
    if (!is_used)
        return;
    for (std::size_t middle = start + 1; middle < stop; ++middle) {
        const std::size_t left_cell = cell(start, middle);
        const std::size_t right_cell = cell(middle, stop);
        for (const BlockSymbol left : present_[start * token_count_ + middle - 1]) {
            const float cost = inside_[left_cell + left];
            float& left_outside = outside_[left_cell + left];
            for (const auto& rule : grammar_.binaries(left)) {
                const float above = parents[rule.parent] + rule.cost;
                const float right = inside_[right_cell + rule.right];
                if (above + right < left_outside)
                    left_outside = above + right;
                float& right_outside = outside_[right_cell + rule.right];
                if (above + cost < right_outside && right < far)
                    right_outside = above + cost;
            }
        }
    }
}

}  // namespace crossbranch::grammar

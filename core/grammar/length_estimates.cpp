#include "grammar/length_estimates.hpp"

#include <algorithm>

namespace crossbranch::grammar {

LengthEstimates::LengthEstimates(const Grammar& grammar, std::span<const Axiom> axioms,
                                 std::size_t token_count)
    : token_count_(token_count),
      inside_(grammar.fan_outs.size() * (token_count + 1), infinite),
      outside_(inside_.size(), infinite) {
    for (const Axiom& axiom : axioms)
        inside_at(axiom.symbol, 1) = std::min(inside_at(axiom.symbol, 1), axiom.cost);
    fill_inside(grammar);
    outside_at(grammar.start, token_count) = 0;
    fill_outside(grammar);
}

void LengthEstimates::fill_inside(const Grammar& grammar) {
    for (std::size_t length = 1; length <= token_count_; ++length) {
        for (const Rule& rule : grammar.rules) {
            if (rule.second == no_symbol)
                continue;
            const double* const first = &inside_at(rule.first, 0);
            const double* const second = &inside_at(rule.second, 0);
            double& best = inside_at(rule.left, length);
            for (std::size_t part = 1; part < length; ++part)
                best = std::min(best, rule.cost + first[part] + second[length - part]);
        }
        for (bool is_better = true; is_better;) {
            is_better = false;
            for (const Rule& rule : grammar.rules) {
                const double cost = rule.cost + inside_at(rule.first, length);
                if (rule.second == no_symbol && cost < inside_at(rule.left, length)) {
                    inside_at(rule.left, length) = cost;
                    is_better = true;
                }
            }
        }
    }
}

void LengthEstimates::fill_outside(const Grammar& grammar) {
    for (std::size_t length = token_count_; length > 0; --length) {
        for (bool is_better = true; is_better;) {
            is_better = false;
            for (const Rule& rule : grammar.rules) {
                const double cost = rule.cost + outside_at(rule.left, length);
                if (rule.second == no_symbol && cost < outside_at(rule.first, length)) {
                    outside_at(rule.first, length) = cost;
                    is_better = true;
                }
            }
        }
        for (const Rule& rule : grammar.rules) {
            const double above = rule.cost + outside_at(rule.left, length);
            if (rule.second == no_symbol || above == infinite)
                continue;
            for (std::size_t part = 1; part < length; ++part) {
                double& first = outside_at(rule.first, part);
                first = std::min(first, above + inside_at(rule.second, length - part));
                double& second = outside_at(rule.second, length - part);
                second = std::min(second, above + inside_at(rule.first, part));
            }
        }
    }
}

}  // namespace crossbranch::grammar

#include "neural/span_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "spans/k_best.hpp"
#include "spans/marginals.hpp"
#include "spans/minimum_risk.hpp"
#include "spans/pruned_search.hpp"

namespace crossbranch::neural {

namespace {

using spans::Constituent;
using spans::Item;
using spans::Label;
using spans::Marginals;
using spans::Place;
using spans::SearchSpace;
using spans::SpanScores;
using spans::SpanTree;

constexpr float certain = 40, never = -1000;  // far apart, for probabilities of whole trees

std::size_t size(std::int32_t number) {
    return static_cast<std::size_t>(number);
}

// A constituent with its children, which are tokens (>= 0) or constituents (~number).
struct Parent {
    const Constituent* constituent;
    std::vector<std::int32_t> children;
};

// Calls visit(token) for all tokens of an item.
template <typename Visit>
void each_token(const Item& item, Visit visit) {
    for (Place token = item.i; token < item.j; ++token) {
        if (token == item.k)
            token = item.l;
        visit(token);
    }
}

// Constituents come after those that contain them, so the last one with a token is the smallest.
std::vector<Parent> with_children(const std::vector<Constituent>& constituents, Place tokens) {
    std::vector<Parent> parents;
    std::vector<std::int32_t> owners(size(tokens), -1);
    std::vector<std::int32_t> above;
    for (const Constituent& one : constituents) {
        above.push_back(owners[size(one.item.i)]);
        const auto number = static_cast<std::int32_t>(parents.size());
        each_token(one.item, [&](Place token) { owners[size(token)] = number; });
        parents.push_back({&one, {}});
    }
    for (Place token = 0; token < tokens; ++token)
        parents[size(owners[size(token)])].children.push_back(token);
    for (std::size_t i = 1; i < parents.size(); ++i)
        parents[size(above[i])].children.push_back(~static_cast<std::int32_t>(i));
    const auto first = [&](std::int32_t child) {
        return child >= 0 ? child : parents[size(~child)].constituent->item.i;
    };
    for (Parent& parent : parents)
        std::ranges::sort(parent.children, {}, first);
    return parents;
}

// Writes codes from back to front, parents first, and reverses them at the end.
class Writer {
  public:
    Writer(std::size_t continuous_labels, const BestLabels* best, Place tokens)
        : continuous_labels_(continuous_labels), best_(best), tokens_(tokens) {}

    void write(const SpanTree& tree, DecodedTree& out, std::vector<Constituent>& asked) const {
        const std::vector<Parent> parents = with_children(tree.constituents, tokens_);
        std::vector<std::int32_t> open{~0};
        const std::size_t begin = asked.size();
        while (!open.empty()) {
            const std::int32_t vertex = open.back();
            open.pop_back();
            if (vertex >= 0) {
                out.codes.push_back(vertex);
                continue;
            }
            const Parent& parent = parents[size(~vertex)];
            out.codes.push_back(static_cast<std::int32_t>(parent.children.size()));
            out.codes.push_back(~label(*parent.constituent));
            asked.push_back(*parent.constituent);
            open.insert(open.end(), parent.children.begin(), parent.children.end());
        }
        std::ranges::reverse(out.codes);
        std::reverse(asked.begin() + static_cast<std::ptrdiff_t>(begin), asked.end());
    }

  private:
    [[nodiscard]] Label label(const Constituent& constituent) const {
        const auto& [item, found] = constituent;
        if (item.has_gap())
            return found + static_cast<Label>(continuous_labels_);
        return best_ == nullptr ? found : best_->labels[size(item.i * tokens_ + item.j - 1)];
    }

    std::size_t continuous_labels_;
    const BestLabels* best_;
    Place tokens_;
};

// The logarithm of the number of ways to build a tree from pairs of items. In a chart in which its
// constituents have a high score and all others a very low one, nothing else counts.
double log_derivations(std::span<const Constituent> tree, Place tokens, SearchSpace space) {
    const auto gaps = static_cast<std::size_t>(
        std::ranges::count_if(tree, [](const Constituent& one) { return one.item.has_gap(); }));
    const std::size_t cells = size(tokens) * size(tokens), labels = std::max<std::size_t>(gaps, 1);
    std::vector<float> continuous(cells, never), outer(cells * labels, never), gap = outer;
    std::size_t number = 0;
    for (const auto& [item, label] : tree) {
        if (!item.has_gap()) {
            continuous[size(item.i * tokens + item.j - 1)] = certain;
            continue;
        }
        outer[size(item.i * tokens + item.j - 1) * labels + number] = certain;
        gap[size(item.k * tokens + item.l - 1) * labels + number] = 0;
        ++number;
    }
    const SpanScores scores(tokens, continuous, outer, gap, 1, labels);
    return log_partition(scores, space) -
           static_cast<double>(certain) * static_cast<double>(tree.size());
}

// Trained parsers give few discontinuous constituents a positive score, so the pruned search mostly
// finds the best tree of the quintic space, and knows that it did. In short sentences, this would
// save nothing.
SpanTree find_best(const SpanScores& scores, SearchSpace space) {
    constexpr std::size_t pruned_items = 300;
    constexpr Place short_sentence = 20;
    if (space.rules == spans::Rules::quintic && scores.token_count() > short_sentence) {
        spans::PrunedTree found = best_pruned_tree(scores, space.ill_nested, pruned_items);
        if (found.is_best())
            return std::move(found.tree);
    }
    return best_tree(scores, space);
}

double score_of(const SpanScores& scores, std::span<const Constituent> tree) {
    double found = 0;
    for (const auto& [item, label] : tree) {
        const auto [i, k, l, j] = item;
        found += static_cast<double>(item.has_gap() ? scores.discontinuous(label, i, k, l, j)
                                                    : scores.continuous(label, i, j));
    }
    return found;
}

// Trees, and what is said about them: their scores, or their expected F1.
struct Found {
    std::vector<SpanTree> trees;
    std::vector<double> values;
};

Found find(const SpanScores& scores, const DecodeOptions& options) {
    if (options.has_minimum_risk) {
        spans::RiskTree safest = find_minimum_risk(scores, options.space);
        const double score = score_of(scores, safest.constituents);
        return {{{static_cast<float>(score), std::move(safest.constituents)}},
                {safest.expected_f1}};
    }
    Found found;
    if (options.k_best == 1)
        found.trees.push_back(find_best(scores, options.space));
    else
        found.trees = best_trees(scores, options.space, options.k_best);
    for (const SpanTree& tree : found.trees)
        found.values.push_back(static_cast<double>(tree.score));
    return found;
}

}  // namespace

void DecodeOptions::check() const {
    if (k_best < 1)
        throw std::invalid_argument("a k-best list has at least one place");
    if (k_best > 1 && has_minimum_risk)
        throw std::invalid_argument("there is only one minimum-risk tree");
}

void BestLabels::clear(std::size_t tokens) {
    scores.assign(tokens * tokens * 2, 0.0F);
    labels.assign(tokens * tokens, spans::no_label);
}

void BestLabels::keep(std::span<const float> rows, std::size_t tokens, std::size_t last,
                      const std::vector<bool>& is_root_label) {
    const std::size_t count = is_root_label.size();
    for (std::size_t first = 0; first <= last; ++first) {
        const bool is_whole = first == 0 && last + 1 == tokens;
        float best = -std::numeric_limits<float>::infinity();
        std::size_t found = 0;
        for (std::size_t label = 0; label < count; ++label) {
            const float score = rows[first * count + label];
            if (is_root_label[label] == is_whole && score > best) {
                best = score;
                found = label;
            }
        }
        const std::size_t cell = first * tokens + last;
        labels[cell] = static_cast<Label>(found);
        scores[2 * cell + (is_whole ? 1 : 0)] = best;
    }
}

const std::vector<bool>& BestLabels::is_root() {
    static const std::vector<bool> values{false, true};
    return values;
}

std::vector<DecodedTree> decode(const SpanScores& scores, const DecodeOptions& options,
                                std::size_t continuous_labels, const BestLabels* best) {
    const Place tokens = scores.token_count();
    const auto [trees, values] = find(scores, options);
    const Writer writer(continuous_labels, best, tokens);
    std::vector<DecodedTree> found(trees.size());
    std::vector<Constituent> asked;
    std::vector<std::size_t> starts(1, 0);
    for (std::size_t i = 0; i < trees.size(); ++i) {
        writer.write(trees[i], found[i], asked);
        found[i].score = values[i];
        starts.push_back(asked.size());
    }
    if (!options.has_probabilities)
        return found;
    const Marginals marginals = find_marginals(scores, options.space, asked);
    for (std::size_t i = 0; i < trees.size(); ++i) {
        const std::span own(asked.data() + starts[i], starts[i + 1] - starts[i]);
        const double score = static_cast<double>(trees[i].score) - marginals.log_partition;
        const double derivations = log_derivations(own, tokens, options.space);
        found[i].probability = std::min(1.0, std::exp(score + derivations));
        found[i].probabilities.assign(
            marginals.probabilities.begin() + static_cast<std::ptrdiff_t>(starts[i]),
            marginals.probabilities.begin() + static_cast<std::ptrdiff_t>(starts[i + 1]));
    }
    return found;
}

}  // namespace crossbranch::neural

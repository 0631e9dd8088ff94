#include "neural/padded_scores.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/parallel.hpp"
#include "spans/costs.hpp"
#include "spans/marginals.hpp"

namespace crossbranch::neural {

namespace {

using spans::Rules;
using spans::SearchSpace;
using spans::SpanScores;
using spans::SpanTree;

// The scores of one sentence without padding.
struct Sentence {
    std::vector<float> continuous, outer, gap;
    BestLabels best;
};

// The place of the scores of spans that begin with a token.
std::size_t row_begin(const PaddedScores& all, std::size_t sentence, std::size_t first,
                      std::size_t labels) {
    return (sentence * all.length + first) * all.length * labels;
}

void copy(const PaddedScores& all, std::span<const float> from, std::size_t sentence,
          std::size_t labels, std::vector<float>& to) {
    const auto tokens = static_cast<std::size_t>(all.token_counts[sentence]);
    to.resize(tokens * tokens * labels);
    for (std::size_t first = 0; first < tokens; ++first)
        std::copy_n(from.data() + row_begin(all, sentence, first, labels), tokens * labels,
                    to.data() + first * tokens * labels);
}

bool has_gaps(const PaddedScores& all, std::size_t sentence) {
    return all.discontinuous_labels > 0 && all.spaces[sentence].rules != Rules::continuous;
}

SearchSpace space_of(const PaddedScores& all, std::size_t sentence) {
    return has_gaps(all, sentence) ? all.spaces[sentence] : SearchSpace{Rules::continuous, false};
}

void copy_gaps(const PaddedScores& all, std::size_t sentence, Sentence& own) {
    const std::size_t labels = has_gaps(all, sentence) ? all.discontinuous_labels : 0;
    copy(all, all.outer, sentence, labels, own.outer);
    copy(all, all.gap, sentence, labels, own.gap);
}

SpanScores scores_of(const PaddedScores& all, std::size_t sentence, Sentence& own) {
    copy_gaps(all, sentence, own);
    copy(all, all.continuous, sentence, all.is_root.size(), own.continuous);
    return {all.token_counts[sentence],
            own.continuous,
            own.outer,
            own.gap,
            all.is_root.size(),
            has_gaps(all, sentence) ? all.discontinuous_labels : 0,
            all.is_root};
}

// The same with the best labels only.
SpanScores best_scores_of(const PaddedScores& all, std::size_t sentence, Sentence& own) {
    const std::size_t labels = all.is_root.size();
    const auto tokens = static_cast<std::size_t>(all.token_counts[sentence]);
    copy_gaps(all, sentence, own);
    own.best.clear(tokens);
    for (std::size_t last = 0; last < tokens; ++last) {
        own.continuous.resize((last + 1) * labels);
        for (std::size_t first = 0; first <= last; ++first)
            std::copy_n(
                all.continuous.data() + row_begin(all, sentence, first, labels) + last * labels,
                labels, own.continuous.data() + first * labels);
        own.best.keep(own.continuous, tokens, last, all.is_root);
    }
    return {all.token_counts[sentence],
            own.best.scores,
            own.outer,
            own.gap,
            2,
            has_gaps(all, sentence) ? all.discontinuous_labels : 0,
            BestLabels::is_root()};
}

void write(const PaddedScores& all, const std::vector<double>& from, std::size_t sentence,
           std::size_t labels, std::span<float> to) {
    const auto tokens = static_cast<std::size_t>(all.token_counts[sentence]);
    for (std::size_t first = 0; first < tokens; ++first) {
        const double* row = from.data() + first * tokens * labels;
        std::transform(row, row + tokens * labels,
                       to.data() + row_begin(all, sentence, first, labels),
                       [](double value) { return static_cast<float>(value); });
    }
}

// Calls work(sentence, memory) for all sentences, the longest first: these take most of the time.
template <typename Work>
void for_each_sentence(const PaddedScores& all, Work work) {
    std::vector<std::size_t> order(all.token_counts.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t i) { return all.token_counts[i]; });
    std::vector<Sentence> memories(std::max<std::size_t>(all.threads, 1));
    for_each_piece(order.size(), memories.size(), [&](std::size_t worker, std::size_t piece) {
        work(order[piece], memories[worker]);
    });
}

}  // namespace

void PaddedScores::check() const {
    const std::size_t cells = token_counts.size() * length * length;
    if (spaces.size() != token_counts.size())
        throw std::invalid_argument("each sentence has one search space");
    if (continuous.size() != cells * is_root.size() ||
        outer.size() != cells * discontinuous_labels || gap.size() != outer.size())
        throw std::invalid_argument("the scores do not fit the numbers of tokens and labels");
    for (const std::int32_t count : token_counts)
        if (count < 1 || static_cast<std::size_t>(count) > length)
            throw std::invalid_argument("a sentence has " + std::to_string(count) +
                                        " tokens, expected 1 to " + std::to_string(length));
}

std::vector<std::vector<DecodedTree>> decode_all(const PaddedScores& scores,
                                                 const DecodeOptions& options) {
    options.check();
    std::vector<std::vector<DecodedTree>> found(scores.token_counts.size());
    const std::size_t labels = scores.is_root.size();
    for_each_sentence(scores, [&](std::size_t sentence, Sentence& own) {
        DecodeOptions chosen = options;
        chosen.space = space_of(scores, sentence);
        if (options.needs_all_labels())
            found[sentence] = decode(scores_of(scores, sentence, own), chosen, labels);
        else
            found[sentence] =
                decode(best_scores_of(scores, sentence, own), chosen, labels, &own.best);
    });
    return found;
}

std::vector<SpanTree> best_trees_with_cost(const PaddedScores& scores,
                                           const ConstituentCosts& costs) {
    if (costs.gold.size() != scores.token_counts.size())
        throw std::invalid_argument("each sentence has one list of gold constituents");
    std::vector<SpanTree> found(scores.token_counts.size());
    for_each_sentence(scores, [&](std::size_t sentence, Sentence& own) {
        found[sentence] =
            spans::best_tree_with_cost(scores_of(scores, sentence, own), space_of(scores, sentence),
                                       costs.gold[sentence], costs.wrong, costs.right);
    });
    return found;
}

std::vector<double> log_partitions(const PaddedScores& scores, std::span<float> continuous,
                                   std::span<float> outer, std::span<float> gap) {
    if (continuous.size() != scores.continuous.size() || outer.size() != scores.outer.size() ||
        gap.size() != scores.gap.size())
        throw std::invalid_argument("the derivatives do not have the size of the scores");
    for (const std::span<float> target : {continuous, outer, gap})
        std::ranges::fill(target, 0.0F);
    std::vector<double> found(scores.token_counts.size());
    for_each_sentence(scores, [&](std::size_t sentence, Sentence& own) {
        const SpanScores of_one = scores_of(scores, sentence, own);
        const spans::Marginals marginals = find_marginals(of_one, space_of(scores, sentence));
        found[sentence] = marginals.log_partition;
        write(scores, marginals.continuous, sentence, scores.is_root.size(), continuous);
        if (!has_gaps(scores, sentence))
            return;
        write(scores, marginals.outer, sentence, scores.discontinuous_labels, outer);
        write(scores, marginals.gap, sentence, scores.discontinuous_labels, gap);
    });
    return found;
}

}  // namespace crossbranch::neural

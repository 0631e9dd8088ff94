#include "neural/span_parser.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/parallel.hpp"
#include "neural/pieces.hpp"

namespace crossbranch::neural {

namespace {

constexpr std::size_t group_tokens = 96;  // the weights are read once for so many tokens
// Only the best label of each span of longer sentences is kept, whatever is asked for.
constexpr std::size_t most_tokens_of_all_labels = 300;

std::optional<Biaffine> find(const Tensors& tensors, const std::string& prefix,
                             std::size_t inputs) {
    if (!tensors.has(prefix + "label.tensor"))
        return {};
    return Biaffine(tensors, prefix, inputs);
}

void score_all(const Biaffine& biaffine, const Biaffine::Memory& memory, std::size_t begin,
               std::size_t tokens, std::vector<float>& out) {
    const std::size_t labels = biaffine.labels();
    out.assign(tokens * tokens * labels, 0.0F);
    for (std::size_t last = 0; last < tokens; ++last)
        biaffine.score(memory, begin, last, out.data() + last * labels, tokens * labels);
}

}  // namespace

struct SpanParser::Worker {
    Selection selection;
    EncoderMemory memory;
    Biaffine::Memory continuous, outer, gap;
    ScoredSentence scores;
    BestLabels best;
    std::vector<float> column;
};

SpanParser::SpanParser(const Tensors& tensors, const std::string& prefix,
                       std::vector<Residual> residuals, std::vector<TaskDescription> tasks,
                       std::vector<bool> is_root)
    : encoder_(tensors, {prefix + "encoder.", std::move(residuals), std::move(tasks)}),
      continuous_(tensors, prefix + "scorer.continuous.", encoder_.outputs()),
      outer_(find(tensors, prefix + "scorer.outer.", encoder_.outputs())),
      gap_(find(tensors, prefix + "scorer.gap.", encoder_.outputs())),
      is_root_(std::move(is_root)) {
    if (is_root_.size() != continuous_.labels() || std::ranges::count(is_root_, true) == 0)
        throw std::invalid_argument("the network scores " + std::to_string(continuous_.labels()) +
                                    " labels of continuous constituents, expected " +
                                    std::to_string(is_root_.size()) +
                                    ", and at least one of them for whole sentences");
    if (outer_.has_value() != gap_.has_value() || (outer_ && outer_->labels() != gap_->labels()))
        throw std::invalid_argument(
            "the network scores other labels of outer borders than of gaps");
}

SpanParseResult SpanParser::parse(const TokenBatch& batch, const SpanParseOptions& options) const {
    const std::size_t sentences = batch.sentences.size() - 1;
    if (!options.spaces.empty() && options.spaces.size() != sentences)
        throw std::invalid_argument("each sentence has one search space");
    if (!options.spaces.empty())
        options.of_sentence(0).check();
    encoder_.check(batch);
    SpanParseResult result;
    result.trees.resize(sentences);
    result.classes.assign(encoder_.tasks().size(),
                          std::vector<std::uint32_t>(batch.sentences.back()));
    const auto pieces = cut(batch.sentences);
    std::vector<Worker> workers(std::max<std::size_t>(options.threads, 1));
    for_each_piece(pieces.size(), workers.size(), [&](std::size_t worker, std::size_t piece) {
        parse_piece(batch, pieces[piece], options, workers[worker], result);
    });
    return result;
}

void SpanParser::parse_piece(const TokenBatch& batch, std::span<const std::uint32_t> sentences,
                             const SpanParseOptions& options, Worker& worker,
                             SpanParseResult& result) const {
    encoder_.encode(worker.selection.select(batch, sentences), worker.memory);
    const std::vector<std::uint32_t>& starts = worker.selection.sentences;
    copy_classes(encoder_, worker.memory, starts, batch.sentences, sentences, result.classes);
    if (options.spaces.empty())
        return;
    for (std::size_t begin = 0, end = 0; begin < sentences.size(); begin = end) {
        while (end < sentences.size() &&
               (end == begin || starts[end + 1] - starts[begin] <= group_tokens))
            ++end;
        prepare(starts[begin], starts[end] - starts[begin], worker);
        for (std::size_t i = begin; i < end; ++i)
            result.trees[sentences[i]] =
                parse_sentence(starts[i] - starts[begin], starts[i + 1] - starts[i],
                               options.of_sentence(sentences[i]), worker);
    }
}

void SpanParser::prepare(std::size_t begin, std::size_t count, Worker& worker) const {
    const Matrix& tokens = worker.memory.levels.back();
    continuous_.prepare(tokens, begin, count, worker.continuous);
    if (!outer_)
        return;
    outer_->prepare(tokens, begin, count, worker.outer);
    gap_->prepare(tokens, begin, count, worker.gap);
}

std::vector<DecodedTree> SpanParser::parse_sentence(std::size_t begin, std::size_t tokens,
                                                    const DecodeOptions& options,
                                                    Worker& worker) const {
    DecodeOptions own = options;
    if (!outer_)
        own.space = {spans::Rules::continuous, false};
    const bool has_gaps = own.space.rules != spans::Rules::continuous;
    const std::size_t gap_labels = has_gaps ? outer_->labels() : 0;
    ScoredSentence& scores = worker.scores;
    if (has_gaps) {
        score_gaps(begin, tokens, worker);
    } else {
        scores.outer.clear();
        scores.gap.clear();
    }
    const auto count = static_cast<spans::Place>(tokens);
    if (own.needs_all_labels() && tokens <= most_tokens_of_all_labels) {
        score_all(continuous_, worker.continuous, begin, tokens, scores.continuous);
        return decode({count, scores.continuous, scores.outer, scores.gap, continuous_.labels(),
                       gap_labels, is_root_},
                      own, continuous_.labels());
    }
    score_continuous(begin, tokens, worker);
    return decode(
        {count, worker.best.scores, scores.outer, scores.gap, 2, gap_labels, BestLabels::is_root()},
        own, continuous_.labels(), &worker.best);
}

void SpanParser::score_continuous(std::size_t begin, std::size_t tokens, Worker& worker) const {
    const std::size_t labels = continuous_.labels();
    worker.best.clear(tokens);
    for (std::size_t last = 0; last < tokens; ++last) {
        worker.column.resize((last + 1) * labels);
        continuous_.score(worker.continuous, begin, last, worker.column.data(), labels);
        worker.best.keep(worker.column, tokens, last, is_root_);
    }
}

void SpanParser::score_gaps(std::size_t begin, std::size_t tokens, Worker& worker) const {
    score_all(*outer_, worker.outer, begin, tokens, worker.scores.outer);
    score_all(*gap_, worker.gap, begin, tokens, worker.scores.gap);
}

std::vector<ScoredSentence> SpanParser::score(const TokenBatch& batch) const {
    encoder_.check(batch);
    Worker worker;
    encoder_.encode(batch, worker.memory);
    std::vector<ScoredSentence> found;
    for (std::size_t i = 0; i + 1 < batch.sentences.size(); ++i) {
        const std::size_t tokens = batch.sentences[i + 1] - batch.sentences[i];
        prepare(batch.sentences[i], tokens, worker);
        score_all(continuous_, worker.continuous, 0, tokens, worker.scores.continuous);
        if (outer_)
            score_gaps(0, tokens, worker);
        found.push_back(worker.scores);
    }
    return found;
}

}  // namespace crossbranch::neural

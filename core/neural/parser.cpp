#include "neural/parser.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "base/parallel.hpp"

namespace crossbranch::neural {

namespace {

// Sentences that are parsed together. Products need some rows to be fast, and everything should
// stay in the cache.
constexpr std::size_t piece_sentences = 32;
constexpr std::size_t piece_tokens = 1024;

struct Hypothesis {
    Configuration at;
    double score = 0;
};

struct Successor {
    std::uint32_t hypothesis;
    TransitionId transition;
    double score;
};

struct SearchedSentence : OpenSentence {
    std::vector<Hypothesis> beam;
    std::vector<std::size_t> numbers;  // of the hypotheses in the round
    bool is_done = false;
};

// The tokens of some sentences of a batch, as a batch of their own.
struct Selection {
    std::vector<std::uint32_t> sentences, words, tags, forms;
    std::vector<float> features;

    TokenBatch select(const TokenBatch& batch, std::span<const std::uint32_t> chosen) {
        sentences.assign(1, 0);
        words.clear();
        tags.clear();
        forms.clear();
        features.clear();
        const std::size_t width = batch.features.size() / batch.sentences.back();
        for (const std::uint32_t i : chosen) {
            const std::size_t begin = batch.sentences[i];
            const std::size_t size = batch.sentences[i + 1] - begin;
            sentences.push_back(sentences.back() + static_cast<std::uint32_t>(size));
            add(batch.words, begin, size, words);
            add(batch.tags, begin, size, tags);
            add(batch.forms.of_tokens, begin, size, forms);
            add(batch.features, begin * width, size * width, features);
        }
        return {
            sentences, words, tags, {forms, batch.forms.characters, batch.forms.starts}, features};
    }

  private:
    template <typename Value>
    static void add(std::span<const Value> all, std::size_t begin, std::size_t size,
                    std::vector<Value>& target) {
        if (all.empty())
            return;
        const auto part = all.subspan(begin, size);
        target.insert(target.end(), part.begin(), part.end());
    }
};

// Pieces of sentences of similar lengths, which take their steps together.
std::vector<std::vector<std::uint32_t>> cut(Starts starts) {
    std::vector<std::uint32_t> order(starts.size() - 1);
    std::iota(order.begin(), order.end(), 0U);
    const auto length = [&](std::uint32_t i) { return starts[i + 1] - starts[i]; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return length(a) > length(b); });
    std::vector<std::vector<std::uint32_t>> pieces;
    std::size_t tokens = 0;
    for (const std::uint32_t sentence : order) {
        if (pieces.empty() || pieces.back().size() == piece_sentences ||
            tokens + length(sentence) > piece_tokens) {
            pieces.emplace_back();
            tokens = 0;
        }
        pieces.back().push_back(sentence);
        tokens += length(sentence);
    }
    return pieces;
}

std::vector<ScoredTree> best_trees(const SearchedSentence& sentence, std::size_t count) {
    std::vector<ScoredTree> trees;
    for (const Hypothesis& one : sentence.beam) {
        TreeCodes codes = encode(sentence.forest, one.at.focus);
        const auto is_same = [&](const ScoredTree& tree) { return tree.codes == codes; };
        if (std::ranges::none_of(trees, is_same))
            trees.push_back({std::move(codes), one.score});
        if (trees.size() == count)
            break;
    }
    return trees;
}

// The best successors of a sentence become its beam.
void advance(const MoveScorer::Round& round, const CandidateSystem& system, std::size_t beam,
             std::vector<Successor>& successors, SearchedSentence& sentence) {
    successors.clear();
    for (std::uint32_t i = 0; i < sentence.beam.size(); ++i) {
        const double score = sentence.beam[i].score;
        if (system.is_final(sentence.forest, sentence.beam[i].at)) {
            successors.push_back({i, system.idle(), score});
            continue;
        }
        for (const Choice& choice : round.choices(sentence.numbers[i]))
            successors.push_back({i, choice.transition, score + static_cast<double>(choice.score)});
    }
    // The first ones of equal successors are kept, so that the result is always the same.
    const auto is_better = [](const Successor& a, const Successor& b) {
        return a.score != b.score             ? a.score > b.score
               : a.hypothesis != b.hypothesis ? a.hypothesis < b.hypothesis
                                              : a.transition < b.transition;
    };
    const std::size_t kept = std::min(beam, successors.size());
    std::partial_sort(successors.begin(), successors.begin() + static_cast<std::ptrdiff_t>(kept),
                      successors.end(), is_better);
    std::vector<Hypothesis> next;
    next.reserve(kept);
    sentence.is_done = true;
    for (std::size_t i = 0; i < kept; ++i) {
        const Successor& one = successors[i];
        Configuration at = sentence.beam[one.hypothesis].at;
        if (!system.is_final(sentence.forest, at))
            at = system.apply(sentence.forest, at, one.transition);
        sentence.is_done &= system.is_final(sentence.forest, at);
        next.push_back({at, one.score});
    }
    sentence.beam = std::move(next);
}

}  // namespace

struct Parser::Worker {
    explicit Worker(const MoveScorer& moves) : round(moves) {}

    Selection selection;
    EncoderMemory memory;
    MoveScorer::Round round;
    std::vector<SearchedSentence> sentences;
    std::vector<Successor> successors;
};

Parser::Parser(const Tensors& tensors, EncoderDescription encoder, const std::string& prefix,
               MoveDescription moves, const std::shared_ptr<const System>& system)
    : encoder_(tensors, std::move(encoder)),
      moves_(tensors, std::move(moves), system, prefix, encoder_.outputs()) {}

ParseResult Parser::parse(const TokenBatch& batch, const ParseOptions& options) const {
    if (options.beam < 1 || options.k_best < 1)
        throw std::invalid_argument("a beam and a k-best list have at least one place");
    encoder_.check(batch);
    ParseResult result;
    result.trees.resize(batch.sentences.size() - 1);
    result.classes.assign(encoder_.tasks().size(),
                          std::vector<std::uint32_t>(batch.sentences.back()));
    const auto pieces = cut(batch.sentences);
    std::vector<std::unique_ptr<Worker>> workers(std::max<std::size_t>(options.threads, 1));
    for_each_piece(pieces.size(), workers.size(), [&](std::size_t worker, std::size_t piece) {
        if (!workers[worker])
            workers[worker] = std::make_unique<Worker>(moves_);
        parse_piece(batch, pieces[piece], options, *workers[worker], result);
    });
    return result;
}

void Parser::parse_piece(const TokenBatch& batch, std::span<const std::uint32_t> sentences,
                         const ParseOptions& options, Worker& worker, ParseResult& result) const {
    encoder_.encode(worker.selection.select(batch, sentences), worker.memory);
    const std::vector<std::uint32_t>& starts = worker.selection.sentences;
    for (std::size_t task = 0; task < result.classes.size(); ++task) {
        const auto best = encoder_.best_classes(task, worker.memory);
        for (std::size_t i = 0; i < sentences.size(); ++i)
            std::copy(best.begin() + starts[i], best.begin() + starts[i + 1],
                      result.classes[task].begin() + batch.sentences[sentences[i]]);
    }
    worker.round.prepare(worker.memory.levels.back());
    worker.sentences.resize(sentences.size());
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        SearchedSentence& sentence = worker.sentences[i];
        sentence.forest.reset(static_cast<std::int32_t>(starts[i + 1] - starts[i]));
        sentence.offset = static_cast<std::int32_t>(starts[i]);
        sentence.candidate_sums.clear();
        sentence.focus_sums.clear();
        sentence.beam.assign(1, {});
        sentence.is_done = false;
    }
    search(options, worker);
    for (std::size_t i = 0; i < sentences.size(); ++i)
        result.trees[sentences[i]] = best_trees(worker.sentences[i], options.k_best);
}

void Parser::search(const ParseOptions& options, Worker& worker) const {
    const CandidateSystem& system = moves_.system();
    const auto is_done = [](const SearchedSentence& sentence) { return sentence.is_done; };
    while (!std::ranges::all_of(worker.sentences, is_done)) {
        worker.round.clear();
        for (SearchedSentence& sentence : worker.sentences) {
            sentence.numbers.assign(sentence.beam.size(), 0);
            for (std::size_t i = 0; i < sentence.beam.size() && !sentence.is_done; ++i)
                if (!system.is_final(sentence.forest, sentence.beam[i].at))
                    sentence.numbers[i] = worker.round.add(sentence, sentence.beam[i].at);
        }
        worker.round.score();
        for (SearchedSentence& sentence : worker.sentences)
            if (!sentence.is_done)
                advance(worker.round, system, options.beam, worker.successors, sentence);
    }
}

}  // namespace crossbranch::neural

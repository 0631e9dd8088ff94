#include "neural/parser.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "base/parallel.hpp"
#include "neural/pieces.hpp"

namespace crossbranch::neural {

namespace {

// Few items have gaps, and few items are set aside.
SpanScorerDescription describe(const std::string& prefix, const ChoiceWriter& writer,
                               std::size_t items) {
    const ItemPlaces& places = writer.places();
    SpanScorerDescription description{prefix, items, places.count(), {}};
    for (std::size_t item = 0; item < items; ++item)
        for (std::size_t place = 0; place < places.count(); ++place)
            description.rare.push_back(places.is_gap(place) || writer.is_aside(item));
    return description;
}

void check_outputs(const char* name, const SpanScorer& scorer, std::size_t expected) {
    if (scorer.outputs() != expected)
        throw std::invalid_argument("the network for " + std::string(name) + " has " +
                                    std::to_string(scorer.outputs()) + " outputs, expected " +
                                    std::to_string(expected));
}

// The scores of rows. The hypotheses of a beam have most items in common, so each different row is
// scored once; without a beam, hardly any rows are equal.
class RowScores {
  public:
    std::span<const float> score_all(const SpanScorer& scorer, SpanParts& parts,
                                     std::span<const std::int32_t> rows, SpanMemory& memory) {
        scores_.resize(rows.size() / scorer.row_size() * scorer.outputs());
        scorer.score(parts, rows, scores_, memory);
        return scores_;
    }

    std::span<const float> score_different(const SpanScorer& scorer, SpanParts& parts,
                                           std::span<const std::int32_t> rows, SpanMemory& memory) {
        const std::size_t size = scorer.row_size(), outputs = scorer.outputs();
        const std::size_t count = rows.size() / size;
        numbers_.clear();
        rows_.clear();
        places_.resize(count);
        for (std::size_t row = 0; row < count; ++row) {
            const auto own = rows.subspan(row * size, size);
            const std::string_view key(reinterpret_cast<const char*>(own.data()), own.size_bytes());
            const auto [entry, is_new] = numbers_.try_emplace(key, numbers_.size());
            if (is_new)
                rows_.insert(rows_.end(), own.begin(), own.end());
            places_[row] = entry->second;
        }
        different_.resize(numbers_.size() * outputs);
        scorer.score(parts, rows_, different_, memory);
        scores_.resize(count * outputs);
        for (std::size_t row = 0; row < count; ++row)
            std::copy_n(different_.data() + places_[row] * outputs, outputs,
                        scores_.data() + row * outputs);
        return scores_;
    }

  private:
    std::unordered_map<std::string_view, std::size_t> numbers_;  // of the different rows
    std::vector<std::int32_t> rows_;
    std::vector<std::size_t> places_;
    std::vector<float> different_, scores_;
};

std::vector<FoundTree> different(std::vector<FoundTree> trees, std::size_t count) {
    std::vector<FoundTree> kept;
    for (FoundTree& tree : trees) {
        const auto is_same = [&](const FoundTree& other) { return other.codes == tree.codes; };
        if (kept.size() < count && std::ranges::none_of(kept, is_same))
            kept.push_back(std::move(tree));
    }
    return kept;
}

}  // namespace

struct Parser::Worker {
    Selection selection;
    EncoderMemory memory;
    SpanParts structure_parts, label_parts;
    SpanMemory span_memory;
    RowScores structure_scores, label_scores;
};

Parser::Parser(const Tensors& tensors, const std::string& prefix, std::vector<Residual> residuals,
               std::vector<TaskDescription> tasks, std::shared_ptr<const ChoiceWriter> writer)
    : writer_(std::move(writer)),
      encoder_(tensors, {prefix + "encoder.", std::move(residuals), std::move(tasks)}),
      structure_(tensors, describe(prefix + "structure.", *writer_, writer_->items()),
                 encoder_.outputs()),
      labels_(tensors, describe(prefix + "label.", *writer_, 1), encoder_.outputs()) {
    check_outputs("structure", structure_, writer_->has_candidates() ? 1 : writer_->moves().size());
    check_outputs("labels", labels_, writer_->output_count());
}

ParseResult Parser::parse(const TokenBatch& batch, const ParseOptions& options) const {
    if (options.beam < 1 || options.k_best < 1)
        throw std::invalid_argument("a beam and a k-best list have at least one place");
    encoder_.check(batch);
    ParseResult result;
    result.trees.resize(batch.sentences.size() - 1);
    result.traces.resize(options.is_traced ? result.trees.size() : 0);
    result.classes.assign(encoder_.tasks().size(),
                          std::vector<std::uint32_t>(batch.sentences.back()));
    const auto pieces = cut(batch.sentences);
    std::vector<Worker> workers(std::max<std::size_t>(options.threads, 1));
    for_each_piece(pieces.size(), workers.size(), [&](std::size_t worker, std::size_t piece) {
        parse_piece(batch, pieces[piece], options, workers[worker], result);
    });
    return result;
}

void Parser::parse_piece(const TokenBatch& batch, std::span<const std::uint32_t> sentences,
                         const ParseOptions& options, Worker& worker, ParseResult& result) const {
    encoder_.encode(worker.selection.select(batch, sentences), worker.memory);
    const std::vector<std::uint32_t>& starts = worker.selection.sentences;
    copy_classes(encoder_, worker.memory, starts, batch.sentences, sentences, result.classes);
    structure_.prepare(worker.memory.levels.back(), worker.structure_parts);
    labels_.prepare(worker.memory.levels.back(), worker.label_parts);
    std::vector<std::int32_t> lengths;
    for (std::size_t i = 0; i < sentences.size(); ++i)
        lengths.push_back(static_cast<std::int32_t>(starts[i + 1] - starts[i]));
    ChoiceBeam beam(writer_, lengths, options.beam, options.is_traced);
    search(beam, worker);
    std::vector<std::vector<FoundTree>> trees = beam.trees();
    std::vector<Trace> traces = beam.traces();
    for (std::size_t i = 0; i < sentences.size(); ++i)
        result.trees[sentences[i]] = different(std::move(trees[i]), options.k_best);
    for (std::size_t i = 0; options.is_traced && i < sentences.size(); ++i)
        result.traces[sentences[i]] = std::move(traces[i]);
}

void Parser::search(ChoiceBeam& beam, Worker& worker) const {
    while (true) {
        const Choices& choices = beam.choices();
        if (choices.structure_count() == 0 && choices.label_count() == 0)
            return;
        const auto score = beam.width() == 1 ? &RowScores::score_all : &RowScores::score_different;
        const auto structure = (worker.structure_scores.*score)(structure_, worker.structure_parts,
                                                                choices.rows, worker.span_memory);
        const auto labels = (worker.label_scores.*score)(labels_, worker.label_parts,
                                                         choices.label_rows, worker.span_memory);
        beam.advance(structure, labels);
    }
}

}  // namespace crossbranch::neural

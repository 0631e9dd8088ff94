#include "tagging/trainer.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/parallel.hpp"
#include "tagging/tagger.hpp"

namespace crossbranch {

namespace {

using Search = TagSearch<AddedWeights>;

// The item that continues the right item with the right tag; -1 if there is none.
std::int32_t find_right(const Search& search, std::int32_t before, Tag tag) {
    const auto items = search.current();
    for (std::size_t rank = 0; rank < items.size(); ++rank)
        if (items[rank].before == before && items[rank].tag == tag)
            return search.number_of(rank);
    return -1;
}

// Calls note(feature, tag, amount) for the changes that favour the right tags of the first `end`
// tokens over the predicted ones.
template <typename Note>
void compare(Search& search, std::size_t end, std::span<const Tag> tags, Note note) {
    std::int32_t predicted = search.number_of(0);
    for (std::size_t token = end; token-- > 0;) {
        const auto& item = search.item(predicted);
        const auto& before = search.item(item.before);
        const Tag right = tags[token];
        const std::uint32_t last = token > 0 ? tags[token - 1] + 1U : 0;
        const std::uint32_t last_but_one = token > 1 ? tags[token - 2] + 1U : 0;
        predicted = item.before;
        if (item.tag == right && before.last == last && before.last_but_one == last_but_one)
            continue;
        search.for_each_feature(token, last, last_but_one,
                                [&](Feature feature) { note(feature, right, 1); });
        search.for_each_feature(token, before.last, before.last_but_one,
                                [&](Feature feature) { note(feature, item.tag, -1); });
    }
}

}  // namespace

TagTrainer::TagTrainer(std::shared_ptr<const TagTemplates> templates, std::size_t tag_count,
                       const TagTrainerOptions& options)
    : templates_(std::move(templates)), tag_count_(tag_count), options_(options) {
    check_tagging(tag_count, options.beam);
    if (options.margin < 0 || options.batch < 1)
        throw std::invalid_argument("a margin is 0 or more, a batch has at least one sentence");
    changes_.resize(options.batch);
    own_.resize(options.sources);
}

void TagTrainer::check(std::size_t cell_count, std::span<const std::size_t> offsets,
                       std::span<const Tag> tags, std::span<const std::size_t> sources) const {
    const std::size_t columns = templates_->column_count();
    check_sentences(cell_count, columns, offsets);
    if (tags.size() != cell_count / columns)
        throw std::invalid_argument("every token has a tag");
    if (std::ranges::any_of(tags, [&](Tag tag) { return tag >= tag_count_; }))
        throw std::invalid_argument("a token has a tag that is not there");
    if (sources.size() != (own_.empty() ? 0 : offsets.size() - 1) ||
        std::ranges::any_of(sources, [&](std::size_t source) { return source >= own_.size(); }))
        throw std::invalid_argument("every sentence is of a source that is there");
}

std::size_t TagTrainer::train(std::span<const std::uint32_t> rows,
                              std::span<const std::size_t> offsets, std::span<const Tag> tags,
                              std::size_t threads, std::span<const std::size_t> sources) {
    check(rows.size(), offsets, tags, sources);
    threads = std::clamp<std::size_t>(threads, 1, options_.batch);
    while (workers_.size() < threads)
        workers_.push_back(
            std::make_unique<Worker>(*templates_, weights_, tag_count_, options_.beam));
    const std::size_t columns = templates_->column_count();
    const std::size_t count = offsets.size() - 1;
    std::size_t updates = 0;
    for (std::size_t start = 0; start < count; start += options_.batch) {
        const std::size_t size = std::min(options_.batch, count - start);
        for_each_piece(size, threads, [&](std::size_t worker, std::size_t piece) {
            const std::size_t begin = offsets[start + piece];
            const std::size_t length = offsets[start + piece + 1] - begin;
            Worker& at = *workers_[worker];
            at.weights.choose(own_.empty() ? nullptr : &own_[sources[start + piece]]);
            learn(rows.subspan(begin * columns, length * columns), tags.subspan(begin, length),
                  at.search, changes_[piece]);
        });
        for (std::size_t piece = 0; piece < size; ++piece) {
            ++time_;
            for (const auto& [feature, tag, amount] : changes_[piece]) {
                weights_.update(feature, tag, amount, time_);
                if (!own_.empty())
                    own_[sources[start + piece]].update(feature, tag, amount, time_);
            }
            updates += changes_[piece].empty() ? 0 : 1;
        }
    }
    return updates;
}

void TagTrainer::learn(std::span<const std::uint32_t> rows, std::span<const Tag> tags,
                       Search& search, Changes& changes) const {
    changes.clear();
    const auto note = [&](Feature feature, Tag tag, std::int32_t amount) {
        changes.push_back({feature, tag, amount});
    };
    search.reset(rows);
    std::int32_t right = search.number_of(0);
    for (std::size_t token = 0; token < tags.size(); ++token) {
        search.advance(options_.margin, tags[token]);
        const std::int32_t found = find_right(search, right, tags[token]);
        if (found >= 0) {
            right = found;
            continue;
        }
        compare(search, token + 1, tags, note);
        const Search::Item before = search.item(right);
        search.restart({before.score, tags[token], tags[token] + 1U, before.last, right});
        right = search.number_of(0);
    }
    if (right != search.number_of(0))
        compare(search, tags.size(), tags, note);
}

Weights TagTrainer::average(double prune, std::size_t source,
                            std::span<const TagTrainer* const> others) const {
    std::vector<Voter> voters;
    const auto add = [&](const TagTrainer& trainer) {
        if (trainer.tag_count_ != tag_count_ || trainer.own_.size() != own_.size())
            throw std::invalid_argument("voters have the same tags and sources");
        const std::int64_t time = std::max<std::int64_t>(trainer.time_, 1);
        voters.push_back({&trainer.weights_, time});
        if (!own_.empty())
            voters.push_back({&trainer.own_.at(source), time});
    };
    add(*this);
    for (const TagTrainer* other : others)
        add(*other);
    return LearnedWeights::mean(voters, prune, tag_count_);
}

}  // namespace crossbranch

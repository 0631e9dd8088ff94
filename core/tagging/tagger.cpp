#include "tagging/tagger.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/parallel.hpp"

namespace crossbranch {

Tagger::Tagger(std::shared_ptr<const TagTemplates> templates,
               std::shared_ptr<const Weights> weights, std::size_t beam)
    : templates_(std::move(templates)), weights_(std::move(weights)), beam_(beam) {
    check_tagging(weights_->transition_count(), beam_);
}

std::vector<Tag> Tagger::tag(std::span<const std::uint32_t> rows,
                             std::span<const std::size_t> offsets, std::size_t threads) const {
    const std::size_t columns = templates_->column_count();
    check_sentences(rows.size(), columns, offsets);
    const std::size_t count = offsets.size() - 1;
    std::vector<Tag> tags(rows.size() / columns);
    threads = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(count, 1));
    std::vector<TagSearch<Weights>> searches;
    for (std::size_t i = 0; i < threads; ++i)
        searches.emplace_back(*templates_, *weights_, weights_->transition_count(), beam_);
    for_each_piece(count, threads, [&](std::size_t worker, std::size_t piece) {
        TagSearch<Weights>& search = searches[worker];
        const std::size_t begin = offsets[piece];
        search.reset(rows.subspan(begin * columns, (offsets[piece + 1] - begin) * columns));
        while (!search.is_done())
            search.advance();
        std::int32_t at = search.number_of(0);
        for (std::size_t token = offsets[piece + 1]; token > begin; --token) {
            tags[token - 1] = search.item(at).tag;
            at = search.item(at).before;
        }
    });
    return tags;
}

void check_tagging(std::size_t tag_count, std::size_t beam) {
    if (tag_count < 1 || tag_count > most_tags)
        throw std::invalid_argument("a tagger has between 1 and " + std::to_string(most_tags) +
                                    " tags");
    if (beam < 1 || beam > widest_beam)
        throw std::invalid_argument("a beam has between 1 and " + std::to_string(widest_beam) +
                                    " items");
}

void check_sentences(std::size_t cell_count, std::size_t columns,
                     std::span<const std::size_t> offsets) {
    if (cell_count % columns != 0)
        throw std::invalid_argument("a token table has " + std::to_string(columns) + " columns");
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != cell_count / columns ||
        !std::ranges::is_sorted(offsets))
        throw std::invalid_argument("sentences follow each other and hold all tokens of the table");
}

}  // namespace crossbranch

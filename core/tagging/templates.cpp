#include "tagging/templates.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/hashing.hpp"

namespace crossbranch {

TagTemplates::TagTemplates(std::vector<TagTemplate> templates, std::uint32_t column_count)
    : templates_(std::move(templates)), column_count_(column_count) {
    if (column_count_ == 0)
        throw std::invalid_argument("a tagger has at least one column");
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        const TagTemplate& one = templates_[i];
        if (i > 0 && one.history < templates_[i - 1].history)
            throw std::invalid_argument("templates that look at fewer tags come first");
        for (const TagPart& part : one.parts)
            if (part.column >= column_count_ || part.offset < -furthest || part.offset > furthest)
                throw std::invalid_argument("a template looks at a place that is not there");
        without_tags_ += one.history == TagHistory::none ? 1 : 0;
        with_one_tag_ += one.history == TagHistory::last ? 1 : 0;
        seeds_.push_back(mix(i + 1));
    }
}

void TagTemplates::read(std::span<const std::uint32_t> rows, std::size_t token,
                        std::span<Feature> features) const {
    const std::size_t count = rows.size() / column_count_;
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        Feature state = seeds_[i];
        for (const TagPart& part : templates_[i].parts) {
            // Before the first token, this number is huge. Outside the sentence, all values are 0.
            const std::size_t place = token + static_cast<std::size_t>(part.offset);
            state = mix(state ^ (place < count ? rows[place * column_count_ + part.column] : 0));
        }
        features[i] = state;
    }
}

Feature TagTemplates::with_tags(Feature feature, std::uint32_t last, std::uint32_t last_but_one) {
    return mix(feature ^ (last << 16U | last_but_one));
}

}  // namespace crossbranch

// Feature templates of the tagger: the columns of tokens, and the tags, that form a feature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linear/templates.hpp"

namespace crossbranch {

using Tag = std::uint16_t;

// A column of the token that is this many places to the right; negative: to the left.
struct TagPart {
    std::int32_t offset;
    std::uint32_t column;
};

// The number of tags to the left that a feature uses.
enum class TagHistory : std::uint8_t { none = 0, last = 1, last_two = 2 };

struct TagTemplate {
    TagHistory history;
    std::vector<TagPart> parts;
};

// Templates, sorted: those that use fewer tags come first.
class TagTemplates {
  public:
    static constexpr std::int32_t furthest = 4;  // how far a part may look

    // Throws std::invalid_argument for impossible parts.
    TagTemplates(std::vector<TagTemplate> templates, std::uint32_t column_count);

    // The features of a token without tags: one for each template.
    void read(std::span<const std::uint32_t> rows, std::size_t token,
              std::span<Feature> features) const;

    // A feature combined with the tags to its left, numbered from 1; 0 is before the first token.
    [[nodiscard]] static Feature with_tags(Feature feature, std::uint32_t last,
                                           std::uint32_t last_but_one);

    [[nodiscard]] std::size_t size() const { return templates_.size(); }
    [[nodiscard]] std::size_t without_tags() const { return without_tags_; }
    [[nodiscard]] std::size_t with_one_tag() const { return with_one_tag_; }
    [[nodiscard]] std::size_t with_two_tags() const {
        return size() - without_tags_ - with_one_tag_;
    }
    [[nodiscard]] std::uint32_t column_count() const { return column_count_; }

  private:
    std::vector<TagTemplate> templates_;
    std::vector<Feature> seeds_;
    std::uint32_t column_count_;
    std::size_t without_tags_ = 0;
    std::size_t with_one_tag_ = 0;
};

}  // namespace crossbranch

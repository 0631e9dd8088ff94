// Feature templates of the tagger: which columns of which tokens, and which tags, form a feature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linear/templates.hpp"

namespace crossbranch {

using Tag = std::uint16_t;

// A column of the token that stands so many places to the right; negative: to the left.
struct TagPart {
    std::int32_t offset;
    std::uint32_t column;
};

// How many of the tags to the left a feature looks at.
enum class TagHistory : std::uint8_t { none = 0, last = 1, last_two = 2 };

struct TagTemplate {
    TagHistory history;
    std::vector<TagPart> parts;
};

// Templates, those that look at fewer tags first.
class TagTemplates {
  public:
    static constexpr std::int32_t furthest = 4;  // how far a part may look

    // Throws std::invalid_argument for parts that cannot be.
    TagTemplates(std::vector<TagTemplate> templates, std::uint32_t column_count);

    // The features of a token, as far as words go: one for each template.
    void read(std::span<const std::uint32_t> rows, std::size_t token,
              std::span<Feature> features) const;

    // What a feature becomes with the tags to its left, counted from 1 on; 0 is before the first.
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

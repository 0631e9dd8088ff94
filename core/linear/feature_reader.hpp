// Features of configurations: the values of the templates in one sentence.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "linear/templates.hpp"
#include "transitions/forest.hpp"

namespace crossbranch {

// The columns of all tokens, after a row of zeros for "no token".
class TokenTable {
  public:
    void reset(std::span<const std::uint32_t> rows, std::uint32_t column_count,
               int separator_column);

    [[nodiscard]] std::uint32_t at(std::int32_t position, std::uint32_t column) const {
        return cells_[static_cast<std::size_t>(position) * columns_ + column];
    }
    // The separators between two tokens: their number, or which one if they are all equal; plus
    // one.
    [[nodiscard]] std::uint32_t separators(std::int32_t a, std::int32_t b, PairColumn wanted) const;

  private:
    std::size_t columns_ = 0;
    std::vector<std::uint32_t> cells_;
    std::vector<std::pair<std::int32_t, std::uint32_t>> separators_;  // token, which one
};

// Looks up every attribute of a vertex once, when the vertex is first seen.
class FeatureReader {
  public:
    FeatureReader(const Templates& templates, Label label_count)
        : templates_(&templates), label_count_(label_count) {}

    // Starts with the tokens of a sentence.
    void reset(std::span<const std::uint32_t> rows);

    // Looks up the vertices that are new in the forest.
    void catch_up(const Forest& forest);

    // Appends the features of one group. All vertices must have been looked up.
    void extract(const TemplateGroup& group, const Items& items, const Forest& forest,
                 std::vector<Feature>& features) const;

  private:
    [[nodiscard]] std::uint32_t value_of(const Attribute& attribute, Vertex vertex,
                                         const Forest& forest) const;
    [[nodiscard]] std::uint32_t pair_value(std::uint8_t column, const Items& items,
                                           const Forest& forest) const;

    const Templates* templates_;
    Label label_count_;
    TokenTable table_;
    std::vector<std::uint32_t> values_;  // by vertex and attribute, after those for "no vertex"
};

}  // namespace crossbranch

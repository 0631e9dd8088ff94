// Feature templates, compiled: which places of a configuration form a feature.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "configuration.hpp"
#include "forest.hpp"
#include "systems/system.hpp"

namespace crossbranch {

using Feature = std::uint64_t;

// The items that templates can look at.
enum Slot : std::uint8_t {
    slot_focus = 0,
    slot_stack = 1,  // and 2, 3, 4: below the focus
    slot_aside = 5,  // and 6: d1 and d2
    slot_queue = 7,  // and 8, 9, 10
    slot_count = 11,
    slot_pair = 11  // the focus and the top of the stack together
};

// From an item to a vertex below it: up to two of these, the first in the low bits.
enum Step : std::uint8_t { no_step = 0, to_left = 1, to_right = 2, to_only_child = 3 };

enum OwnColumn : std::uint8_t { own_label = 0, own_gap_type, own_gap_length, own_size, own_count };
enum PairColumn : std::uint8_t { pair_separator = 0, pair_separators, pair_count };

struct Atom {
    std::uint8_t slot;
    std::uint8_t steps;
    std::uint8_t place;   // a Place; 0: the vertex itself, whose own column is meant
    std::uint8_t column;  // of the token table, of OwnColumn or of PairColumn

    auto operator<=>(const Atom&) const = default;
};

using Template = std::vector<Atom>;
using Items = std::array<Vertex, slot_count>;

// What templates read: the columns of all tokens, after a row of zeros for "no token".
class TokenTable {
  public:
    void reset(std::span<const std::uint32_t> rows, std::uint32_t column_count,
               int separator_column);

    [[nodiscard]] std::uint32_t at(std::int32_t position, std::uint32_t column) const {
        return cells_[static_cast<std::size_t>(position) * columns_ + column];
    }
    // The separators between two tokens: how many, and which one if they are all alike.
    [[nodiscard]] std::uint32_t separators(std::int32_t a, std::int32_t b, bool count) const;

  private:
    std::size_t columns_ = 0;
    std::vector<std::uint32_t> cells_;
    std::vector<std::pair<std::int32_t, std::uint32_t>> separators_;  // token, which one
};

// Templates that look at the same items, so that their scores can be kept together.
struct TemplateGroup {
    std::vector<std::uint8_t> slots;  // what the scores depend on
    std::vector<Atom> atoms;          // each once
    std::vector<std::uint8_t> uses;   // the atoms of all templates, one template after the other
    std::vector<std::uint8_t> sizes;  // how many atoms each template has
    std::vector<Feature> seeds;       // one for each template
};

class Templates {
  public:
    // `fixed_queue`: what follows the first queue item is determined by it. Throws
    // std::invalid_argument for atoms that cannot be.
    Templates(const std::vector<Template>& templates, std::uint32_t column_count,
              int separator_column, bool fixed_queue);

    // Which items the templates look at in this configuration.
    [[nodiscard]] Items items(const System& system, const Forest& forest,
                              const Configuration& at) const;

    // Appends the features of one group.
    void extract(const TemplateGroup& group, const Items& items, const Forest& forest,
                 const TokenTable& table, Label label_count, std::vector<Feature>& features) const;

    [[nodiscard]] const std::vector<TemplateGroup>& groups() const { return groups_; }
    [[nodiscard]] std::uint32_t column_count() const { return column_count_; }
    [[nodiscard]] int separator_column() const { return separator_column_; }

  private:
    void note_depth(const Template& atoms);

    std::uint32_t column_count_;
    int separator_column_;
    std::array<std::int32_t, 2> depth_{};  // how many stack and queue items are needed
    std::vector<TemplateGroup> groups_;
};

}  // namespace crossbranch

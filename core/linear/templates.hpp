// Compiled feature templates: the places of a configuration that form a feature.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "transitions/configuration.hpp"
#include "transitions/forest.hpp"
#include "transitions/system.hpp"

namespace crossbranch {

using Feature = std::uint64_t;

// The items that templates can refer to.
enum Slot : std::uint8_t {
    slot_focus = 0,
    slot_stack = 1,  // and 2, 3, 4: below the focus
    slot_aside = 5,  // and 6: d1 and d2
    slot_queue = 7,  // and 8, 9, 10
    slot_count = 11,
    slot_pair = 11  // the focus and the top of the stack together
};

// From an item to a vertex below it: up to two of these, the first in the low bits. `to_left` and
// `to_right` lead to the children of a binary node, in the order of their first tokens. The stack
// has another order if there are gaps.
enum Step : std::uint8_t {
    no_step = 0,
    to_left,
    to_right,
    to_only_child,
    to_left_or_only_child,
    step_count
};
inline constexpr std::uint8_t step_bits = 3;
inline constexpr std::uint8_t step_mask = (1U << step_bits) - 1;

enum OwnColumn : std::uint8_t { own_label = 0, own_gap_type, own_gap_length, own_size, own_count };
enum PairColumn : std::uint8_t { pair_separator = 0, pair_separators, pair_order, pair_count };

// How the tokens of a pair stand to each other, from the item that begins first; `order_count` more
// if this is the focus.
enum PairOrder : std::uint8_t {
    no_order = 0,
    next_to,
    apart,
    in_gap,
    fills_gap,
    mixed,
    order_count
};

struct Atom {
    std::uint8_t slot;
    std::uint8_t steps;
    std::uint8_t place;   // a Place; 0: a column of the vertex itself
    std::uint8_t column;  // of the token table, of OwnColumn or of PairColumn

    auto operator<=>(const Atom&) const = default;
};

using Template = std::vector<Atom>;
using Items = std::array<Vertex, slot_count>;

// The property of its item that an atom reads.
struct Attribute {
    std::uint8_t steps;
    std::uint8_t place;
    std::uint8_t column;

    auto operator<=>(const Attribute&) const = default;
};

// Templates that depend on the same items, so that their scores can be kept together.
struct TemplateGroup {
    struct Value {
        std::uint8_t slot;
        std::uint8_t attribute;  // number of the attribute; for a pair, the PairColumn

        auto operator<=>(const Value&) const = default;
    };

    std::vector<std::uint8_t> slots;  // the items that the scores depend on
    std::vector<Value> values;        // each once
    std::vector<std::uint8_t> uses;   // the values of all templates, one template after the other
    std::vector<std::uint8_t> sizes;  // the number of values of each template
    std::vector<Feature> seeds;       // one for each template
};

class Templates {
  public:
    static constexpr std::size_t most_values = 256;  // in a group

    // `fixed_queue`: the first queue item determines the items after it. Throws
    // std::invalid_argument for impossible atoms.
    Templates(const std::vector<Template>& templates, std::uint32_t column_count,
              int separator_column, bool fixed_queue);

    // The items that the templates refer to in this configuration.
    [[nodiscard]] Items items(const System& system, const Forest& forest,
                              const Configuration& at) const;

    [[nodiscard]] const std::vector<TemplateGroup>& groups() const { return groups_; }
    [[nodiscard]] const std::vector<Attribute>& attributes() const { return attributes_; }
    [[nodiscard]] std::uint32_t column_count() const { return column_count_; }
    [[nodiscard]] int separator_column() const { return separator_column_; }

  private:
    void note_depth(const Template& atoms);
    void add(TemplateGroup& group, const Template& atoms, std::size_t number);
    [[nodiscard]] std::uint8_t attribute(const Atom& atom);

    std::uint32_t column_count_;
    int separator_column_;
    std::array<std::int32_t, 2> depth_{};  // the number of stack and queue items that are needed
    std::vector<Attribute> attributes_;
    std::vector<TemplateGroup> groups_;
};

}  // namespace crossbranch

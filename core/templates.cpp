#include "templates.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "hashing.hpp"

namespace crossbranch {

namespace {

void check(const Atom& atom, std::uint32_t column_count, int separator_column) {
    const bool fits =
        atom.slot == slot_pair
            ? atom.column < pair_count && separator_column >= 0
            : atom.slot < slot_count && atom.steps < 16 && atom.place < place_count &&
                  atom.column < (atom.place == 0 ? std::uint32_t{own_count} : column_count);
    if (!fits)
        throw std::invalid_argument("a template has the atom (" + std::to_string(atom.slot) + ", " +
                                    std::to_string(atom.steps) + ", " + std::to_string(atom.place) +
                                    ", " + std::to_string(atom.column) +
                                    "), which is no place of a configuration");
}

void check(const Template& atoms, std::uint32_t column_count, int separator_column) {
    if (atoms.empty() || atoms.size() > 16)
        throw std::invalid_argument("a template has between 1 and 16 atoms");
    for (const Atom& atom : atoms)
        check(atom, column_count, separator_column);
}

constexpr std::size_t most_atoms = 256;  // in a group

// Combinations of more items than this hardly ever come again: they are not kept apart.
constexpr std::size_t most_slots_kept = 2;

// The items that a template depends on.
std::set<std::uint8_t> slots_of(const Template& atoms, bool fixed_queue) {
    std::set<std::uint8_t> slots;
    for (const Atom& atom : atoms) {
        if (atom.slot == slot_pair)
            slots.insert({slot_focus, slot_stack});
        else
            slots.insert(fixed_queue && atom.slot > slot_queue ? std::uint8_t{slot_queue}
                                                               : atom.slot);
    }
    return slots;
}

void add(TemplateGroup& group, const Template& atoms, std::size_t number) {
    for (const Atom& atom : atoms) {
        const auto found = std::ranges::find(group.atoms, atom) - group.atoms.begin();
        if (static_cast<std::size_t>(found) == group.atoms.size())
            group.atoms.push_back(atom);
        if (group.atoms.size() > most_atoms)
            throw std::invalid_argument("templates look at too many places together");
        group.uses.push_back(static_cast<std::uint8_t>(found));
    }
    group.sizes.push_back(static_cast<std::uint8_t>(atoms.size()));
    group.seeds.push_back(mix(number));
}

Vertex descend(const Forest& forest, Vertex vertex, std::uint8_t steps) {
    for (; steps != 0 && vertex != no_vertex; steps = static_cast<std::uint8_t>(steps >> 2U)) {
        const ForestNode& node = forest.node(vertex);
        const bool is_unary = node.left != no_vertex && node.right == no_vertex;
        switch (steps & 3U) {
            case to_left:
                vertex = is_unary ? no_vertex : node.left;
                break;
            case to_right:
                vertex = node.right;
                break;
            default:
                vertex = is_unary ? node.left : no_vertex;
        }
    }
    return vertex;
}

std::uint32_t own_value(const ForestNode& node, std::uint8_t column, const TokenTable& table,
                        Label label_count) {
    switch (column) {
        case own_label:  // tags follow labels, so that they never clash
            return node.is_token() ? table.at(node.places[at_head], 1) +
                                         static_cast<std::uint32_t>(label_count) + 1
                                   : static_cast<std::uint32_t>(node.label) + 1;
        case own_gap_type:
            return static_cast<std::uint32_t>(node.gap_type);
        case own_gap_length:
            return static_cast<std::uint32_t>(node.gap_length()) + 1;
        default:
            return static_cast<std::uint32_t>(node.size);
    }
}

std::uint32_t value_of(const Atom& atom, const Items& items, const Forest& forest,
                       const TokenTable& table, Label label_count) {
    if (atom.slot == slot_pair) {
        const Vertex left = items[slot_stack];
        const Vertex right = items[slot_focus];
        if (left == no_vertex || right == no_vertex)
            return 0;
        return table.separators(forest.node(left).head(), forest.node(right).head(),
                                atom.column == pair_separators);
    }
    const Vertex vertex = descend(forest, items[atom.slot], atom.steps);
    if (vertex == no_vertex)
        return 0;
    const ForestNode& node = forest.node(vertex);
    return atom.place == 0 ? own_value(node, atom.column, table, label_count)
                           : table.at(node.places[atom.place], atom.column);
}

}  // namespace

void TokenTable::reset(std::span<const std::uint32_t> rows, std::uint32_t column_count,
                       int separator_column) {
    columns_ = column_count;
    cells_.assign(column_count, 0);
    cells_.insert(cells_.end(), rows.begin(), rows.end());
    separators_.clear();
    if (separator_column < 0)
        return;
    const auto count = static_cast<std::int32_t>(rows.size() / column_count);
    for (std::int32_t token = 0; token < count; ++token)
        if (const auto which = at(token + 1, static_cast<std::uint32_t>(separator_column)))
            separators_.emplace_back(token, which);
}

std::uint32_t TokenTable::separators(std::int32_t a, std::int32_t b, bool count) const {
    const auto [low, high] = std::minmax(a, b);
    std::uint32_t found = 0;
    std::uint32_t unique = 0;
    for (const auto& [token, which] : separators_) {
        if (token <= low || token >= high)
            continue;
        unique = found == 0 || unique == which ? which : 0;
        ++found;
    }
    return count ? found + 1 : unique + 1;
}

Templates::Templates(const std::vector<Template>& templates, std::uint32_t column_count,
                     int separator_column, bool fixed_queue)
    : column_count_(column_count), separator_column_(separator_column) {
    if (column_count < 2 || separator_column >= static_cast<int>(column_count))
        throw std::invalid_argument("a token table has words, tags, and the columns in use");
    std::set<std::uint8_t> wide;  // all items of templates that look at many
    for (const Template& atoms : templates) {
        check(atoms, column_count, separator_column);
        const auto slots = slots_of(atoms, fixed_queue);
        if (slots.size() > most_slots_kept)
            wide.insert(slots.begin(), slots.end());
        note_depth(atoms);
    }
    std::map<std::set<std::uint8_t>, std::size_t> places;
    for (std::size_t number = 0; number < templates.size(); ++number) {
        auto slots = slots_of(templates[number], fixed_queue);
        if (slots.size() > most_slots_kept)
            slots = wide;
        const auto [place, is_new] = places.try_emplace(slots, groups_.size());
        if (is_new)
            groups_.push_back({{slots.begin(), slots.end()}, {}, {}, {}, {}});
        add(groups_[place->second], templates[number], number);
    }
}

void Templates::note_depth(const Template& atoms) {
    for (const Atom& atom : atoms) {
        if (atom.slot == slot_pair)
            depth_[0] = std::max(depth_[0], 1);
        else if (atom.slot >= slot_queue)
            depth_[1] = std::max(depth_[1], atom.slot - slot_queue + 1);
        else if (atom.slot >= slot_stack && atom.slot < slot_aside)
            depth_[0] = std::max(depth_[0], atom.slot - slot_stack + 1);
    }
}

Items Templates::items(const System& system, const Forest& forest, const Configuration& at) const {
    Items items;
    items.fill(no_vertex);
    items[slot_focus] = at.focus;
    CellId cell = at.stack;
    for (std::int32_t i = 0; i < depth_[0] && cell != no_cell; ++i) {
        items[static_cast<std::size_t>(slot_stack + i)] = forest.cell(cell).vertex;
        cell = forest.cell(cell).below;
    }
    items[slot_aside] = at.gapped_first;
    items[slot_aside + 1] = at.gapped_second;
    for (std::int32_t i = 0; i < depth_[1]; ++i)
        items[static_cast<std::size_t>(slot_queue + i)] = system.queue_item(forest, at, i);
    return items;
}

void Templates::extract(const TemplateGroup& group, const Items& items, const Forest& forest,
                        const TokenTable& table, Label label_count,
                        std::vector<Feature>& features) const {
    std::array<std::uint32_t, most_atoms> values;
    for (std::size_t i = 0; i < group.atoms.size(); ++i)
        values[i] = value_of(group.atoms[i], items, forest, table, label_count);
    const std::uint8_t* use = group.uses.data();
    for (std::size_t i = 0; i < group.seeds.size(); ++i) {
        Feature feature = group.seeds[i];
        for (std::uint8_t left = group.sizes[i]; left > 0; --left)
            feature = (feature + values[*use++]) * 0x9ddfea08eb382d69U;
        features.push_back(mix(feature));
    }
}

}  // namespace crossbranch

#include "linear/templates.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "base/hashing.hpp"

namespace crossbranch {

namespace {

bool are_steps(std::uint8_t steps) {
    const int first = steps & step_mask;
    const int second = steps >> step_bits;
    return first < step_count && second < step_count && (first != no_step || second == no_step);
}

void check(const Atom& atom, std::uint32_t column_count, int separator_column) {
    const bool fits =
        atom.slot == slot_pair
            ? atom.column < pair_count && (atom.column == pair_order || separator_column >= 0)
            : atom.slot < slot_count && are_steps(atom.steps) && atom.place < place_count &&
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

// Combinations of more items than this are rarely seen again, so they share one group.
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

}  // namespace

Templates::Templates(const std::vector<Template>& templates, std::uint32_t column_count,
                     int separator_column, bool fixed_queue)
    : column_count_(column_count), separator_column_(separator_column) {
    if (column_count < 2 || separator_column >= static_cast<int>(column_count))
        throw std::invalid_argument("a token table has words, tags, and the columns in use");
    std::set<std::uint8_t> wide;  // all items of templates that depend on many
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

std::uint8_t Templates::attribute(const Atom& atom) {
    if (atom.slot == slot_pair)
        return atom.column;
    const Attribute wanted{atom.steps, atom.place, atom.column};
    const auto found = std::ranges::find(attributes_, wanted) - attributes_.begin();
    if (static_cast<std::size_t>(found) == attributes_.size())
        attributes_.push_back(wanted);
    if (attributes_.size() > most_values)
        throw std::invalid_argument("templates look at too many places");
    return static_cast<std::uint8_t>(found);
}

void Templates::add(TemplateGroup& group, const Template& atoms, std::size_t number) {
    for (const Atom& atom : atoms) {
        const TemplateGroup::Value value{atom.slot, attribute(atom)};
        const auto found = std::ranges::find(group.values, value) - group.values.begin();
        if (static_cast<std::size_t>(found) == group.values.size())
            group.values.push_back(value);
        if (group.values.size() > most_values)
            throw std::invalid_argument("templates look at too many places together");
        group.uses.push_back(static_cast<std::uint8_t>(found));
    }
    group.sizes.push_back(static_cast<std::uint8_t>(atoms.size()));
    group.seeds.push_back(mix(number));
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

}  // namespace crossbranch

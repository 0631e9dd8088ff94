#include "linear/feature_reader.hpp"

#include <algorithm>
#include <array>

#include "base/hashing.hpp"

namespace crossbranch {

namespace {

Vertex child(const Forest& forest, const ForestNode& node, int step) {
    if (node.right == no_vertex)  // a unary node or a token
        return step == to_only_child || step == to_left_or_only_child ? node.left : no_vertex;
    if (step == to_only_child)
        return no_vertex;
    const bool is_in_order = forest.node(node.left).first() < forest.node(node.right).first();
    return (step == to_right) == is_in_order ? node.right : node.left;
}

Vertex descend(const Forest& forest, Vertex vertex, std::uint8_t steps) {
    for (; steps != 0 && vertex != no_vertex; steps = static_cast<std::uint8_t>(steps >> step_bits))
        vertex = child(forest, forest.node(vertex), steps & step_mask);
    return vertex;
}

std::uint32_t own_value(const ForestNode& node, std::uint8_t column, const TokenTable& table,
                        Label label_count) {
    switch (column) {
        case own_label:  // tags have numbers after labels, so that they differ
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

// The order of an item and another one that begins after it.
PairOrder order_from_first(const ForestNode& item, const ForestNode& other) {
    if (other.first() > item.last())
        return other.first() == item.last() + 1 ? next_to : apart;
    if (item.places[gap_first] > other.places[at_first] ||
        item.places[gap_last] < other.places[at_last])
        return mixed;
    return other.size == item.gap_length() ? fills_gap : in_gap;
}

std::uint32_t order_of(const ForestNode& left, const ForestNode& right) {
    return left.first() < right.first() ? order_from_first(left, right)
                                        : order_from_first(right, left) + order_count;
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

std::uint32_t TokenTable::separators(std::int32_t a, std::int32_t b, PairColumn wanted) const {
    const auto [low, high] = std::minmax(a, b);
    std::uint32_t found = 0;
    std::uint32_t unique = 0;
    for (const auto& [token, which] : separators_) {
        if (token <= low || token >= high)
            continue;
        unique = found == 0 || unique == which ? which : 0;
        ++found;
    }
    return (wanted == pair_separators ? found : unique) + 1;
}

void FeatureReader::reset(std::span<const std::uint32_t> rows) {
    table_.reset(rows, templates_->column_count(), templates_->separator_column());
    values_.assign(templates_->attributes().size(), 0);
}

void FeatureReader::catch_up(const Forest& forest) {
    const auto& attributes = templates_->attributes();
    if (attributes.empty())
        return;
    const auto seen = static_cast<Vertex>(values_.size() / attributes.size()) - 1;
    for (Vertex vertex = seen; vertex < forest.node_count(); ++vertex)
        for (const Attribute& attribute : attributes)
            values_.push_back(value_of(attribute, vertex, forest));
}

std::uint32_t FeatureReader::value_of(const Attribute& attribute, Vertex vertex,
                                      const Forest& forest) const {
    vertex = descend(forest, vertex, attribute.steps);
    if (vertex == no_vertex)
        return 0;
    const ForestNode& node = forest.node(vertex);
    return attribute.place == 0 ? own_value(node, attribute.column, table_, label_count_)
                                : table_.at(node.places[attribute.place], attribute.column);
}

std::uint32_t FeatureReader::pair_value(std::uint8_t column, const Items& items,
                                        const Forest& forest) const {
    const Vertex left = items[slot_stack];
    const Vertex right = items[slot_focus];
    if (left == no_vertex || right == no_vertex)
        return 0;
    if (column == pair_order)
        return order_of(forest.node(left), forest.node(right));
    return table_.separators(forest.node(left).head(), forest.node(right).head(),
                             static_cast<PairColumn>(column));
}

void FeatureReader::extract(const TemplateGroup& group, const Items& items, const Forest& forest,
                            std::vector<Feature>& features) const {
    const std::size_t attributes = templates_->attributes().size();
    std::array<std::uint32_t, Templates::most_values> values;
    std::uint32_t* next = values.data();
    for (const auto& [slot, attribute] : group.values)
        *next++ = slot == slot_pair
                      ? pair_value(attribute, items, forest)
                      : values_[static_cast<std::size_t>(items[slot] + 1) * attributes + attribute];
    features.resize(features.size() + group.seeds.size());
    Feature* target = features.data() + features.size() - group.seeds.size();
    const std::uint8_t* use = group.uses.data();
    for (std::size_t i = 0; i < group.seeds.size(); ++i) {
        Feature feature = group.seeds[i];
        for (std::uint8_t left = group.sizes[i]; left > 0; --left)
            feature = (feature + values[*use++]) * 0x9ddfea08eb382d69U;
        *target++ = mix(feature);
    }
}

}  // namespace crossbranch

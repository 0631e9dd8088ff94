#include "functions/child_rows.hpp"

#include <algorithm>

namespace crossbranch {

namespace {

constexpr std::uint32_t most = 3;  // distances and counts are cut here

// The label of a vertex, from 1 on.
std::uint32_t label_of(const HeadedTree& tree, std::uint32_t vertex) {
    return vertex == nowhere ? 0 : tree[vertex].label + 1;
}

// A column of the head word of a vertex.
std::uint32_t head_cell(const HeadedTree& tree, std::uint32_t vertex, TokenColumn column) {
    return vertex == nowhere ? 0 : tree.cell(tree[vertex].head, column);
}

// Where a child is, as seen from the head: how many children to the left or to the right.
std::uint32_t place_of(std::span<const std::uint32_t> children, std::uint32_t position,
                       std::uint32_t head_child) {
    const auto head =
        static_cast<std::uint32_t>(std::ranges::find(children, head_child) - children.begin());
    return position < head ? 1 + most - std::min(head - position, most)
                           : 1 + most + std::min(position - head, most);
}

// The number of a child among the children with its label, and how many of them there are.
std::uint32_t order_of(const HeadedTree& tree, std::span<const std::uint32_t> children,
                       std::uint32_t position) {
    std::uint32_t before = 0;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < children.size(); ++i) {
        if (tree[children[i]].label != tree[children[position]].label)
            continue;
        ++count;
        before += i < position ? 1U : 0U;
    }
    return 1 + std::min(before, most) * (most + 1) + std::min(count, most);
}

bool has_gap(const HeadedTree::Vertex& vertex) {
    return vertex.last - vertex.first + 1 != vertex.size;
}

// Size, gaps, and whether the sentence begins here.
std::uint32_t shape_of(const HeadedTree::Vertex& child, const HeadedTree::Vertex& node) {
    const std::uint32_t size = child.size < 3 ? child.size : child.size < 6 ? 3U : 4U;
    return 1 + size * 8 + (has_gap(child) ? 4U : 0U) + (has_gap(node) ? 2U : 0U) +
           (child.first == 0 ? 1U : 0U);
}

}  // namespace

void ChildRows::make(const HeadedTree& tree, std::uint32_t node, Tag function) {
    members_.clear();
    cells_.clear();
    const auto children = tree.children(node);
    for (std::uint32_t position = 0; position < children.size(); ++position)
        if (of_tokens_ || !tree.is_token(children[position]))
            add(tree, node, position, function);
}

void ChildRows::add(const HeadedTree& tree, std::uint32_t node, std::uint32_t position,
                    Tag function) {
    const auto children = tree.children(node);
    const std::uint32_t vertex = children[position];
    const HeadedTree::Vertex& child = tree[vertex];
    const HeadedTree::Vertex& above = tree[node];
    const auto neighbour = [&](bool exists, std::uint32_t place) {
        return exists ? children[place] : nowhere;
    };
    const std::uint32_t left = neighbour(position > 0, position - 1);
    const std::uint32_t right = neighbour(position + 1 < children.size(), position + 1);
    const std::array<std::uint32_t, child_columns.size()> row = {
        label_of(tree, vertex),
        head_cell(tree, vertex, TokenColumn::word),
        head_cell(tree, vertex, TokenColumn::tag) + 1,
        head_cell(tree, vertex, TokenColumn::suffix),
        head_cell(tree, vertex, TokenColumn::cluster),
        head_cell(tree, vertex, TokenColumn::short_cluster),
        tree.cell(child.first, TokenColumn::word),
        tree.cell(child.first, TokenColumn::tag) + 1,
        tree.cell(child.last, TokenColumn::tag) + 1,
        head_cell(tree, child.second, TokenColumn::word),
        label_of(tree, child.second),
        child.second == nowhere ? 0 : head_cell(tree, child.second, TokenColumn::tag) + 1,
        head_cell(tree, child.second, TokenColumn::short_cluster),
        above.label + 1,
        tree.cell(above.head, TokenColumn::word),
        tree.cell(above.head, TokenColumn::tag) + 1,
        tree.cell(above.head, TokenColumn::cluster),
        head_cell(tree, above.second, TokenColumn::word),
        label_of(tree, above.second),
        above.parent == nowhere ? 0 : function + 1U,
        label_of(tree, above.parent),
        place_of(children, position, above.head_child),
        order_of(tree, children, position),
        shape_of(child, above),
        label_of(tree, left),
        label_of(tree, right),
        head_cell(tree, left, TokenColumn::word),
        label_of(tree, above.head_child),
        tree.cell(child.last, TokenColumn::word),
    };
    members_.push_back(vertex);
    cells_.insert(cells_.end(), row.begin(), row.end());
}

}  // namespace crossbranch

#include "functions/headed_tree.hpp"

#include <algorithm>
#include <stdexcept>

namespace crossbranch {

namespace {

[[noreturn]] void refuse() {
    throw std::invalid_argument("these numbers are not a tree over all tokens");
}

}  // namespace

void HeadedTree::read(std::span<const std::int32_t> codes, std::span<const std::uint32_t> tokens,
                      const HeadRules& rules, Tag empty) {
    if (tokens.size() % token_columns != 0)
        throw std::invalid_argument("a token table has " + std::to_string(token_columns) +
                                    " columns");
    if (empty >= rules.function_count())
        throw std::invalid_argument("a function that is not there");
    tokens_ = tokens;
    token_count_ = tokens.size() / token_columns;
    children_.clear();
    open_.clear();
    add_tokens(rules.label_count());
    for (std::size_t i = 0; i < codes.size(); ++i) {
        if (codes[i] >= 0) {
            if (static_cast<std::size_t>(codes[i]) >= token_count_)
                refuse();
            open_.push_back(static_cast<std::uint32_t>(codes[i]));
            continue;
        }
        const auto label = static_cast<std::uint32_t>(~codes[i]);
        if (++i == codes.size() || codes[i] < 1 ||
            static_cast<std::size_t>(codes[i]) > open_.size())
            refuse();
        if (label >= rules.label_count())
            throw std::invalid_argument("a label that is not there");
        add_node(label, static_cast<std::size_t>(codes[i]), rules, empty);
    }
    // With as many tokens below the root as there are, each of them is there once: `add_node`
    // refuses a vertex that has a parent already.
    if (open_.size() != 1 || open_[0] < token_count_ || vertices_.back().size != token_count_)
        refuse();
}

void HeadedTree::add_tokens(std::size_t label_count) {
    vertices_.assign(token_count_, Vertex{});
    for (std::uint32_t token = 0; token < token_count_; ++token) {
        Vertex& made = vertices_[token];
        made.label = cell(token, TokenColumn::tag);
        if (made.label >= label_count)
            throw std::invalid_argument("a tag that is not there");
        made.first = made.last = made.head = token;
    }
}

void HeadedTree::add_node(std::uint32_t label, std::size_t count, const HeadRules& rules,
                          Tag empty) {
    const auto vertex = static_cast<std::uint32_t>(vertices_.size());
    Vertex made;
    made.label = label;
    made.begin = static_cast<std::uint32_t>(children_.size());
    children_.insert(children_.end(), open_.end() - static_cast<std::ptrdiff_t>(count),
                     open_.end());
    made.end = static_cast<std::uint32_t>(children_.size());
    open_.resize(open_.size() - count);
    open_.push_back(vertex);
    made.first = nowhere;
    made.size = 0;
    items_.clear();
    for (std::uint32_t i = made.begin; i < made.end; ++i) {
        Vertex& child = vertices_[children_[i]];
        if (child.parent != nowhere)
            refuse();
        child.parent = vertex;
        made.first = std::min(made.first, child.first);
        made.last = std::max(made.last, child.last);
        made.size += child.size;
        items_.push_back(item(children_[i], empty));
    }
    const auto head = rules.find({label, empty, false}, items_);
    made.head_child = children_[made.begin + head.value_or(0)];
    made.head = vertices_[made.head_child].head;
    for (std::uint32_t i = made.begin; i < made.end; ++i) {
        const std::uint32_t child = children_[i];
        if (!is_token(child) && child != made.head_child &&
            (made.second == nowhere || vertices_[made.second].last < vertices_[child].last))
            made.second = child;
    }
    vertices_.push_back(made);
}

std::int32_t HeadedTree::find_head(std::uint32_t node, const HeadRules& rules,
                                   std::span<const Tag> functions) const {
    const auto below = children(node);
    if (below.size() < 2)
        return -1;
    items_.clear();
    for (const std::uint32_t child : below)
        items_.push_back(item(child, functions[child]));
    const auto head = rules.find({vertices_[node].label, functions[node], false}, items_);
    return head ? static_cast<std::int32_t>(*head) : -1;
}

HeadItem HeadedTree::item(std::uint32_t vertex, Tag function) const {
    return {vertices_[vertex].label, function,
            is_token(vertex) && cell(vertex, TokenColumn::is_punctuation) != 0};
}

}  // namespace crossbranch

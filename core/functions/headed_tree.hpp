// HeadedTree: a tree with the heads of its nodes, as the labeller of functions sees it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "functions/head_rules.hpp"
#include "tagging/templates.hpp"

namespace crossbranch {

// The columns of the token table. `tag` is a number among the labels; others are any numbers.
enum class TokenColumn : std::uint32_t {
    tag,
    is_punctuation,
    word,
    suffix,
    cluster,
    short_cluster,
    count
};

inline constexpr std::size_t token_columns = static_cast<std::size_t>(TokenColumn::count);
inline constexpr std::uint32_t nowhere = ~std::uint32_t{0};

// Tokens are the vertices 0 .. n-1; nodes follow, children before parents, so the root is the last.
class HeadedTree {
  public:
    struct Vertex {
        std::uint32_t label = 0;
        std::uint32_t parent = nowhere;
        std::uint32_t first = 0;  // tokens
        std::uint32_t last = 0;
        std::uint32_t size = 1;  // the number of tokens
        std::uint32_t head = 0;  // the token that is reached from head to head
        std::uint32_t head_child = nowhere;
        std::uint32_t second = nowhere;  // the node below, not the head, that ends last
        std::uint32_t begin = 0;         // of its children
        std::uint32_t end = 0;
    };

    // Reads a tree in postfix form (see tree_codes.hpp) and finds its heads by labels alone; all
    // functions are `empty`. Throws std::invalid_argument if this is not a tree over all tokens, or
    // if a label is not below the count of the rules.
    void read(std::span<const std::int32_t> codes, std::span<const std::uint32_t> tokens,
              const HeadRules& rules, Tag empty);

    [[nodiscard]] std::size_t token_count() const { return token_count_; }
    [[nodiscard]] std::size_t node_count() const { return vertices_.size() - token_count_; }
    [[nodiscard]] std::size_t size() const { return vertices_.size(); }
    [[nodiscard]] bool is_token(std::uint32_t vertex) const { return vertex < token_count_; }
    [[nodiscard]] const Vertex& operator[](std::uint32_t vertex) const { return vertices_[vertex]; }
    [[nodiscard]] std::span<const std::uint32_t> children(std::uint32_t vertex) const {
        const Vertex& node = vertices_[vertex];
        return std::span(children_).subspan(node.begin, node.end - node.begin);
    }
    [[nodiscard]] std::uint32_t cell(std::uint32_t token, TokenColumn column) const {
        return tokens_[token * token_columns + static_cast<std::size_t>(column)];
    }

    // The position of the head among the children, with functions of all vertices; -1 if there is
    // none, and for a single child.
    [[nodiscard]] std::int32_t find_head(std::uint32_t node, const HeadRules& rules,
                                         std::span<const Tag> functions) const;

  private:
    void add_tokens(std::size_t label_count);
    void add_node(std::uint32_t label, std::size_t count, const HeadRules& rules, Tag empty);
    [[nodiscard]] HeadItem item(std::uint32_t vertex, Tag function) const;

    std::size_t token_count_ = 0;
    std::span<const std::uint32_t> tokens_;
    std::vector<Vertex> vertices_;
    std::vector<std::uint32_t> children_;
    std::vector<std::uint32_t> open_;  // vertices that have no parent yet
    mutable std::vector<HeadItem> items_;
};

}  // namespace crossbranch

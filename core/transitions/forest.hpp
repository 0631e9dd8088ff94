// The forest of one sentence: the tokens and nodes of all configurations, and the cells of their
// stacks. Equal nodes are made only once. Stacks share their lower parts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "transitions/labels.hpp"

namespace crossbranch {

using Vertex = std::int32_t;  // tokens are 0 .. n-1, made nodes follow
using CellId = std::int32_t;

inline constexpr Vertex no_vertex = -1;
inline constexpr CellId no_cell = -1;

enum class Side : std::uint8_t { left, right };

// The place of a token relative to a node. Positions are token indices plus one; 0 means no token.
enum Place : std::uint8_t {
    at_head = 1,
    at_first,
    at_last,
    before_first,
    after_last,
    gap_before,  // the last token before the first gap
    gap_first,   // the first token in the first gap
    gap_last,
    gap_after,
    place_count
};

enum class GapType : std::uint8_t { none = 1, pass, gap };  // Maier (2015), figure 4

struct ForestNode {
    Label label = no_label;  // no_label: a token; candidate_label: joined items without a label
    Vertex left = no_vertex;
    Vertex right = no_vertex;  // no_vertex: a unary node, or a token
    std::int32_t size = 1;     // tokens below
    std::array<std::int32_t, place_count> places{};
    std::uint32_t first_block = 0;  // of a discontinuous node, in the list of blocks of the forest
    std::uint32_t block_count = 1;
    bool is_temporary = false;
    GapType gap_type = GapType::none;

    [[nodiscard]] std::int32_t head() const { return places[at_head] - 1; }
    [[nodiscard]] std::int32_t first() const { return places[at_first] - 1; }
    [[nodiscard]] std::int32_t last() const { return places[at_last] - 1; }
    [[nodiscard]] std::int32_t gap_length() const { return last() - first() + 1 - size; }
    [[nodiscard]] bool is_token() const { return label == no_label; }
};

// One item of a stack, and the cell below it.
struct Cell {
    Vertex vertex;
    CellId below;
    std::int32_t depth;  // number of items from here down
    std::int32_t firm;   // number of these that are not temporary
};

// Half-open, in tokens.
struct BlockRange {
    std::int32_t start, stop;
};

class Forest {
  public:
    // Clears the forest and starts with the tokens of a sentence.
    void reset(std::int32_t token_count);

    // The node above these children. Without a right child, it is a unary node.
    [[nodiscard]] Vertex make(Label label, bool is_temporary, Vertex left, Vertex right, Side head);

    [[nodiscard]] CellId push(CellId below, Vertex vertex);

    [[nodiscard]] const ForestNode& node(Vertex vertex) const {
        return nodes_[static_cast<std::size_t>(vertex)];
    }
    [[nodiscard]] const Cell& cell(CellId cell) const {
        return cells_[static_cast<std::size_t>(cell)];
    }
    [[nodiscard]] std::int32_t depth(CellId id) const { return id == no_cell ? 0 : cell(id).depth; }
    [[nodiscard]] std::int32_t firm(CellId id) const { return id == no_cell ? 0 : cell(id).firm; }
    [[nodiscard]] bool is_firm(Vertex vertex) const { return !node(vertex).is_temporary; }
    [[nodiscard]] std::int32_t token_count() const { return token_count_; }
    [[nodiscard]] std::int32_t node_count() const {
        return static_cast<std::int32_t>(nodes_.size());
    }

    // Block i of a vertex, counted from the first; i is below its `block_count`.
    [[nodiscard]] BlockRange block(const ForestNode& node, std::uint32_t i) const {
        if (node.block_count == 1)
            return {node.first(), node.last() + 1};
        return blocks_[node.first_block + i];
    }

  private:
    [[nodiscard]] std::size_t find_slot(std::uint64_t key, Label label, Vertex left, Vertex right,
                                        Side head) const;
    void grow();
    void set_places(ForestNode& node, const ForestNode& left, const ForestNode* right, Side head);
    void merge_blocks(ForestNode& node, const ForestNode& left, const ForestNode& right);
    void add_blocks(const ForestNode& node, std::vector<BlockRange>& target) const;

    std::int32_t token_count_ = 0;
    std::vector<ForestNode> nodes_;
    std::vector<Cell> cells_;
    std::vector<BlockRange> blocks_;
    std::vector<BlockRange> merged_;  // for merge_blocks
    std::vector<Vertex> made_;        // a hash table of the made nodes
    std::vector<Side> heads_;         // of the made nodes
};

}  // namespace crossbranch

// The constituents of a gold tree in which no two have the same span, for oracles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "transitions/forest.hpp"
#include "trees/span.hpp"

namespace crossbranch {

struct GoldConstituent {
    Span span;
    Label label = no_label;
    std::int32_t last = 0;  // token
    std::int32_t size = 0;  // number of tokens
    std::int32_t head = 0;  // token
    Vertex vertex = no_vertex;
};

class GoldSpans {
  public:
    // Vertices are the tokens 0 .. n-1, the root n, and the other nodes, each after its parent.
    // `parents` has the vertex above each vertex, -1 for the root; `labels` and `heads` have the
    // label and the head, one of the children, of vertex n + k. Without `heads`, the head is the
    // child with the first token. Throws std::invalid_argument if this is not a tree, or if two
    // nodes have the same span.
    GoldSpans(std::int32_t token_count, std::span<const Vertex> parents,
              std::span<const Label> labels, std::span<const Vertex> heads = {});

    // In the order in which they are built: by last token, then by size.
    [[nodiscard]] const std::vector<GoldConstituent>& constituents() const { return constituents_; }
    [[nodiscard]] std::size_t size() const { return constituents_.size(); }
    [[nodiscard]] std::int32_t token_count() const { return token_count_; }

    // The position of the first constituent whose last token is not before this one.
    [[nodiscard]] std::size_t first_from(std::int32_t token) const {
        return first_from_[static_cast<std::size_t>(token)];
    }

    // The position of the constituent with the same tokens as a vertex of a forest; size() if there
    // is none.
    [[nodiscard]] std::size_t find(const Forest& forest, const ForestNode& node) const;

  private:
    void read(std::span<const Vertex> parents, std::span<const Label> labels,
              std::span<const Vertex> heads);
    void sort();

    std::int32_t token_count_;
    std::vector<GoldConstituent> constituents_;
    std::vector<std::size_t> first_from_;
};

// The tokens of a vertex.
[[nodiscard]] Span span_of(const Forest& forest, const ForestNode& node);

}  // namespace crossbranch

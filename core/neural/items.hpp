// The tokens that name a constituent for a span scorer.
#pragma once

#include <cstdint>

#include "neural/span_scorer.hpp"
#include "transitions/forest.hpp"

namespace crossbranch::neural {

// First token, last token, and for each gap its first and last token. If an item has more gaps than
// `gaps`, the last ones count as one gap. So with one gap, its ends are those of all gaps together.
[[nodiscard]] constexpr std::size_t places_with(std::size_t gaps) {
    return 2 + 2 * gaps;
}

// Writes places_with(gaps) tokens; `offset` is the number of the sentence's first token.
inline void write_item(const Forest& forest, Vertex vertex, std::int32_t offset, std::size_t gaps,
                       std::int32_t* tokens) {
    if (vertex == no_vertex) {
        std::fill_n(tokens, places_with(gaps), no_token);
        return;
    }
    const ForestNode& node = forest.node(vertex);
    tokens[0] = offset + node.first();
    tokens[1] = offset + node.last();
    for (std::uint32_t gap = 0; gap < gaps; ++gap) {
        std::int32_t* ends = tokens + places_with(gap);
        if (gap + 1 >= node.block_count) {
            ends[0] = ends[1] = no_token;
            continue;
        }
        const std::uint32_t after = gap + 1 == gaps ? node.block_count - 1 : gap + 1;
        ends[0] = offset + forest.block(node, gap).stop;
        ends[1] = offset + forest.block(node, after).start - 1;
    }
}

// Labels do not change the tokens of an item: the item below all its labels.
[[nodiscard]] inline Vertex without_labels(const Forest& forest, Vertex vertex) {
    while (forest.node(vertex).left != no_vertex && forest.node(vertex).right == no_vertex)
        vertex = forest.node(vertex).left;
    return vertex;
}

}  // namespace crossbranch::neural

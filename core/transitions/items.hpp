// The tokens that name an item for a neural scorer.
#pragma once

#include <algorithm>
#include <cstdint>

#include "transitions/forest.hpp"

namespace crossbranch {

// The token of a place that an item does not have.
inline constexpr std::int32_t no_token = -1;

// First token, last token, and for each gap its first and last token. If an item has more gaps than
// `gaps`, the last ones count as one gap. So with one gap, its ends are those of all gaps together.
// Then the head, if heads matter.
struct ItemPlaces {
    std::size_t gaps = 1;
    bool has_head = false;

    [[nodiscard]] constexpr std::size_t count() const { return 2 + 2 * gaps + (has_head ? 1 : 0); }

    // Whether a place is an end of a gap.
    [[nodiscard]] constexpr bool is_gap(std::size_t place) const {
        return place >= 2 && place < 2 + 2 * gaps;
    }

    // Writes count() tokens; `offset` is the number of the sentence's first token.
    void write(const Forest& forest, Vertex vertex, std::int32_t offset,
               std::int32_t* tokens) const {
        if (vertex == no_vertex) {
            std::fill_n(tokens, count(), no_token);
            return;
        }
        const ForestNode& node = forest.node(vertex);
        *tokens++ = offset + node.first();
        *tokens++ = offset + node.last();
        for (std::uint32_t gap = 0; gap < gaps; ++gap) {
            const bool is_there = gap + 1 < node.block_count;
            const std::uint32_t after = gap + 1 == gaps ? node.block_count - 1 : gap + 1;
            *tokens++ = is_there ? offset + forest.block(node, gap).stop : no_token;
            *tokens++ = is_there ? offset + forest.block(node, after).start - 1 : no_token;
        }
        if (has_head)
            *tokens = offset + node.head();
    }
};

}  // namespace crossbranch

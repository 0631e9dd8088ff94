// A span as a sorted list of its blocks. This form is cheap even for long sentences.
#pragma once

#include <cstddef>
#include <vector>

namespace crossbranch {

using Index = std::size_t;

// A maximal run of neighbouring tokens, as the half-open range [start, stop).
struct Block {
    Index start;
    Index stop;

    bool operator==(const Block&) const = default;
};

// Sorted by start. The blocks of one span do not overlap or touch.
using Blocks = std::vector<Block>;

// Sorts blocks that do not overlap, and joins those that touch.
void normalize(Blocks& blocks);

// The number of blocks in the union of two disjoint spans, without building it.
Index united_fan_out(const Blocks& a, const Blocks& b);

// The union of two disjoint spans.
Blocks unite(const Blocks& a, const Blocks& b);

// Whether tokens a1 < b1 < a2 < b2 or b1 < a1 < b2 < a2 exist; false for spans that overlap.
bool are_ill_nested(const Blocks& a, const Blocks& b);

}  // namespace crossbranch

#include "trees/blocks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace crossbranch {

namespace {

bool starts_before(const Block& a, const Block& b) {
    return a.start < b.start;
}

// Calls visit(block, whether it is from a) in the order of the blocks' starts.
template <typename Visit>
void merge_walk(const Blocks& a, const Blocks& b, Visit visit) {
    auto next_a = a.begin();
    auto next_b = b.begin();
    while (next_a != a.end() || next_b != b.end()) {
        const bool from_a =
            next_b == b.end() || (next_a != a.end() && starts_before(*next_a, *next_b));
        visit(from_a ? *next_a++ : *next_b++, from_a);
    }
}

}  // namespace

void normalize(Blocks& blocks) {
    std::ranges::sort(blocks, starts_before);
    Index kept = 0;
    for (const Block block : blocks) {
        if (kept > 0 && blocks[kept - 1].stop == block.start)
            blocks[kept - 1].stop = block.stop;
        else
            blocks[kept++] = block;
    }
    blocks.resize(kept);
}

Index united_fan_out(const Blocks& a, const Blocks& b) {
    Index touches = 0;
    const Block* previous = nullptr;
    merge_walk(a, b, [&](const Block& block, bool) {
        if (previous != nullptr && previous->stop == block.start)
            ++touches;
        previous = &block;
    });
    return a.size() + b.size() - touches;
}

Blocks unite(const Blocks& a, const Blocks& b) {
    Blocks united;
    united.reserve(a.size() + b.size());
    merge_walk(a, b, [&](const Block& block, bool) {
        if (!united.empty() && united.back().stop == block.start)
            united.back().stop = block.stop;
        else
            united.push_back(block);
    });
    return united;
}

bool are_ill_nested(const Blocks& a, const Blocks& b) {
    // Disjoint spans are well-nested if one is inside a single gap of the other: a, b, a.
    Index turns = 0;
    bool overlap = false;
    const Block* previous = nullptr;
    bool previous_from_a = false;
    merge_walk(a, b, [&](const Block& block, bool from_a) {
        overlap = overlap || (previous != nullptr && block.start < previous->stop);
        turns += previous == nullptr || from_a != previous_from_a;
        previous = &block;
        previous_from_a = from_a;
    });
    return !overlap && turns >= 4;
}

}  // namespace crossbranch

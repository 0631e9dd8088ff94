#include "transitions/forest.hpp"

#include <algorithm>
#include <bit>

#include "base/hashing.hpp"

namespace crossbranch {

namespace {

std::uint64_t key_of(Label label, Vertex left, Vertex right, Side head) {
    const auto word = [](std::int32_t value) {
        return std::uint64_t{static_cast<std::uint32_t>(value)};
    };
    return mix(mix(word(left) << 32U | word(right)) ^
               (word(label) << 1U | static_cast<std::uint64_t>(head)));
}

}  // namespace

void Forest::reset(std::int32_t token_count) {
    token_count_ = token_count;
    nodes_.clear();
    cells_.clear();
    blocks_.clear();
    heads_.clear();
    const std::size_t enough = 256 + 64 * static_cast<std::size_t>(token_count);
    made_.assign(std::min(made_.size(), std::bit_floor(enough)), no_vertex);
    nodes_.resize(static_cast<std::size_t>(token_count));
    for (std::int32_t i = 0; i < token_count; ++i) {
        auto& places = nodes_[static_cast<std::size_t>(i)].places;
        places[at_head] = places[at_first] = places[at_last] = i + 1;
        places[before_first] = i;
        places[after_last] = i + 1 < token_count ? i + 2 : 0;
    }
}

Vertex Forest::make(Label label, bool is_temporary, Vertex left, Vertex right, Side head) {
    if (2 * (heads_.size() + 1) > made_.size())
        grow();
    const std::uint64_t key = key_of(label, left, right, head);
    const std::size_t slot = find_slot(key, label, left, right, head);
    if (made_[slot] != no_vertex)
        return made_[slot];
    const auto vertex = static_cast<Vertex>(nodes_.size());
    made_[slot] = vertex;
    heads_.push_back(head);
    ForestNode node;
    node.label = label;
    node.left = left;
    node.right = right;
    node.is_temporary = is_temporary;
    set_places(node, this->node(left), right == no_vertex ? nullptr : &this->node(right), head);
    nodes_.push_back(node);
    return vertex;
}

CellId Forest::push(CellId below, Vertex vertex) {
    const auto id = static_cast<CellId>(cells_.size());
    cells_.push_back({vertex, below, depth(below) + 1, firm(below) + (is_firm(vertex) ? 1 : 0)});
    return id;
}

std::size_t Forest::find_slot(std::uint64_t key, Label label, Vertex left, Vertex right,
                              Side head) const {
    const std::size_t mask = made_.size() - 1;
    std::size_t slot = key & mask;
    for (; made_[slot] != no_vertex; slot = (slot + 1) & mask) {
        const ForestNode& found = node(made_[slot]);
        const Side side = heads_[static_cast<std::size_t>(made_[slot] - token_count_)];
        if (found.label == label && found.left == left && found.right == right && side == head)
            break;
    }
    return slot;
}

void Forest::grow() {
    made_.assign(std::max<std::size_t>(2 * made_.size(), 256), no_vertex);
    for (std::size_t i = 0; i < heads_.size(); ++i) {
        const auto vertex = static_cast<Vertex>(i) + token_count_;
        const ForestNode& made = node(vertex);
        const std::uint64_t key = key_of(made.label, made.left, made.right, heads_[i]);
        made_[find_slot(key, made.label, made.left, made.right, heads_[i])] = vertex;
    }
}

void Forest::set_places(ForestNode& node, const ForestNode& left, const ForestNode* right,
                        Side head) {
    if (right == nullptr) {
        node.size = left.size;
        node.places = left.places;
        node.first_block = left.first_block;
        node.block_count = left.block_count;
        node.gap_type = left.gap_length() > 0 ? GapType::pass : GapType::none;
        return;
    }
    node.size = left.size + right->size;
    auto& places = node.places;
    places[at_head] = (head == Side::left ? left : *right).places[at_head];
    const ForestNode& leftmost = left.first() < right->first() ? left : *right;
    const ForestNode& rightmost = left.last() > right->last() ? left : *right;
    places[at_first] = leftmost.places[at_first];
    places[before_first] = leftmost.places[before_first];
    places[at_last] = rightmost.places[at_last];
    places[after_last] = rightmost.places[after_last];
    if (node.gap_length() > 0) {
        node.gap_type = GapType::pass;
        merge_blocks(node, left, *right);
    } else if (left.gap_length() > 0 || right->gap_length() > 0) {
        node.gap_type = GapType::gap;
    }
}

void Forest::merge_blocks(ForestNode& node, const ForestNode& left, const ForestNode& right) {
    merged_.clear();
    add_blocks(left, merged_);
    add_blocks(right, merged_);
    std::ranges::sort(merged_, {}, &BlockRange::start);
    node.first_block = static_cast<std::uint32_t>(blocks_.size());
    for (const BlockRange& block : merged_) {
        if (blocks_.size() > node.first_block && blocks_.back().stop == block.start)
            blocks_.back().stop = block.stop;
        else
            blocks_.push_back(block);
    }
    node.block_count = static_cast<std::uint32_t>(blocks_.size()) - node.first_block;
    node.places[gap_before] = blocks_[node.first_block].stop;
    node.places[gap_first] = blocks_[node.first_block].stop + 1;
    node.places[gap_last] = blocks_[node.first_block + 1].start;
    node.places[gap_after] = blocks_[node.first_block + 1].start + 1;
}

void Forest::add_blocks(const ForestNode& node, std::vector<BlockRange>& target) const {
    if (node.gap_length() == 0) {
        target.push_back({node.first(), node.last() + 1});
        return;
    }
    const auto first = blocks_.begin() + node.first_block;
    target.insert(target.end(), first, first + node.block_count);
}

}  // namespace crossbranch

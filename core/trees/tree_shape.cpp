#include "trees/tree_shape.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace crossbranch {

namespace {

std::string vertex_name(Index vertex) {
    return "vertex " + std::to_string(vertex);
}

[[noreturn]] void refuse_parent(Index vertex, Parent parent, const std::string& why) {
    throw std::invalid_argument(vertex_name(vertex) + " has parent " + std::to_string(parent) +
                                ", " + why);
}

void check_parents(Index token_count, std::span<const Parent> parents) {
    if (parents.size() <= token_count)
        throw std::invalid_argument("no root: " + vertex_name(token_count) + " is missing, " +
                                    std::to_string(parents.size()) + " parents are given for " +
                                    std::to_string(token_count) + " tokens and at least one node");
    for (Index vertex = 0; vertex < parents.size(); ++vertex) {
        const Parent parent = parents[vertex];
        if (vertex == token_count) {
            if (parent != -1)
                refuse_parent(vertex, parent, "but it is the root, whose parent is -1");
        } else if (parent < 0 || static_cast<Index>(parent) >= parents.size()) {
            refuse_parent(vertex, parent,
                          "expected a node from " + std::to_string(token_count) + " to " +
                              std::to_string(parents.size() - 1));
        } else if (static_cast<Index>(parent) < token_count) {
            refuse_parent(vertex, parent, "which is a token and not a node");
        }
    }
}

// How many children each node has.
std::vector<Index> count_children(Index token_count, std::span<const Parent> parents) {
    std::vector<Index> counts(parents.size() - token_count);
    for (const Parent parent : parents)
        if (parent >= 0)
            ++counts[static_cast<Index>(parent) - token_count];
    for (Index node = 0; node < counts.size(); ++node)
        if (counts[node] == 0 && (node > 0 || token_count > 0))
            throw std::invalid_argument(vertex_name(token_count + node) +
                                        " is a node without children");
    return counts;
}

// Adds the blocks of every vertex to its parent, children first.
std::vector<Blocks> collect_blocks(Index token_count, std::span<const Parent> parents) {
    std::vector<Index> missing = count_children(token_count, parents);
    std::vector<Blocks> blocks(missing.size());
    std::vector<Index> complete;  // nodes that have the blocks of all their children
    const auto hand_up = [&](Index vertex, const auto& part) {
        const Index node = static_cast<Index>(parents[vertex]) - token_count;
        blocks[node].insert(blocks[node].end(), part.begin(), part.end());
        if (--missing[node] == 0)
            complete.push_back(node);
    };
    for (Index token = 0; token < token_count; ++token)
        hand_up(token, std::array{Block{token, token + 1}});
    while (!complete.empty()) {
        const Index node = complete.back();
        complete.pop_back();
        normalize(blocks[node]);
        blocks[node].shrink_to_fit();
        if (node > 0)
            hand_up(token_count + node, blocks[node]);
    }
    // Only vertices on a cycle are never complete, and their parents are on it, too.
    for (Index node = 0; node < missing.size(); ++node)
        if (missing[node] > 0)
            throw std::invalid_argument(vertex_name(token_count + node) +
                                        " is its own ancestor: the parents form a cycle");
    return blocks;
}

// The new positions of all tokens, and of the end of the sentence, without the ignored tokens.
std::vector<Index> renumber(Index token_count, std::span<const Index> ignored) {
    std::vector<Index> places(token_count + 1, 1);
    for (const Index token : ignored) {
        if (token >= token_count)
            throw std::invalid_argument("ignored token " + std::to_string(token) +
                                        " is not in a sentence of " + std::to_string(token_count) +
                                        " tokens");
        places[token] = 0;
    }
    Index place = 0;
    for (Index& kept : places)
        place += std::exchange(kept, place);
    return places;
}

// The discontinuous nodes by first token.
std::vector<Index> find_discontinuous(const std::vector<Blocks>& blocks) {
    std::vector<Index> found;
    for (Index node = 0; node < blocks.size(); ++node)
        if (blocks[node].size() > 1)
            found.push_back(node);
    std::ranges::stable_sort(found, {}, [&](Index node) { return blocks[node].front().start; });
    return found;
}

}  // namespace

TreeShape::TreeShape(Index token_count, std::span<const Parent> parents)
    : token_count_(token_count) {
    check_parents(token_count, parents);
    blocks_ = collect_blocks(token_count, parents);
}

const Blocks& TreeShape::blocks(Index node) const {
    if (node >= node_count())
        throw std::invalid_argument("node " + std::to_string(node) + " is not in a tree of " +
                                    std::to_string(node_count()) + " nodes");
    return blocks_[node];
}

std::vector<Span> TreeShape::spans() const {
    std::vector<Span> spans(node_count());
    for (Index node = 0; node < node_count(); ++node)
        for (const Block& block : blocks_[node])
            spans[node].set(block);
    return spans;
}

std::vector<Blocks> TreeShape::blocks_without(std::span<const Index> ignored) const {
    const std::vector<Index> places = renumber(token_count_, ignored);
    std::vector<Blocks> kept(node_count());
    for (Index node = 0; node < node_count(); ++node) {
        for (const Block& block : blocks_[node])
            if (places[block.start] < places[block.stop])
                kept[node].push_back({places[block.start], places[block.stop]});
        normalize(kept[node]);
    }
    return kept;
}

std::vector<Index> TreeShape::fan_outs(std::span<const Index> ignored) const {
    std::vector<Blocks> kept;
    std::vector<Index> fan_outs;
    fan_outs.reserve(node_count());
    for (const Blocks& blocks : ignored.empty() ? blocks_ : (kept = blocks_without(ignored)))
        fan_outs.push_back(blocks.size());
    return fan_outs;
}

std::vector<TreeShape::NodePair> TreeShape::ill_nested_pairs(std::span<const Index> ignored,
                                                             bool stop_at_first) const {
    std::vector<Blocks> kept;
    const auto& blocks = ignored.empty() ? blocks_ : (kept = blocks_without(ignored));
    const std::vector<Index> nodes = find_discontinuous(blocks);
    std::vector<NodePair> pairs;
    for (Index i = 0; i < nodes.size(); ++i)
        for (Index j = i + 1; j < nodes.size(); ++j) {
            const auto [a, b] = std::minmax(nodes[i], nodes[j]);
            if (blocks[nodes[j]].front().start >= blocks[nodes[i]].back().stop)
                break;  // this node and all after it are to the right
            if (!are_ill_nested(blocks[a], blocks[b]))
                continue;
            pairs.emplace_back(a, b);
            if (stop_at_first)
                return pairs;
        }
    std::ranges::sort(pairs);
    return pairs;
}

}  // namespace crossbranch

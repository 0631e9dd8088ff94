// All gold trees over a few tokens, and some over more, for the tests of oracles.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "transitions/gold_spans.hpp"
#include "transitions/system.hpp"

namespace gold_trees {

using namespace crossbranch;

enum PlainLabel : Label { A, B, Top };

inline std::shared_ptr<const System> open_system(std::string_view name) {
    const Labels labels = {{LabelKind::plain, LabelKind::plain, LabelKind::root}, {A, B, Top}};
    return make_system(name, labels, {{Move::label, A}, {Move::label, B}, {Move::label, Top}}, {});
}

using TokenSet = std::uint32_t;  // bit i: token i

inline TokenSet set_of(const Forest& forest, Vertex vertex) {
    TokenSet found = 0;
    const ForestNode& node = forest.node(vertex);
    for (std::uint32_t i = 0; i < node.block_count; ++i)
        for (auto [token, stop] = forest.block(node, i); token < stop; ++token)
            found |= TokenSet{1} << static_cast<unsigned>(token);
    return found;
}

// The sets of the nodes of each tree, the root first: all families in which any two sets are
// disjoint, or one of them contains the other.
inline std::vector<std::vector<TokenSet>> all_trees(unsigned token_count) {
    const TokenSet whole = (TokenSet{1} << token_count) - 1;
    std::vector<std::vector<TokenSet>> trees = {{whole}};
    std::vector<TokenSet> sets;
    for (TokenSet set = 1; set < whole; ++set)
        sets.push_back(set);
    std::ranges::stable_sort(sets, std::greater{}, [](TokenSet s) { return std::popcount(s); });
    for (const TokenSet set : sets) {
        const std::size_t count = trees.size();
        for (std::size_t i = 0; i < count; ++i) {
            const bool fits = std::ranges::all_of(trees[i], [&](TokenSet other) {
                return (set & other) == 0 || (set & other) == set;
            });
            if (fits) {
                trees.push_back(trees[i]);
                trees.back().push_back(set);
            }
        }
    }
    return trees;
}

// The nodes of a tree, by chance: two or three items are joined until one is left.
inline std::vector<TokenSet> random_tree(unsigned tokens, std::mt19937_64& random) {
    std::vector<TokenSet> items, nodes;
    for (unsigned token = 0; token < tokens; ++token) {
        items.push_back(TokenSet{1} << token);
        if (tokens > 1 && random() % 5 == 0)
            nodes.push_back(items.back());
    }
    while (items.size() > 1) {
        TokenSet joined = 0;
        for (std::size_t count = 2 + random() % 2; count > 0 && !items.empty(); --count) {
            const std::size_t i = random() % items.size();
            joined |= items[i];
            items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
        }
        items.push_back(joined);
        nodes.push_back(joined);
    }
    if (nodes.empty() || nodes.back() != items[0])
        nodes.push_back(items[0]);
    std::ranges::reverse(nodes);
    std::ranges::stable_sort(nodes, std::greater{}, [](TokenSet s) { return std::popcount(s); });
    return nodes;
}

struct GoldArrays {
    std::int32_t token_count;
    std::vector<Vertex> parents;
    std::vector<Label> labels;
    std::vector<Vertex> heads;

    [[nodiscard]] GoldSpans spans() const { return {token_count, parents, labels, heads}; }
};

// The tree with these nodes, all labelled A. Its heads are the last children.
inline GoldArrays arrays_of(unsigned token_count, const std::vector<TokenSet>& tree) {
    GoldArrays gold{static_cast<std::int32_t>(token_count), {}, {}, {}};
    gold.heads.assign(tree.size(), no_vertex);
    gold.labels.assign(tree.size(), A);
    gold.labels[0] = Top;
    const auto add = [&](TokenSet set, std::size_t nodes) {
        std::size_t place = nodes;
        while ((tree[place - 1] & set) != set)
            --place;
        gold.parents.push_back(static_cast<Vertex>(token_count + place - 1));
        gold.heads[place - 1] = static_cast<Vertex>(gold.parents.size() - 1);
    };
    for (unsigned token = 0; token < token_count; ++token)
        add(TokenSet{1} << token, tree.size());
    gold.parents.push_back(no_vertex);
    for (std::size_t i = 1; i < tree.size(); ++i)
        add(tree[i], i);
    return gold;
}

}  // namespace gold_trees

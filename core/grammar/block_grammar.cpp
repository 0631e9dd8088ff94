#include "grammar/block_grammar.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace crossbranch::grammar {
namespace {

using Pair = std::pair<BlockSymbol, BlockSymbol>;

// Rules while they are collected: each with the smallest cost of all rules that look like it.
struct Collected {
    std::map<std::pair<Pair, BlockSymbol>, float> binaries;  // (left, right), parent
    std::map<Pair, float> unaries;                           // child, parent
    std::map<Pair, BlockSymbol> prefixes;                    // of blocks with more than two parts
    BlockSymbol size = 0;

    // A symbol for two parts of a longer block.
    BlockSymbol prefix(BlockSymbol left, BlockSymbol right) {
        const auto [place, is_new] = prefixes.try_emplace({left, right}, size);
        if (is_new)
            add(size++, left, right, 0);
        return place->second;
    }

    void add(BlockSymbol parent, BlockSymbol left, BlockSymbol right, float cost) {
        const auto [place, is_new] = binaries.try_emplace({{left, right}, parent}, cost);
        place->second = std::min(place->second, cost);
    }

    void add(BlockSymbol parent, const std::vector<BlockSymbol>& parts, float cost) {
        BlockSymbol left = parts[0];
        for (std::size_t i = 1; i + 1 < parts.size(); ++i)
            left = prefix(left, parts[i]);
        if (parts.size() > 1)
            return add(parent, left, parts.back(), cost);
        if (left == parent)
            return;
        const auto [place, is_new] = unaries.try_emplace({left, parent}, cost);
        place->second = std::min(place->second, cost);
    }
};

// A block bears a part of the cost of its rule: the more children it has, the more.
std::vector<double> shares_of(const Composition& composition) {
    std::vector<double> found;
    for (const Part& part : composition.parts) {
        if (part.opens)
            found.push_back(0);
        found.back() += 1 / static_cast<double>(composition.parts.size());
    }
    return found;
}

}  // namespace

BlockGrammar::BlockGrammar(const Grammar& grammar) {
    Collected collected;
    for (const std::size_t fan_out : grammar.fan_outs) {
        first_block_.push_back(collected.size);
        collected.size += static_cast<BlockSymbol>(fan_out);
    }
    start_ = first_block_[grammar.start];
    for (const Composition& composition : grammar.compositions)
        shares_.push_back(shares_of(composition));
    std::vector<BlockSymbol> parts;
    for (const Rule& rule : grammar.rules) {
        std::size_t block = 0;
        const auto add = [&] {
            const auto cost = static_cast<float>(rule.cost * share(rule.composition, block));
            collected.add(of(rule.left, block++), parts, cost);
            parts.clear();
        };
        for (const Part& part : grammar.compositions[rule.composition].parts) {
            if (part.opens && !parts.empty())
                add();
            parts.push_back(of(part.child == 0 ? rule.first : rule.second, part.block));
        }
        add();
    }
    size_ = collected.size;
    neighbours_.resize(size_);
    children_.resize(size_);
    unaries_.resize(size_);
    for (const auto& [key, cost] : collected.binaries) {  // the map sorts them by both children
        const auto& [pair, parent] = key;
        auto& neighbours = neighbours_[pair.first];
        const auto place = static_cast<std::uint32_t>(parents_.size());
        if (neighbours.empty() || neighbours.back().right != pair.second)
            neighbours.push_back({pair.second, place, place});
        ++neighbours.back().end;
        parents_.push_back({parent, cost});
        children_[parent].push_back({pair.first, pair.second, cost});
    }
    for (const auto& [pair, cost] : collected.unaries)
        unaries_[pair.first].push_back({pair.second, cost});
}

}  // namespace crossbranch::grammar

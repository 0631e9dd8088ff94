#include "transitions/gold_spans.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

namespace crossbranch {

namespace {

[[noreturn]] void refuse(const std::string& problem) {
    throw std::invalid_argument("a gold tree is not a tree: " + problem);
}

std::string numbered(const char* name, std::size_t vertex) {
    return std::string(name) + " " + std::to_string(vertex);
}

}  // namespace

Span span_of(const Forest& forest, const ForestNode& node) {
    Span span;
    for (std::uint32_t i = 0; i < node.block_count; ++i) {
        const auto [start, stop] = forest.block(node, i);
        span.set(Block{static_cast<Index>(start), static_cast<Index>(stop)});
    }
    return span;
}

GoldSpans::GoldSpans(std::int32_t token_count, std::span<const Vertex> parents,
                     std::span<const Label> labels, std::span<const Vertex> heads)
    : token_count_(token_count) {
    if (token_count < 1 || labels.empty())
        refuse("it has no tokens or no nodes");
    if (parents.size() != static_cast<std::size_t>(token_count) + labels.size() ||
        (!heads.empty() && heads.size() != labels.size()))
        refuse("its arrays have different lengths");
    read(parents, labels, heads);
    sort();
}

// From the last vertex to the first: children come before their parents.
void GoldSpans::read(std::span<const Vertex> parents, std::span<const Label> labels,
                     std::span<const Vertex> heads) {
    const auto tokens = static_cast<std::size_t>(token_count_);
    constituents_.resize(labels.size());
    std::vector<std::int32_t> head_tokens(parents.size(), no_vertex);
    for (std::size_t vertex = 0; vertex < tokens; ++vertex)
        head_tokens[vertex] = static_cast<std::int32_t>(vertex);
    const auto add = [&](std::size_t vertex, const Span& span) {
        const Vertex parent = parents[vertex];
        const auto place = static_cast<std::size_t>(parent) - tokens;
        if (parent < token_count_ || place >= labels.size() ||
            (vertex >= tokens && place + tokens >= vertex))
            refuse(numbered("vertex", vertex) + " has the parent " + std::to_string(parent));
        constituents_[place].span |= span;
    };
    for (std::size_t vertex = 0; vertex < tokens; ++vertex) {
        Span span;
        span.set(vertex);
        add(vertex, span);
    }
    if (parents[tokens] != no_vertex)
        refuse("its root has a parent");
    for (std::size_t place = labels.size(); place-- > 0;) {
        GoldConstituent& made = constituents_[place];
        const std::size_t vertex = tokens + place;
        if (made.span.empty())
            refuse(numbered("node", vertex) + " has no tokens");
        made.label = labels[place];
        made.vertex = static_cast<Vertex>(vertex);
        made.size = static_cast<std::int32_t>(made.span.count());
        made.last = static_cast<std::int32_t>(*made.span.last());
        made.head = static_cast<std::int32_t>(*made.span.first());
        if (!heads.empty()) {
            const auto head = static_cast<std::size_t>(heads[place]);
            if (heads[place] < 0 || head >= parents.size() ||
                parents[head] != static_cast<Vertex>(vertex))
                refuse(numbered("node", vertex) + " has the head " + std::to_string(heads[place]) +
                       ", which is not one of its children");
            made.head = head_tokens[head];
        }
        head_tokens[vertex] = made.head;
        if (place > 0)
            add(vertex, made.span);
    }
}

void GoldSpans::sort() {
    std::ranges::sort(constituents_, {},
                      [](const GoldConstituent& one) { return std::tuple(one.last, one.size); });
    for (std::size_t i = 1; i < size(); ++i)
        if (constituents_[i].span == constituents_[i - 1].span)
            throw std::invalid_argument("two nodes of a gold tree have the same tokens");
    first_from_.resize(static_cast<std::size_t>(token_count_));
    std::size_t first = 0;
    for (std::int32_t token = 0; token < token_count_; ++token) {
        while (constituents_[first].last < token)
            ++first;
        first_from_[static_cast<std::size_t>(token)] = first;
    }
}

std::size_t GoldSpans::find(const Forest& forest, const ForestNode& node) const {
    std::size_t i = first_from(node.last());
    while (i < size() && constituents_[i].last == node.last() && constituents_[i].size < node.size)
        ++i;
    const bool fits =
        i < size() && constituents_[i].last == node.last() && constituents_[i].size == node.size;
    return fits && constituents_[i].span == span_of(forest, node) ? i : size();
}

}  // namespace crossbranch

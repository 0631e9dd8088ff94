#include <map>
#include <set>
#include <tuple>

#include "check.hpp"
#include "transitions/forest.hpp"
#include "walks.hpp"

using namespace crossbranch;

namespace {

constexpr Label label = 3;

Forest forest_of(std::int32_t token_count) {
    Forest forest;
    forest.reset(token_count);
    return forest;
}

Vertex join(Forest& forest, Vertex left, Vertex right, Side head = Side::left) {
    return forest.make(label, false, left, right, head);
}

// The places of a node that is not discontinuous: no token in front of, in and after a gap.
bool has_no_gap_places(const ForestNode& node) {
    return node.places[gap_before] == 0 && node.places[gap_first] == 0 &&
           node.places[gap_last] == 0 && node.places[gap_after] == 0;
}

// What places should be, from the set of tokens alone.
bool fits(const ForestNode& node, const std::set<std::int32_t>& tokens, std::int32_t token_count) {
    const std::int32_t first = *tokens.begin();
    const std::int32_t last = *tokens.rbegin();
    std::uint32_t blocks = 0;
    std::vector<std::int32_t> starts;
    for (const std::int32_t token : tokens)
        if (!tokens.contains(token - 1)) {
            ++blocks;
            starts.push_back(token);
        }
    bool holds = node.first() == first && node.last() == last && node.block_count == blocks &&
                 node.size == static_cast<std::int32_t>(tokens.size()) &&
                 node.gap_length() == last - first + 1 - node.size &&
                 node.places[before_first] == first &&
                 node.places[after_last] == (last + 1 < token_count ? last + 2 : 0);
    if (blocks == 1)
        return holds && has_no_gap_places(node);
    std::int32_t stop = first;
    while (tokens.contains(stop))
        ++stop;
    return holds && node.places[gap_before] == stop && node.places[gap_first] == stop + 1 &&
           node.places[gap_last] == starts[1] && node.places[gap_after] == starts[1] + 1;
}

}  // namespace

TEST(tokens_know_their_neighbours) {
    const Forest forest = forest_of(3);
    CHECK(forest.token_count() == 3 && forest.node_count() == 3);
    for (Vertex token = 0; token < 3; ++token) {
        const ForestNode& node = forest.node(token);
        CHECK(node.is_token() && forest.is_firm(token));
        CHECK(node.head() == token && node.first() == token && node.last() == token);
        CHECK(node.places[before_first] == token);
        CHECK(node.places[after_last] == (token < 2 ? token + 2 : 0));
        CHECK(node.size == 1 && node.gap_length() == 0 && node.block_count == 1);
        CHECK(node.gap_type == GapType::none && has_no_gap_places(node));
    }
}

TEST(a_binary_node_has_the_head_of_one_side) {
    Forest forest = forest_of(4);
    const ForestNode left = forest.node(join(forest, 1, 2, Side::left));
    const ForestNode right = forest.node(join(forest, 1, 2, Side::right));
    CHECK(left.head() == 1 && right.head() == 2);
    for (const ForestNode& node : {left, right}) {
        CHECK(node.label == label && !node.is_token() && node.left == 1 && node.right == 2);
        CHECK(node.first() == 1 && node.last() == 2 && node.size == 2);
        CHECK(node.places[before_first] == 1 && node.places[after_last] == 4);
        CHECK(node.gap_type == GapType::none && has_no_gap_places(node));
    }
}

TEST(the_left_child_may_come_later_in_the_sentence) {
    Forest forest = forest_of(4);
    const ForestNode& node = forest.node(join(forest, 3, 0, Side::left));
    CHECK(node.head() == 3 && node.first() == 0 && node.last() == 3);
    CHECK(node.places[before_first] == 0 && node.places[after_last] == 0);
    CHECK(node.gap_length() == 2 && node.block_count == 2);
}

TEST(gaps_are_made_passed_on_and_filled) {
    Forest forest = forest_of(5);
    const Vertex open = join(forest, 0, 3);
    CHECK(forest.node(open).gap_type == GapType::pass);
    CHECK(fits(forest.node(open), {0, 3}, 5));
    const Vertex above = forest.make(label, false, open, no_vertex, Side::left);
    CHECK(forest.node(above).gap_type == GapType::pass);
    CHECK(fits(forest.node(above), {0, 3}, 5));
    CHECK(forest.node(above).left == open && forest.node(above).right == no_vertex);
    const Vertex longer = join(forest, above, 4);
    CHECK(forest.node(longer).gap_type == GapType::pass);
    CHECK(fits(forest.node(longer), {0, 3, 4}, 5));
    const Vertex smaller = join(forest, longer, 2);
    CHECK(forest.node(smaller).gap_type == GapType::pass);
    CHECK(fits(forest.node(smaller), {0, 2, 3, 4}, 5));
    const Vertex closed = join(forest, 1, smaller, Side::right);
    CHECK(forest.node(closed).gap_type == GapType::gap && forest.node(closed).head() == 0);
    CHECK(fits(forest.node(closed), {0, 1, 2, 3, 4}, 5));
    const Vertex unary = forest.make(label, false, closed, no_vertex, Side::left);
    CHECK(forest.node(unary).gap_type == GapType::none);
    CHECK(forest.node(join(forest, 0, 1)).gap_type == GapType::none);
}

TEST(nodes_may_have_many_blocks) {
    Forest forest = forest_of(12);
    Vertex vertex = 0;
    std::set<std::int32_t> tokens = {0};
    for (std::int32_t token = 2; token < 12; token += 2) {
        vertex = join(forest, vertex, token);
        tokens.insert(token);
        CHECK(fits(forest.node(vertex), tokens, 12));
    }
    CHECK(forest.node(vertex).block_count == 6);
    for (const std::int32_t token : {5, 9, 1, 7, 3}) {
        vertex = join(forest, token, vertex);
        tokens.insert(token);
        CHECK(fits(forest.node(vertex), tokens, 12));
    }
    CHECK(forest.node(vertex).block_count == 1);
    CHECK(forest.node(vertex).gap_type == GapType::gap);
}

TEST(two_nodes_may_fill_each_others_gaps) {
    Forest forest = forest_of(6);
    const Vertex odd = join(forest, join(forest, 1, 3), 5);
    const Vertex even = join(forest, 0, join(forest, 4, 2));
    CHECK(forest.node(odd).block_count == 3 && forest.node(even).block_count == 3);
    CHECK(fits(forest.node(join(forest, odd, even)), {0, 1, 2, 3, 4, 5}, 6));
}

TEST(random_trees_agree_with_sets_of_tokens) {
    std::mt19937_64 random(1);
    std::size_t widest = 0;
    Forest forest;
    for (int round = 0; round < 300; ++round) {
        const auto count = static_cast<std::int32_t>(2 + walks::draw(random, 16));
        forest.reset(count);
        std::map<Vertex, std::set<std::int32_t>> loose;
        for (std::int32_t token = 0; token < count; ++token)
            loose[token] = {token};
        while (loose.size() > 1) {
            auto one =
                std::next(loose.begin(), static_cast<int>(walks::draw(random, loose.size())));
            auto left = *one;
            loose.erase(one);
            if (walks::draw(random, 4) == 0) {
                loose[forest.make(label, false, left.first, no_vertex, Side::left)] = left.second;
                continue;
            }
            one = std::next(loose.begin(), static_cast<int>(walks::draw(random, loose.size())));
            left.second.insert(one->second.begin(), one->second.end());
            const Vertex made = join(forest, left.first, one->first);
            loose.erase(one);
            CHECK(fits(forest.node(made), left.second, count));
            widest = std::max<std::size_t>(widest, forest.node(made).block_count);
            loose[made] = left.second;
        }
    }
    CHECK(widest >= 6);
}

TEST(what_is_made_twice_is_shared) {
    Forest forest = forest_of(2);
    const Vertex made = join(forest, 0, 1);
    CHECK(join(forest, 0, 1) == made && forest.node_count() == 3);
    const std::set<Vertex> all = {
        made,
        join(forest, 0, 1, Side::right),
        join(forest, 1, 0),
        forest.make(label + 1, false, 0, 1, Side::left),
        forest.make(label, false, 0, no_vertex, Side::left),
        forest.make(label, false, 1, no_vertex, Side::left),
    };
    CHECK(all.size() == 6 && forest.node_count() == 8);
}

TEST(many_nodes_are_found_again) {
    Forest forest = forest_of(40);
    std::map<std::tuple<Label, Vertex, Vertex, Side>, Vertex> known;
    for (int round = 0; round < 2; ++round)
        for (Label some = 0; some < 3; ++some)
            for (Vertex left = 0; left < 40; ++left)
                for (Vertex right = no_vertex; right < 40; ++right)
                    for (const Side head : {Side::left, Side::right}) {
                        const Vertex made = forest.make(some, false, left, right, head);
                        const auto [place, is_new] =
                            known.try_emplace({some, left, right, head}, made);
                        CHECK(is_new == (round == 0) && place->second == made);
                    }
    CHECK(forest.node_count() == 40 + static_cast<std::int32_t>(known.size()));
}

TEST(another_sentence_starts_anew) {
    Forest forest = forest_of(200);
    Vertex vertex = 0;
    for (Vertex token = 2; token < 200; token += 2)
        vertex = join(forest, vertex, token);
    (void)forest.push(no_cell, vertex);
    for (const std::int32_t count : {3, 1, 300}) {
        forest.reset(count);
        CHECK(forest.token_count() == count && forest.node_count() == count);
        CHECK(forest.node(count - 1).places[after_last] == 0);
        CHECK(forest.push(no_cell, 0) == 0);
        const Vertex pair = forest.make(label, true, 0, count - 1, Side::left);
        CHECK(pair == count && !forest.is_firm(pair));
        CHECK(forest.node(pair).left == 0 && forest.node(pair).right == count - 1);
    }
}

TEST(cells_count_what_is_below) {
    Forest forest = forest_of(3);
    CHECK(forest.depth(no_cell) == 0 && forest.firm(no_cell) == 0);
    const Vertex temporary = forest.make(label, true, 0, 1, Side::left);
    const CellId bottom = forest.push(no_cell, temporary);
    const CellId one = forest.push(bottom, 2);
    const CellId other = forest.push(bottom, temporary);
    CHECK(forest.depth(bottom) == 1 && forest.firm(bottom) == 0);
    CHECK(forest.depth(one) == 2 && forest.firm(one) == 1);
    CHECK(forest.depth(other) == 2 && forest.firm(other) == 0);
    CHECK(forest.cell(one).vertex == 2 && forest.cell(one).below == bottom);
    CHECK(forest.cell(other).below == bottom);
}

#include <algorithm>
#include <stdexcept>

#include "check.hpp"
#include "evaluation/tree_distance.hpp"

using namespace crossbranch;

namespace {

// All trees with a number of vertices and labels 0 and 1, as pairs of labels and leftmost.
void grow_forests(Index size, std::vector<PostorderTree>& forests);

std::vector<PostorderTree> all_trees(Index size) {
    std::vector<PostorderTree> forests;
    grow_forests(size - 1, forests);
    std::vector<PostorderTree> trees;
    for (const PostorderTree& forest : forests) {
        for (const std::int64_t label : {0, 1}) {
            PostorderTree tree = forest;
            tree.labels.push_back(label);
            tree.leftmost.push_back(0);
            trees.push_back(tree);
        }
    }
    return trees;
}

void grow_forests(Index size, std::vector<PostorderTree>& forests) {
    if (size == 0) {
        forests.push_back({});
        return;
    }
    for (Index last = 1; last <= size; ++last) {
        std::vector<PostorderTree> rest;
        grow_forests(size - last, rest);
        for (const PostorderTree& left : rest) {
            for (const PostorderTree& right : all_trees(last)) {
                PostorderTree forest = left;
                for (Index vertex = 0; vertex < last; ++vertex) {
                    forest.labels.push_back(right.labels[vertex]);
                    forest.leftmost.push_back(right.leftmost[vertex] + left.labels.size());
                }
                forests.push_back(forest);
            }
        }
    }
}

// The definition: of two forests, remove a last root on either side, or match the two.
Index slow_distance(const PostorderTree& one, Index i, Index i_end, const PostorderTree& other,
                    Index j, Index j_end) {
    if (i == i_end || j == j_end)
        return (i_end - i) + (j_end - j);
    const Index a = i_end - 1;
    const Index b = j_end - 1;
    const Index removed = slow_distance(one, i, a, other, j, j_end) + 1;
    const Index added = slow_distance(one, i, i_end, other, j, b) + 1;
    const Index first_a = std::max(one.leftmost[a], i);
    const Index first_b = std::max(other.leftmost[b], j);
    const Index matched = slow_distance(one, first_a, a, other, first_b, b) +
                          slow_distance(one, i, first_a, other, j, first_b) +
                          (one.labels[a] == other.labels[b] ? 0 : 1);
    return std::min({removed, added, matched});
}

}  // namespace

TEST(the_distance_agrees_with_its_definition) {
    std::vector<PostorderTree> trees;
    for (Index size = 1; size <= 4; ++size)
        for (const PostorderTree& tree : all_trees(size))
            trees.push_back(tree);
    CHECK(trees.size() == 2 + 4 + 16 + 80);
    for (const PostorderTree& one : trees)
        for (const PostorderTree& other : trees)
            CHECK(tree_distance(one, other) ==
                  slow_distance(one, 0, one.labels.size(), other, 0, other.labels.size()));
}

TEST(the_example_of_zhang_and_shasha) {
    // f(d(a c(b)) e) and f(c(d(a b)) e)
    const PostorderTree one = {{'a', 'b', 'c', 'd', 'e', 'f'}, {0, 1, 1, 0, 4, 0}};
    const PostorderTree other = {{'a', 'b', 'd', 'c', 'e', 'f'}, {0, 1, 0, 0, 4, 0}};
    CHECK(tree_distance(one, other) == 2);
    CHECK(tree_distance(one, one) == 0);
}

TEST(an_empty_tree_is_as_far_as_the_other_is_large) {
    const PostorderTree tree = {{1, 2}, {0, 0}};
    CHECK(tree_distance({}, tree) == 2);
    CHECK(tree_distance(tree, {}) == 2);
    CHECK(tree_distance({}, {}) == 0);
}

TEST(what_is_no_tree_is_refused) {
    const PostorderTree tree = {{1}, {0}};
    using Error = std::invalid_argument;
    CHECK(check::throws<Error>([&] { (void)tree_distance({{1}, {}}, tree); }, "length"));
    CHECK(check::throws<Error>([&] { (void)tree_distance({{1, 1}, {1, 0}}, tree); }, "vertex 0"));
    CHECK(check::throws<Error>([&] { (void)tree_distance({{1, 1}, {0, 1}}, tree); }, "above all"));
    CHECK(check::throws<Error>([&] { (void)tree_distance(tree, {{1, 1, 1, 1}, {0, 1, 0, 1}}); },
                               "vertex 3"));
}

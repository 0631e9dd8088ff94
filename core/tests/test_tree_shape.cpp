#include <numeric>
#include <stdexcept>

#include "check.hpp"
#include "trees/tree_shape.hpp"

using namespace crossbranch;

namespace {

using Parents = std::vector<Parent>;
using Ignored = std::vector<Index>;
using Pairs = std::vector<TreeShape::NodePair>;

bool refuses(Index token_count, const Parents& parents, const char* message) {
    return check::throws<std::invalid_argument>([&] { TreeShape(token_count, parents); }, message);
}

// Tokens 0 2 below node 1, tokens 1 3 below node 2.
const TreeShape crossed(4, Parents{5, 6, 5, 6, -1, 4, 4});

}  // namespace

TEST(blocks_and_spans_of_all_nodes) {
    CHECK(crossed.token_count() == 4 && crossed.node_count() == 3);
    CHECK(crossed.blocks(0) == Blocks{{0, 4}});
    CHECK(crossed.blocks(1) == Blocks{{0, 1}, {2, 3}});
    CHECK(crossed.blocks(2) == Blocks{{1, 2}, {3, 4}});
    const std::vector<Span> spans = crossed.spans();
    for (Index node = 0; node < 3; ++node)
        CHECK(spans[node].blocks() == crossed.blocks(node));
    CHECK(check::throws<std::invalid_argument>([] { (void)crossed.blocks(3); }, "node 3"));
}

TEST(nodes_come_in_any_order) {
    const TreeShape shape(2, Parents{5, 4, -1, 2, 3, 4});  // root 2 - 3 - 4 - token 1, 5 - token 0
    CHECK(shape.blocks(1) == Blocks{{0, 2}});
    CHECK(shape.blocks(2) == Blocks{{0, 2}});
    CHECK(shape.blocks(3) == Blocks{{0, 1}});
}

TEST(fan_outs_without_ignored_tokens) {
    CHECK(crossed.fan_outs() == std::vector<Index>{1, 2, 2});
    CHECK(crossed.fan_outs(Ignored{1}) == std::vector<Index>{1, 1, 1});
    CHECK(crossed.fan_outs(Ignored{3}) == std::vector<Index>{1, 2, 1});
    CHECK(crossed.fan_outs(Ignored{0, 2}) == std::vector<Index>{1, 0, 1});
    CHECK(crossed.fan_outs(Ignored{0, 1, 2, 3}) == std::vector<Index>{0, 0, 0});
    CHECK(check::throws<std::invalid_argument>([] { (void)crossed.fan_outs(Ignored{4}); },
                                               "ignored token 4"));
}

TEST(ill_nested_nodes) {
    CHECK(crossed.ill_nested_pairs() == Pairs{{1, 2}});
    CHECK(crossed.is_ill_nested());
    CHECK(crossed.ill_nested_pairs(Ignored{0}).empty());
    CHECK(!crossed.is_ill_nested(Ignored{0}));
    const TreeShape nested(4, Parents{5, 6, 6, 5, -1, 4, 4});
    CHECK(!nested.is_ill_nested() && nested.ill_nested_pairs().empty());
    // A unary node above one of the two makes a second pair; the two of a chain make none.
    const TreeShape chain(4, Parents{7, 5, 7, 5, -1, 4, 4, 6});
    CHECK(chain.ill_nested_pairs() == Pairs{{1, 2}, {1, 3}});
}

TEST(an_empty_sentence_has_only_a_root) {
    const TreeShape shape(0, Parents{-1});
    CHECK(shape.fan_outs() == std::vector<Index>{0});
    CHECK(shape.spans().front().empty());
    CHECK(refuses(0, {}, "vertex 0 is missing"));
    CHECK(refuses(0, {-1, 0}, "vertex 1 is a node without children"));
}

TEST(what_is_no_tree_is_refused) {
    CHECK(refuses(2, {2, 2}, "vertex 2 is missing"));
    CHECK(refuses(2, {2, 2, 2}, "vertex 2 has parent 2, but it is the root"));
    CHECK(refuses(2, {2, 2, -1, -1}, "vertex 3 has parent -1, expected a node from 2 to 3"));
    CHECK(refuses(2, {2, 4, -1, 2}, "vertex 1 has parent 4"));
    CHECK(refuses(2, {2, 0, -1}, "vertex 1 has parent 0, which is a token"));
    CHECK(refuses(2, {2, 2, -1, 2}, "vertex 3 is a node without children"));
    CHECK(refuses(1, {1, -1, 2}, "vertex 2 is its own ancestor"));
    CHECK(refuses(2, {2, 4, -1, 4, 3}, "vertex 3 is its own ancestor"));
    CHECK(refuses(1, {3, -1, 3, 2}, "vertex 1 is a node without children"));
    CHECK(refuses(1, {1, -1, Parent{1} << 40}, "vertex 2 has parent 1099511627776"));
}

TEST(deep_trees_need_no_stack) {
    constexpr Index depth = 100'000;
    Parents branching(2 * depth);  // node k holds token k and node k + 1
    std::iota(branching.begin(), branching.begin() + depth, static_cast<Parent>(depth));
    branching[depth] = -1;
    std::iota(branching.begin() + depth + 1, branching.end(), static_cast<Parent>(depth));
    const TreeShape shape(depth, branching);
    CHECK(shape.blocks(depth / 2) == Blocks{{depth / 2, depth}});

    Parents unary(depth + 1);
    unary[0] = depth;
    std::iota(unary.begin() + 1, unary.end(), Parent{0});
    unary[1] = -1;
    CHECK(TreeShape(1, unary).blocks(depth - 1) == Blocks{{0, 1}});
}

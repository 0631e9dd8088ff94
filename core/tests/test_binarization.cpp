#include <algorithm>
#include <random>
#include <stdexcept>

#include "check.hpp"
#include "trees/binarization.hpp"

using namespace crossbranch;

namespace {

struct Cost {
    Index largest = 0;
    Index sum = 0;

    auto operator<=>(const Cost&) const = default;
};

using Children = std::vector<Blocks>;

Cost with_item(Cost cost, Index fan_out) {
    return {std::max(cost.largest, fan_out), cost.sum + fan_out};
}

// The best cost of merging items in every possible order.
Cost best_by_enumeration(const Children& items, Cost so_far = {}) {
    if (items.size() <= 2)
        return so_far;
    Cost best{items.size() * 1000, 0};
    for (Index i = 0; i < items.size(); ++i)
        for (Index j = i + 1; j < items.size(); ++j) {
            Children rest = items;
            rest[i] = unite(items[i], items[j]);
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(j));
            best = std::min(best, best_by_enumeration(rest, with_item(so_far, rest[i].size())));
        }
    return best;
}

// The cost of the merges; checks that they use every item once, the left one first.
Cost cost_of(const Children& children, const Binarization& binarization) {
    Children items = children;
    std::vector<bool> used(2 * children.size());
    Cost cost;
    for (const auto& [left, right] : binarization.merges) {
        CHECK(left != right && left < items.size() && right < items.size());
        CHECK(!used[left] && !used[right]);
        CHECK(items[left].front().start < items[right].front().start);
        used[left] = used[right] = true;
        items.push_back(unite(items[left], items[right]));
        if (items.size() < 2 * children.size() - 1)
            cost = with_item(cost, items.back().size());
    }
    CHECK(items.size() == 2 * children.size() - 1);
    return cost;
}

// Tokens are dealt to the children at random; some belong to none of them.
Children random_children(std::mt19937& random, Index child_count, Index token_count, bool holes) {
    Children children(child_count);
    for (Index token = 0; token < token_count; ++token)
        if (const Index owner = random() % (child_count + holes); owner < child_count)
            children[owner].push_back({token, token + 1});
    for (Index child = 0; child < child_count; ++child) {
        if (children[child].empty())
            children[child].push_back({token_count + child, token_count + child + 1});
        normalize(children[child]);
    }
    return children;
}

Children separate_children(Index count, Index step) {
    Children children;
    for (Index child = 0; child < count; ++child)
        children.push_back({{child * step, child * step + 1}});
    return children;
}

}  // namespace

TEST(agrees_with_enumeration) {
    std::mt19937 random(1);
    for (Index child_count = 2; child_count <= 6; ++child_count)
        for (int round = 0; round < (child_count < 6 ? 300 : 60); ++round) {
            const Index token_count = child_count + random() % (2 * child_count);
            const Children children =
                random_children(random, child_count, token_count, round % 2 == 0);
            const Binarization found = optimal_binarization(children);
            CHECK(found.exact);
            CHECK(cost_of(children, found) == best_by_enumeration(children));
        }
}

TEST(the_largest_fan_out_counts_before_the_sum) {
    // With an item of fan-out 6, a sum of 18 would be within reach.
    const std::vector<std::vector<Index>> tokens = {
        {0, 2, 5, 9, 19, 21},  {14, 22}, {1, 16},    {11, 13},
        {3, 6, 8, 10, 12, 20}, {4, 18},  {7, 15, 17}};
    Children children;
    for (const auto& child : tokens) {
        Blocks& blocks = children.emplace_back();
        for (const Index token : child)
            blocks.push_back({token, token + 1});
    }
    CHECK(cost_of(children, optimal_binarization(children)) == Cost{5, 19});
}

TEST(few_children) {
    CHECK(optimal_binarization({}).merges.empty());
    CHECK(optimal_binarization({{{0, 1}, {2, 3}}}).merges.empty());
    const Binarization two = optimal_binarization({{{3, 4}}, {{0, 1}}});
    CHECK(two.merges == std::vector<std::pair<Index, Index>>{{1, 0}});
}

TEST(among_equals_the_left_merges_first) {
    const Binarization found = optimal_binarization(separate_children(4, 1));
    CHECK(found.merges == std::vector<std::pair<Index, Index>>{{0, 1}, {4, 2}, {5, 3}});
}

TEST(many_continuous_children_are_exact) {
    const Children children = separate_children(20'000, 1);
    const Binarization found = optimal_binarization(children);
    CHECK(found.exact);
    CHECK(found.merges.size() == children.size() - 1);
}

TEST(runs_between_discontinuous_children_are_exact) {
    // Child 0 covers both ends, and 200 children fill its gap.
    Children children = separate_children(202, 1);
    children[0].push_back(children[201].front());
    children.pop_back();
    const Binarization found = optimal_binarization(children);
    CHECK(found.exact);
    CHECK(cost_of(children, found) == Cost{1, 199});
}

TEST(beyond_the_limit_it_is_greedy_and_says_so) {
    std::mt19937 random(2);
    for (int round = 0; round < 20; ++round) {
        const Children children = random_children(random, 30, 90, true);
        const Binarization found = optimal_binarization(children, 50);
        CHECK(!found.exact);
        (void)cost_of(children, found);
    }
    const Children apart = separate_children(16, 2);
    const Binarization found = optimal_binarization(apart, 50);
    CHECK(!found.exact);
    CHECK(cost_of(apart, found).largest == 8);
}

TEST(what_is_no_list_of_children_is_refused) {
    const auto refuses = [](const Children& children, const char* message) {
        return check::throws<std::invalid_argument>([&] { (void)optimal_binarization(children); },
                                                    message);
    };
    CHECK(refuses({{{0, 1}}, {}}, "child 1 has no blocks"));
    CHECK(refuses({{{0, 1}}, {{3, 3}}}, "child 1 has the empty block (3, 3)"));
    CHECK(refuses({{{4, 2}}}, "child 0 has the empty block (4, 2)"));
    CHECK(refuses({{{0, 3}}, {{2, 4}}}, "child 1 shares token 2 with child 0"));
}

#include "check.hpp"
#include "trees/blocks.hpp"

using namespace crossbranch;

TEST(normalize_sorts_and_joins) {
    Blocks blocks = {{4, 5}, {0, 1}, {1, 3}, {7, 9}, {5, 6}};
    normalize(blocks);
    CHECK(blocks == Blocks{{0, 3}, {4, 6}, {7, 9}});
    Blocks none;
    normalize(none);
    CHECK(none.empty());
}

TEST(the_union_joins_what_touches) {
    const Blocks a = {{0, 1}, {2, 3}, {6, 7}};
    const Blocks b = {{1, 2}, {4, 5}, {7, 8}};
    CHECK(unite(a, b) == Blocks{{0, 3}, {4, 5}, {6, 8}});
    CHECK(unite(b, a) == unite(a, b));
    CHECK(united_fan_out(a, b) == 3);
    CHECK(united_fan_out(a, {}) == 3);
    CHECK(unite({}, b) == b);
}

TEST(ill_nested_means_that_each_reaches_into_a_gap_of_the_other) {
    CHECK(are_ill_nested({{0, 1}, {2, 3}}, {{1, 2}, {3, 4}}));
    CHECK(are_ill_nested({{1, 2}, {3, 4}}, {{0, 1}, {2, 3}}));
    CHECK(are_ill_nested({{0, 1}, {4, 5}}, {{2, 3}, {8, 9}}));
    CHECK(!are_ill_nested({{0, 1}, {4, 5}}, {{1, 2}, {3, 4}}));
    CHECK(!are_ill_nested({{0, 1}, {2, 3}}, {{5, 6}, {7, 8}}));
    CHECK(!are_ill_nested({{0, 1}, {4, 5}, {6, 7}}, {{2, 3}}));
}

TEST(spans_that_overlap_are_not_ill_nested) {
    CHECK(!are_ill_nested({{0, 2}, {4, 6}}, {{1, 2}, {5, 6}}));
    CHECK(!are_ill_nested({{0, 1}, {2, 3}}, {{0, 1}, {2, 3}}));
    CHECK(!are_ill_nested({{0, 1}, {2, 3}, {4, 5}}, {{0, 1}, {4, 5}}));
}

#include <random>
#include <set>
#include <unordered_set>

#include "check.hpp"
#include "trees/span.hpp"

using namespace crossbranch;

namespace {

Span span_of(const std::set<Index>& indices) {
    Span span;
    for (const Index index : indices)
        span.set(index);
    return span;
}

std::set<Index> random_set(std::mt19937& random, Index size) {
    std::set<Index> indices;
    const Index percent = random() % 101;
    for (Index index = 0; index < size; ++index)
        if (random() % 100 < percent)
            indices.insert(index);
    return indices;
}

Blocks blocks_by_walking(const std::set<Index>& indices) {
    Blocks blocks;
    for (const Index index : indices)
        if (!blocks.empty() && blocks.back().stop == index)
            ++blocks.back().stop;
        else
            blocks.push_back({index, index + 1});
    return blocks;
}

// Around the borders of words, and of what is stored in the object itself.
const std::vector<Index> sizes = {1, 2, 63, 64, 65, 127, 128, 129, 192, 300};

}  // namespace

TEST(an_empty_span) {
    const Span span;
    CHECK(span.empty());
    CHECK(span.count() == 0);
    CHECK(span.fan_out() == 0);
    CHECK(span.blocks().empty());
    CHECK(!span.first() && !span.last());
    CHECK(!span.test(0) && !span.test(1000));
    CHECK(span == Span());
    CHECK(span.contains(span));
    CHECK(!span.intersects(span));
}

TEST(agrees_with_a_set) {
    std::mt19937 random(1);
    for (const Index size : sizes)
        for (int round = 0; round < 50; ++round) {
            const std::set<Index> indices = random_set(random, size);
            const Span span = span_of(indices);
            CHECK(span.count() == indices.size());
            CHECK(span.empty() == indices.empty());
            for (Index index = 0; index < size + 70; ++index)
                CHECK(span.test(index) == indices.contains(index));
            CHECK(span.blocks() == blocks_by_walking(indices));
            CHECK(span.fan_out() == span.blocks().size());
            if (!indices.empty()) {
                CHECK(*span.first() == *indices.begin());
                CHECK(*span.last() == *indices.rbegin());
            }
        }
}

TEST(operations_on_two_spans_agree_with_sets) {
    std::mt19937 random(2);
    for (const Index size : sizes)
        for (const Index other_size : sizes) {
            const std::set<Index> a = random_set(random, size);
            const std::set<Index> b = random_set(random, other_size);
            std::set<Index> both = a;
            both.insert(b.begin(), b.end());
            CHECK((span_of(a) | span_of(b)) == span_of(both));
            CHECK(span_of(both).contains(span_of(a)));
            CHECK(span_of(a).contains(span_of(b)) == (both == a));
            CHECK(span_of(a).intersects(span_of(b)) == (both.size() < a.size() + b.size()));
            CHECK((span_of(a) == span_of(b)) == (a == b));
        }
}

TEST(a_block_sets_all_its_indices) {
    for (const Index start : sizes)
        for (const Index stop : sizes) {
            if (start >= stop)
                continue;
            Span span;
            span.set(Block{start, stop});
            CHECK(span.blocks() == Blocks{{start, stop}});
            CHECK(span.count() == stop - start);
        }
}

TEST(equal_spans_have_equal_hashes_and_others_mostly_not) {
    std::unordered_set<Span> spans;
    std::unordered_set<std::size_t> hashes;
    for (Index i = 0; i < 200; ++i)
        for (Index j = i; j < 200; ++j) {
            CHECK(span_of({i, j}).hash() == span_of({j, i}).hash());
            spans.insert(span_of({i, j}));
            hashes.insert(span_of({i, j}).hash());
        }
    CHECK(spans.size() == 200 * 201 / 2);
    CHECK(hashes.size() == spans.size());
}

TEST(a_span_is_a_value) {
    Span span = span_of({1, 500});
    Span copy = span;
    copy.set(7);
    CHECK(!span.test(7) && copy.test(7));
    const Span moved = std::move(copy);
    CHECK(moved == span_of({1, 7, 500}));
    span = moved;
    CHECK(span == moved);
    span = Span();
    CHECK(span.empty() && !moved.empty());
}

#include <limits>
#include <vector>

#include "base/vectors.hpp"
#include "check.hpp"
#include "walks.hpp"

using namespace crossbranch;

// All sizes around the widths of vectors, with something behind that must not change.
constexpr std::size_t most = 70;
constexpr std::int32_t untouched = -77;

TEST(weights_are_added_whatever_their_number) {
    std::mt19937_64 random(1);
    std::vector<std::int16_t> weights(most);
    for (auto& weight : weights)
        weight = static_cast<std::int16_t>(random());
    weights[0] = std::numeric_limits<std::int16_t>::min();
    weights[1] = std::numeric_limits<std::int16_t>::max();
    for (std::size_t count = 0; count <= most; ++count) {
        std::vector<std::int32_t> sums(most + 1, untouched);
        add_weights(weights.data(), sums.data(), count);
        add_weights(weights.data(), sums.data(), count);
        for (std::size_t i = 0; i <= most; ++i)
            CHECK(sums[i] == untouched + (i < count ? 2 * weights[i] : 0));
    }
}

TEST(rows_are_summed_whatever_their_number) {
    std::mt19937_64 random(2);
    for (const std::size_t stride : {vector_width, 2 * vector_width, 5 * vector_width}) {
        std::vector<std::int32_t> rows(9 * stride);
        for (auto& value : rows)
            value = static_cast<std::int32_t>(random() % 1'000'000) - 500'000;
        const std::vector<std::uint32_t> chosen = {3, 0, 8, 3};
        for (std::size_t used = 0; used <= chosen.size(); ++used) {
            for (std::size_t begin = 0; begin <= stride; begin += vector_width) {
                for (std::size_t end = begin; end <= stride; end += vector_width) {
                    std::vector<std::int32_t> sums(stride + 1, untouched);
                    sum_rows(rows.data(), stride, std::span(chosen).first(used), begin, end,
                             sums.data());
                    for (std::size_t i = 0; i <= stride; ++i) {
                        std::int32_t expected = 0;
                        for (std::size_t row = 0; row < used && i < stride; ++row)
                            expected += rows[chosen[row] * stride + i];
                        CHECK(sums[i] == (i >= begin && i < end ? expected : untouched));
                    }
                }
            }
        }
    }
}

TEST(the_first_value_above_a_limit_is_found) {
    std::vector<std::int32_t> values(most, 5);
    for (std::size_t begin = 0; begin <= most; ++begin) {
        for (std::size_t place = 0; place < most; ++place) {
            values[place] = 6;
            for (const std::size_t end : {begin, std::max(begin, most - 3), most}) {
                const bool is_inside = place >= begin && place < end;
                CHECK(find_above(values.data(), begin, end, 5) == (is_inside ? place : end));
                CHECK(find_above(values.data(), begin, end, 6) == end);
                CHECK(find_above(values.data(), begin, end, 4) == begin);
            }
            values[place] = 5;
        }
    }
    constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
    values.assign(most, lowest);
    CHECK(find_above(values.data(), 0, most, lowest) == most);
    values.back() = lowest + 1;
    CHECK(find_above(values.data(), 0, most, lowest) == most - 1);
}

#include <cmath>
#include <map>

#include "check.hpp"
#include "linear/learned_weights.hpp"
#include "linear/packing.hpp"
#include "scores.hpp"
#include "walks.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

constexpr std::size_t tag_count = 40;
constexpr std::uint32_t scale = 8;

using Known = std::map<Feature, std::map<std::int32_t, std::int32_t>>;

// Features with 1 to 30 weights, about half of them dense.
Known random_features(std::mt19937_64& random, std::size_t count) {
    Known known;
    while (known.size() < count) {
        auto& weights = known[random()];
        for (std::size_t i = 1 + draw(random, 30); i > 0; --i)
            weights[static_cast<std::int32_t>(draw(random, tag_count))] =
                (draw(random, 2) == 0 ? 1 : -1) * (static_cast<std::int32_t>(draw(random, 90)) + 1);
    }
    return known;
}

LearnedWeights learn(const Known& known) {
    LearnedWeights learned;
    for (const auto& [feature, weights] : known)
        for (const auto& [tag, weight] : weights)
            learned.update(feature, tag, weight, 1);
    return learned;
}

Weights make(const Known& known, double prune = 0) {
    return learn(known).average(1, prune, tag_count);
}

bool agrees(const Weights& weights, const Known& known) {
    for (const auto& [feature, expected] : known) {
        const auto scores = scores_of(weights, {feature}, tag_count);
        for (std::size_t tag = 0; tag < tag_count; ++tag) {
            const auto found = expected.find(static_cast<std::int32_t>(tag));
            const std::int32_t weight = found == expected.end() ? 0 : found->second;
            if (scores[tag] != weight * static_cast<std::int32_t>(scale))
                return false;
        }
    }
    return true;
}

bool refuses(std::string_view bytes, const char* message, std::size_t tags = tag_count) {
    return check::throws<std::invalid_argument>([&] { (void)unpack(bytes, tags); }, message);
}

std::string bytes_of(std::initializer_list<int> numbers) {
    std::string bytes;
    for (const int number : numbers)
        bytes.push_back(static_cast<char>(number));
    return bytes;
}

}  // namespace

TEST(packed_weights_are_the_same_weights) {
    std::mt19937_64 random(1);
    for (const std::size_t count : {0, 1, 2, 50, 3000}) {
        const Known known = random_features(random, count);
        const Weights weights = unpack(pack(make(known), scale), tag_count);
        CHECK(weights.feature_count() == count);
        CHECK(weights.transition_count() == tag_count);
        CHECK(weights.scale() == scale);
        CHECK(agrees(weights, known));
    }
}

TEST(packing_what_was_packed_changes_nothing) {
    std::mt19937_64 random(2);
    const std::string bytes = pack(make(random_features(random, 500)), scale);
    CHECK(pack(unpack(bytes, tag_count), scale) == bytes);
}

TEST(pruned_weights_need_no_more_buckets) {
    std::mt19937_64 random(3);
    Known known = random_features(random, 4000);
    Known large;
    for (auto& [feature, weights] : known) {
        for (auto& [tag, weight] : weights)
            weight = weight > 0 ? 1 : -1;
        if (large.size() < 20) {
            weights = {{7, 50}};
            large[feature] = weights;
        }
    }
    const Weights before = make(known, 10);
    const Weights after = unpack(pack(before, scale), tag_count);
    CHECK(after.starts().size() == before.starts().size());
    CHECK(after.feature_count() == large.size());
    CHECK(agrees(after, large));
}

TEST(weights_that_are_too_small_for_the_scale_are_left_out) {
    LearnedWeights learned;
    learned.update(77, 3, 1, 1);
    learned.update(77, 4, 100, 1);
    learned.update(std::uint64_t{1} << 63U, 4, 1, 1);
    const Weights averaged = learned.average(1, 0, tag_count);
    CHECK(unpack(pack(averaged, 1), tag_count).weight_count() == 3);
    const double tenth = averaged.scale() * 10;  // all weights are a tenth of what they were
    const Weights smaller({averaged.starts().begin(), averaged.starts().end()},
                          {averaged.data().begin(), averaged.data().end()}, tenth, tag_count);
    CHECK(unpack(pack(smaller, 1), tag_count).weight_count() == 1);
}

TEST(few_weights_of_many_can_be_read_again) {
    std::mt19937_64 random(6);
    LearnedWeights learned;
    for (std::size_t i = 0; i < 100'000; ++i)
        learned.update(random(), 3, 1, 1);
    learned.update(77, 4, 100, 1);
    const Weights averaged = learned.average(1, 0, tag_count);
    const Weights smaller({averaged.starts().begin(), averaged.starts().end()},
                          {averaged.data().begin(), averaged.data().end()}, averaged.scale() * 10,
                          tag_count);
    const Weights again = unpack(pack(smaller, 1), tag_count);
    CHECK(again.weight_count() == 1);
    CHECK(scores_of(again, {Feature{77}}, tag_count)[4] == 10);
}

TEST(no_number_of_features_has_more_buckets_than_can_be_read) {
    CHECK(bucket_bits(0) == 2);
    CHECK(bucket_bits(10'000) == 14);
    CHECK(bucket_bits(20'000'000) == 24);
    CHECK(bucket_bits(std::size_t{1} << 40U) == 24);
}

TEST(bytes_that_are_cut_off_are_refused_or_whole) {
    std::mt19937_64 random(4);
    const std::string bytes = pack(make(random_features(random, 30)), scale);
    std::size_t whole = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        try {
            whole +=
                unpack(std::string_view(bytes).substr(0, size), tag_count).feature_count() < 30;
        } catch (const std::invalid_argument&) {
        }
    }
    CHECK(whole <= 30);  // only between two features
}

TEST(damaged_bytes_are_refused_or_are_weights) {
    std::mt19937_64 random(5);
    const std::string bytes = pack(make(random_features(random, 40)), scale);
    std::size_t refused = 0;
    for (std::size_t round = 0; round < 3000; ++round) {
        std::string damaged = bytes;
        for (std::size_t i = 1 + draw(random, 3); i > 0; --i)
            damaged[draw(random, damaged.size())] = static_cast<char>(draw(random, 256));
        try {
            const Weights weights = unpack(damaged, tag_count);
            CHECK(weights.transition_count() == tag_count);
        } catch (const std::invalid_argument&) {
            ++refused;
        }
    }
    CHECK(refused > 0);
}

TEST(what_is_wrong_is_said) {
    CHECK(refuses("", "too early"));
    CHECK(refuses(bytes_of({4}), "too early"));
    CHECK(refuses(bytes_of({0, 8}), "0 bits"));
    CHECK(refuses(bytes_of({24, 8}), "24 bits"));
    CHECK(refuses(bytes_of({25, 8}), "the number 25"));
    CHECK(refuses(bytes_of({2, 0}), "scale"));
    CHECK(refuses(bytes_of({2, 8, 0, 1, 40, 2}), "the number 40"));
    CHECK(refuses(bytes_of({2, 8, 0, 2, 39, 2, 1, 2}), "a transition that is not there"));
    CHECK(refuses(bytes_of({2, 8, 0, 41}), "the number 41"));
    CHECK(refuses(bytes_of({2, 8, 0, 2, 3, 2, 0, 2}), "the same transition twice"));
    CHECK(refuses(bytes_of({2, 8, 0, 1, 3, 0}), "one that is 0"));
    CHECK(refuses(bytes_of({2, 8, 0, 1, 3, 1}), "one that is 0"));
    CHECK(refuses(bytes_of({2, 8, 0, 0}), "without any"));
    CHECK(refuses(bytes_of({2, 8, 0x80, 0x80, 0x10}), "beyond the last bucket"));
    CHECK(refuses(std::string("\2\x8", 2) + std::string(12, '\xff'), "does not end"));
    CHECK(refuses(bytes_of({2, 8}), "at least one transition", 0));
    CHECK(check::throws<std::invalid_argument>([] { (void)pack(make({}), 0); }, "scale"));
}

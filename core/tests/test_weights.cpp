#include <cmath>
#include <limits>
#include <map>

#include "check.hpp"
#include "linear/weights.hpp"
#include "scores.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

constexpr std::size_t transition_count = 40;

using Pairs = std::map<std::int32_t, std::int32_t>;
using Known = std::map<Feature, Pairs>;

// Features with 1 to 30 weights, about half of them dense.
Known random_features(std::mt19937_64& random, std::size_t count) {
    Known known;
    while (known.size() < count) {
        Pairs& pairs = known[random()];
        for (std::size_t i = 1 + draw(random, 30); i > 0; --i)
            pairs[static_cast<std::int32_t>(draw(random, transition_count))] =
                static_cast<std::int32_t>(draw(random, 7)) + 1;
    }
    return known;
}

Weights pack(const Known& known) {
    LearnedWeights learned;
    for (const auto& [feature, pairs] : known)
        for (const auto& [transition, weight] : pairs)
            learned.update(feature, transition, weight, 1);
    return learned.average(1, 0, transition_count);
}

Table<std::uint32_t> starts_of(const Weights& weights) {
    return {weights.starts().begin(), weights.starts().end()};
}

Table<std::uint16_t> data_of(const Weights& weights) {
    return {weights.data().begin(), weights.data().end()};
}

bool refuses(Table<std::uint32_t> starts, Table<std::uint16_t> data, const char* message,
             double scale = 1, std::size_t count = transition_count) {
    return check::throws<std::invalid_argument>(
        [&] { Weights(std::move(starts), std::move(data), scale, count); }, message);
}

bool agrees(const Weights& weights, const Known& known) {
    return std::ranges::all_of(known, [&](const auto& item) {
        const auto scores = scores_of(weights, {item.first}, transition_count);
        for (std::int32_t t = 0; t < static_cast<std::int32_t>(transition_count); ++t) {
            const auto found = item.second.find(t);
            const double expected = found == item.second.end() ? 0 : found->second;
            if (scores[static_cast<std::size_t>(t)] != std::lround(expected * weights.scale()))
                return false;
        }
        return true;
    });
}

// Uses damaged weights in every way, for sanitizers to watch.
void use(const Weights& weights, std::mt19937_64& random) {
    std::vector<Feature> features(200);
    for (Feature& feature : features)
        feature = random();
    (void)scores_of(weights, features, transition_count);
}

}  // namespace

TEST(packed_weights_are_those_that_were_learned) {
    std::mt19937_64 random(1);
    for (const std::size_t count : {1, 2, 50, 3'000}) {
        const Known known = random_features(random, count);
        const Weights weights = pack(known);
        CHECK(weights.feature_count() == count);
        CHECK(agrees(weights, known));
    }
}

TEST(one_weight_and_all_weights) {
    Known known;
    known[5][39] = -3;
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(transition_count); ++t)
        known[~Feature{0}][t] = t - 20 == 0 ? 1 : t - 20;
    const Weights weights = pack(known);
    CHECK(agrees(weights, known) && weights.weight_count() == 41);
}

TEST(saved_weights_come_back) {
    std::mt19937_64 random(2);
    const Known known = random_features(random, 500);
    const Weights weights = pack(known);
    const Weights again(starts_of(weights), data_of(weights), weights.scale(), transition_count);
    CHECK(agrees(again, known) && again.scale() == weights.scale());
    CHECK(again.feature_count() == weights.feature_count());
    CHECK(again.weight_count() == weights.weight_count());
    CHECK(starts_of(again) == starts_of(weights) && data_of(again) == data_of(weights));
}

TEST(features_without_weights_add_nothing) {
    std::mt19937_64 random(3);
    const Weights weights = pack(random_features(random, 300));
    int wrong = 0;
    for (int round = 0; round < 20'000; ++round) {
        const auto scores = scores_of(weights, {random()}, transition_count);
        wrong += std::ranges::any_of(scores, [](std::int32_t score) { return score != 0; });
    }
    CHECK(wrong <= 10);  // 16 bits tell the features of a bucket apart: about one is expected
}

TEST(few_features_without_weights_are_expected) {
    std::mt19937_64 random(5);
    const Weights weights = pack(random_features(random, 300));
    int expected = 0;
    for (int round = 0; round < 10'000; ++round)
        expected += weights.expect(random()) ? 1 : 0;
    CHECK(expected > 0 && expected < 1'000);  // the filter has at least 22 bits for each feature
}

TEST(no_weights_at_all) {
    const Weights weights = pack({});
    CHECK(weights.feature_count() == 0 && weights.weight_count() == 0 && weights.data().empty());
    CHECK(scores_of(weights, {0, 1, ~Feature{0}}, 3) == std::vector<std::int32_t>(3));
}

TEST(weights_that_are_cut_off_or_go_on_are_refused) {
    std::mt19937_64 random(4);
    const Weights weights = pack(random_features(random, 20));
    const auto starts = starts_of(weights);
    const auto data = data_of(weights);
    for (std::size_t size = 0; size < data.size(); ++size)
        CHECK(
            refuses(starts, {data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size)}, ""));
    auto longer = data;
    longer.push_back(0);
    CHECK(refuses(starts, longer, ""));
    for (std::size_t size = 0; size < starts.size(); ++size)
        CHECK(refuses({starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(size)}, data,
                      ""));
    CHECK(refuses({}, {}, "power of two") && refuses({0, 0}, {}, "power of two"));
    CHECK(refuses({0, 0, 0, 0}, {}, "power of two") && !refuses({0, 0, 0}, {}, ""));
}

TEST(buckets_that_start_elsewhere_are_refused) {
    std::mt19937_64 random(5);
    const Weights weights = pack(random_features(random, 20));
    const auto data = data_of(weights);
    for (std::size_t i = 0; i + 1 < weights.starts().size(); ++i)
        for (const int change : {-1, 1, 1'000'000}) {
            auto starts = starts_of(weights);
            starts[i] += static_cast<std::uint32_t>(change);
            CHECK(refuses(starts, data, ""));
        }
}

TEST(the_last_bucket_ends_where_the_data_end) {
    Known known;
    known[7][12] = 1;  // in the first bucket: the last one is empty
    const Weights weights = pack(known);
    for (std::uint32_t end = 0; end < weights.data().size(); ++end) {
        auto starts = starts_of(weights);
        starts.back() = end;
        CHECK(refuses(starts, data_of(weights), ""));
    }
}

TEST(transitions_and_scales_that_cannot_be_are_refused) {
    Known known;
    known[7][12] = 1;
    const Weights weights = pack(known);
    const auto starts = starts_of(weights);
    const auto data = data_of(weights);
    CHECK(refuses(starts, data, "a transition that is not there", 1, 12));
    CHECK(!refuses(starts, data, "", 1, 13));
    for (const double scale : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity()})
        CHECK(refuses(starts, data, "scale", scale));
}

TEST(damaged_weights_are_refused_or_harmless) {
    std::mt19937_64 random(6);
    const Weights weights = pack(random_features(random, 30));
    int refused = 0;
    for (int round = 0; round < 3'000; ++round) {
        auto starts = starts_of(weights);
        auto data = data_of(weights);
        for (std::size_t changes = 1 + draw(random, 3); changes > 0; --changes) {
            if (draw(random, 4) == 0)
                starts[draw(random, starts.size())] =
                    static_cast<std::uint32_t>(draw(random, data.size() + 5));
            else
                data[draw(random, data.size())] =
                    static_cast<std::uint16_t>(draw(random, 3) == 0 ? 0xffff : draw(random, 64));
        }
        try {
            use(Weights(std::move(starts), std::move(data), 1, transition_count), random);
        } catch (const std::invalid_argument&) {
            ++refused;
        }
    }
    CHECK(refused > 500 && refused < 3'000);
}

TEST(random_bytes_are_refused_or_harmless) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 3'000; ++round) {
        Table<std::uint32_t> starts((std::size_t{1} << draw(random, 5)) + 1);
        Table<std::uint16_t> data(draw(random, 60));
        for (auto& start : starts)
            start = static_cast<std::uint32_t>(draw(random, data.size() + 1));
        std::ranges::sort(starts);
        for (auto& word : data)
            word = static_cast<std::uint16_t>(draw(random, 5));
        try {
            use(Weights(std::move(starts), std::move(data), 1, draw(random, transition_count)),
                random);
        } catch (const std::invalid_argument&) {
        }
    }
}

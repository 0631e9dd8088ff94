#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "base/hashing.hpp"
#include "check.hpp"
#include "linear/learned_weights.hpp"
#include "scores.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

constexpr std::size_t transition_count = 30;

using Key = std::pair<Feature, std::int32_t>;

struct Update {
    Feature feature;
    std::int32_t transition;
    std::int32_t change;
    std::int64_t time;
};

// Several updates at each time, few features and transitions, so that many meet.
std::vector<Update> random_updates(std::mt19937_64& random, std::int64_t times) {
    std::vector<Feature> features(40);
    for (Feature& feature : features)
        feature = random();
    std::vector<Update> updates;
    for (std::int64_t time = 1; time <= times; ++time)
        for (std::size_t i = draw(random, 30); i > 0; --i)
            updates.push_back({features[draw(random, features.size())],
                               static_cast<std::int32_t>(draw(random, transition_count)),
                               static_cast<std::int32_t>(draw(random, 7)) - 3, time});
    return updates;
}

LearnedWeights learn(const std::vector<Update>& updates, std::uint8_t min_update = 0) {
    LearnedWeights weights(min_update);
    for (const auto& [feature, transition, change, time] : updates)
        weights.update(feature, transition, change, time);
    return weights;
}

// The mean of each weight after every time from 1 on, added up one by one.
std::map<Key, double> naive_average(const std::vector<Update>& updates, std::int64_t times) {
    std::map<Key, std::int64_t> weights;
    std::map<Key, double> sums;
    auto next = updates.begin();
    for (std::int64_t time = 1; time <= times; ++time) {
        for (; next != updates.end() && next->time == time; ++next)
            weights[{next->feature, next->transition}] += next->change;
        for (const auto& [key, weight] : weights)
            sums[key] += static_cast<double>(weight);
    }
    for (auto& [key, sum] : sums)
        sum /= static_cast<double>(times);
    return sums;
}

std::int32_t score(const auto& weights, Feature feature, std::int32_t transition) {
    return scores_of(weights, {feature}, transition_count)[static_cast<std::size_t>(transition)];
}

bool is_same(const Weights& one, const Weights& other) {
    return std::ranges::equal(one.starts(), other.starts()) &&
           std::ranges::equal(one.data(), other.data()) && one.scale() == other.scale();
}

bool refuses(LearnedWeights& weights, std::string_view state) {
    return check::throws<std::invalid_argument>([&] { weights.restore(state, transition_count); },
                                                "the state of a training");
}

}  // namespace

TEST(weights_are_what_was_added) {
    std::mt19937_64 random(1);
    const auto updates = random_updates(random, 100);
    const LearnedWeights weights = learn(updates);
    std::map<Key, std::int32_t> naive;
    for (const auto& [feature, transition, change, time] : updates)
        naive[{feature, transition}] += change;
    for (const auto& [key, weight] : naive)
        CHECK(score(weights, key.first, key.second) == weight);
    CHECK(scores_of(weights, {1, 2, 3}, 5) == std::vector<std::int32_t>(5));
}

TEST(averages_are_those_over_time) {
    std::mt19937_64 random(2);
    for (const std::int64_t times : {1, 2, 17, 200}) {
        const auto updates = random_updates(random, times);
        for (const std::int64_t end : {times, 3 * times}) {
            const Weights weights = learn(updates).average(end, 0, transition_count);
            for (const auto& [key, mean] : naive_average(updates, end)) {
                const double found = score(weights, key.first, key.second);
                CHECK(std::abs(found - mean * weights.scale()) <= 0.5 + 1e-6);
            }
        }
    }
}

TEST(an_average_by_hand) {
    LearnedWeights weights;
    weights.update(7, 0, 4, 1);   // 4 4 4 4
    weights.update(7, 1, 4, 3);   // 0 0 4 4
    weights.update(7, 1, -8, 4);  // 0 0 4 -4
    weights.update(7, 2, 4, 4);   // 0 0 0 4
    const Weights average = weights.average(4, 0, 3);
    CHECK(average.scale() == 4096);
    CHECK(scores_of(average, {7}, 3) == std::vector<std::int32_t>{4 * 4096, 0, 4096});
    CHECK(average.weight_count() == 2);  // 0 needs no weight
    CHECK(scores_of(weights.average(4, 1.5, 3), {7}, 3) == std::vector{4 * 4096, 0, 0});
    CHECK(weights.average(4, 4.5, 3).feature_count() == 0);
}

TEST(large_weights_fit_into_16_bits) {
    LearnedWeights weights;
    weights.update(mix(7), 0, 30'000, 1);
    weights.update(mix(7), 1, -20'000, 1);
    weights.update(mix(8), 1, 1, 1);
    const Weights average = weights.average(1, 0, 2);
    CHECK(average.scale() == 1);
    CHECK(scores_of(average, {mix(7)}, 2) == std::vector{30'000, -20'000});
    CHECK(scores_of(average, {mix(8)}, 2) == std::vector{0, 1});
    weights.update(mix(7), 0, 1'000'000, 1);  // whatever is larger is as large as can be
    weights.update(mix(7), 1, -1'000'000, 1);
    CHECK(scores_of(weights.average(1, 0, 2), {mix(7)}, 2) == std::vector{32767, -32767});
}

TEST(weights_are_no_finer_than_asked_for) {
    LearnedWeights weights;
    weights.update(mix(7), 0, 1, 1);
    CHECK(weights.average(1, 0, 1).scale() == 4096);
    CHECK(weights.average(1, 0, 1, 16).scale() == 16);
    CHECK(scores_of(weights.average(1, 0, 1, 16), {mix(7)}, 1) == std::vector{16});
}

TEST(features_count_once_they_were_updated_often_enough) {
    LearnedWeights weights(3);
    for (const std::int32_t expected : {0, 0, 3, 4}) {
        weights.update(7, 1, 1, 1);
        CHECK(score(weights, 7, 1) == expected);
        CHECK(weights.average(1, 0, transition_count).feature_count() == (expected > 0 ? 1U : 0U));
    }
    LearnedWeights late(255);
    for (int times = 1; times <= 600; ++times) {
        late.update(7, 1, 1, 1);
        CHECK(score(late, 7, 1) == (times >= 255 ? times : 0));
    }
}

TEST(many_features_and_many_transitions) {
    std::mt19937_64 random(3);
    LearnedWeights weights;
    std::vector<Feature> features(70'000);
    for (std::size_t i = 0; i < features.size(); ++i) {
        features[i] = random();
        // Some sit next to each other, at the end of the table and at its start.
        if (i % 100 < 2)
            features[i] = (i % 100 == 0 ? ~Feature{0} : Feature{0}) ^ (i << 40U);
        weights.update(features[i], static_cast<std::int32_t>(i % 30),
                       static_cast<std::int32_t>(i % 1'000) + 1, 1);
    }
    const auto agrees = [&](const auto& found, double scale) {
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < features.size(); ++i) {
            const auto expected = std::lround(static_cast<double>(i % 1'000 + 1) * scale);
            wrong += score(found, features[i], static_cast<std::int32_t>(i % 30)) != expected;
        }
        return wrong;
    };
    CHECK(agrees(weights, 1) == 0);
    const Weights average = weights.average(1, 0, transition_count);
    CHECK(average.feature_count() == features.size());
    CHECK(agrees(average, average.scale()) <= 30);  // 16 bits tell features in a bucket apart

    LearnedWeights restored;
    restored.restore(weights.state(), transition_count);
    CHECK(agrees(restored, 1) == 0);
    CHECK(is_same(restored.average(1, 0, transition_count), average));
}

TEST(one_feature_may_have_weights_for_all_transitions) {
    constexpr std::int32_t count = 3'000;
    LearnedWeights weights;
    for (int round = 0; round < 2; ++round)
        for (std::int32_t t = 0; t < count; ++t)
            for (const Feature feature : {Feature{1}, Feature{1} << 63U})
                weights.update(feature, t, t % 7 + 1, round + 1);
    const auto scores = scores_of(weights, {1}, count);
    const Weights average = weights.average(2, 0, count);
    const auto averages = scores_of(average, {Feature{1} << 63U}, count);
    for (std::size_t t = 0; t < count; ++t) {
        CHECK(scores[t] == 2 * (static_cast<std::int32_t>(t) % 7 + 1));
        CHECK(averages[t] == std::lround(0.75 * scores[t] * average.scale()));
    }
}

TEST(a_restored_training_goes_on_as_if_nothing_had_happened) {
    std::mt19937_64 random(4);
    const auto updates = random_updates(random, 300);
    for (const std::uint8_t min_update : {std::uint8_t{0}, std::uint8_t{5}}) {
        const LearnedWeights whole = learn(updates, min_update);
        for (const std::size_t stop : {std::size_t{0}, std::size_t{1}, updates.size() / 2}) {
            LearnedWeights first(min_update);
            for (std::size_t i = 0; i < stop; ++i)
                first.update(updates[i].feature, updates[i].transition, updates[i].change,
                             updates[i].time);
            LearnedWeights second(min_update);
            second.update(99, 3, 5, 1);  // to be forgotten
            second.restore(first.state(), transition_count);
            CHECK(score(second, 99, 3) == 0);
            for (std::size_t i = stop; i < updates.size(); ++i)
                second.update(updates[i].feature, updates[i].transition, updates[i].change,
                              updates[i].time);
            CHECK(second.state() == whole.state());
            CHECK(is_same(second.average(300, 0, transition_count),
                          whole.average(300, 0, transition_count)));
        }
    }
}

TEST(there_are_buckets_for_features_that_are_kept_alone) {
    LearnedWeights weights;
    for (Feature feature = 1; feature <= 1000; ++feature)
        weights.update(feature << 54U, 0, feature <= 10 ? 9 : 1, 1);
    CHECK(weights.average(1, 0, transition_count).starts().size() > 1000);
    const Weights pruned = weights.average(1, 5, transition_count);
    CHECK(pruned.feature_count() == 10 && pruned.starts().size() == 17);
}

TEST(other_bytes_are_refused_and_change_nothing) {
    std::mt19937_64 random(5);
    const LearnedWeights some = learn(random_updates(random, 3));
    const std::string state = some.state();
    LearnedWeights weights;
    weights.update(99, 3, 5, 1);
    for (std::size_t size = 0; size < state.size(); size += 13)
        CHECK(refuses(weights, std::string_view(state).substr(0, size)));
    CHECK(refuses(weights, state + '\0'));
    CHECK(score(weights, 99, 3) == 5);
    weights.restore(state, transition_count);
    CHECK(weights.state() == state && score(weights, 99, 3) == 0);
}

TEST(states_with_other_transitions_are_refused) {
    LearnedWeights weights;
    weights.update(7, 29, 1, 1);
    LearnedWeights other;
    other.restore(weights.state(), 30);
    CHECK(score(other, 7, 29) == 1);
    CHECK(check::throws<std::invalid_argument>([&] { other.restore(weights.state(), 29); },
                                               "a transition too many"));
    LearnedWeights negative;
    negative.update(7, -1, 1, 1);
    CHECK(refuses(other, negative.state()));
}

TEST(states_with_a_weight_twice_are_refused) {
    LearnedWeights weights;
    weights.update(7, 3, 1, 1);
    const std::string state = weights.state();
    std::string twice = state + state.substr(sizeof(std::uint64_t));
    twice[0] = 2;  // rows
    LearnedWeights other;
    CHECK(std::endian::native != std::endian::little || refuses(other, twice));
}

TEST(the_mean_of_voters_is_the_mean_of_their_averages) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 20; ++round) {
        const std::int64_t times = 1 + static_cast<std::int64_t>(draw(random, 20));
        const auto one_updates = random_updates(random, times);
        auto other_updates = random_updates(random, times);
        other_updates.insert(other_updates.end(), one_updates.begin(), one_updates.end());
        std::ranges::stable_sort(other_updates, {}, &Update::time);
        const LearnedWeights one = learn(one_updates);
        const LearnedWeights other = learn(other_updates);
        std::map<Key, double> expected = naive_average(one_updates, times);
        for (const auto& [key, average] : naive_average(other_updates, times))
            expected[key] += average;
        const std::vector<Voter> voters{{&one, times}, {&other, times}};
        const Weights mean = LearnedWeights::mean(voters, 0, transition_count);
        for (const auto& [key, sum] : expected) {
            const auto scores = scores_of(mean, {key.first}, transition_count);
            CHECK(std::abs(scores[static_cast<std::size_t>(key.second)] - mean.scale() * sum / 2) <=
                  0.5 + 1e-6);
        }
    }
}

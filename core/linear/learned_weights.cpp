#include "linear/learned_weights.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace crossbranch {

namespace {

constexpr std::uint32_t first_bits = 16;
constexpr double largest_weight = std::numeric_limits<std::int16_t>::max();
constexpr std::uint8_t first_room = 1;  // two entries: for the right and for the wrong transition

template <typename Value>
void put(std::string& bytes, const Value& value) {
    const auto* data = reinterpret_cast<const char*>(&value);
    bytes.append(data, sizeof value);
}

template <typename Value>
Value take(std::string_view& bytes) {
    if (bytes.size() < sizeof(Value))
        throw std::invalid_argument("the state of a training ends too early");
    Value value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return value;
}

}  // namespace

LearnedWeights::LearnedWeights(std::uint8_t min_update)
    : min_update_(min_update), shift_(64 - first_bits), slots_(std::size_t{1} << first_bits) {
    entries_.resize(1);  // free slots point here
    sums_.resize(1);
}

void LearnedWeights::update(Feature feature, std::int32_t transition, std::int32_t change,
                            std::int64_t time, bool is_new) {
    Handle slot = find(feature);
    if (slots_[slot].size == 0) {
        if (4 * (row_count_ + 1) > 3 * slots_.size()) {
            grow();
            slot = find(feature);
        }
        slots_[slot] = {feature, allocate(first_room), 0, first_room, 0};
        ++row_count_;
    }
    Row& row = slots_[slot];
    if (is_new && row.updates < std::numeric_limits<std::uint8_t>::max())
        ++row.updates;
    std::size_t entry = row.begin;
    const std::size_t end = entry + row.size;
    while (entry < end && entries_[entry].transition != transition)
        ++entry;
    if (entry == end) {
        append(row, transition);
        entry = row.begin + row.size - 1U;
    }
    entries_[entry].weight += change;
    sums_[entry] += change * (time - 1);
}

void LearnedWeights::grow() {
    Table<Row> old(2 * slots_.size());
    old.swap(slots_);
    --shift_;
    for (const Row& row : old)
        if (row.size != 0)
            slots_[find(row.feature)] = row;
}

std::uint32_t LearnedWeights::allocate(std::uint8_t room) {
    auto& free = free_[room];
    if (!free.empty()) {
        const std::uint32_t begin = free.back();
        free.pop_back();
        return begin;
    }
    if (entries_.size() > std::numeric_limits<std::uint32_t>::max() - (std::size_t{1} << room))
        throw std::length_error("a training has more weights than can be counted");
    const auto begin = static_cast<std::uint32_t>(entries_.size());
    entries_.resize(entries_.size() + (std::size_t{1} << room));
    sums_.resize(entries_.size());
    return begin;
}

void LearnedWeights::append(Row& row, std::int32_t transition) {
    if (row.size == 1U << row.room) {
        const std::uint32_t begin = allocate(static_cast<std::uint8_t>(row.room + 1));
        std::copy_n(&entries_[row.begin], row.size, &entries_[begin]);
        std::copy_n(&sums_[row.begin], row.size, &sums_[begin]);
        free_[row.room].push_back(row.begin);
        row.begin = begin;
        ++row.room;
    }
    entries_[row.begin + row.size] = {transition, 0};
    sums_[row.begin + row.size] = 0;
    ++row.size;
}

double LearnedWeights::largest_average(std::int64_t time) const {
    double largest = 0;
    for (const Row& row : slots_)
        for (std::size_t i = row.begin; i < row.begin + row.size; ++i)
            largest = std::max(largest, std::abs(average_of(i, time)));
    return largest;
}

void LearnedWeights::add_averages(Feature feature, std::int64_t time, double share,
                                  Averages& sums) const {
    const Row& row = slots_[find(feature)];
    if (row.updates < min_update_)
        return;
    for (std::size_t i = row.begin; i < row.begin + row.size; ++i) {
        const std::int32_t transition = entries_[i].transition;
        auto sum = std::ranges::find(sums, transition, &Averages::value_type::first);
        if (sum == sums.end())
            sum = sums.insert(sums.end(), {transition, 0.0});
        sum->second += share * average_of(i, time);
    }
}

Weights LearnedWeights::average(std::int64_t time, double prune, std::size_t transition_count,
                                double finest) const {
    const Voter alone{this, time};
    return mean({&alone, 1}, prune, transition_count, finest);
}

Weights LearnedWeights::mean(std::span<const Voter> voters, double prune,
                             std::size_t transition_count, double finest) {
    double largest = 0;
    std::vector<Feature> features;
    for (const auto& [weights, time] : voters) {
        largest = std::max(largest, weights->largest_average(time));
        for (const Row& row : weights->slots_)
            if (row.size != 0 && row.updates >= weights->min_update_)
                features.push_back(row.feature);
    }
    std::ranges::sort(features);
    features.erase(std::ranges::unique(features).begin(), features.end());
    const double scale = std::clamp(std::floor(largest_weight / largest), 1.0, finest);
    const double least = std::max(prune * scale, 0.5);
    const double share = 1.0 / static_cast<double>(voters.size());

    Averages sums;
    std::vector<std::pair<std::uint16_t, std::int16_t>> kept;
    const auto keep = [&](Feature feature) {
        sums.clear();
        kept.clear();
        for (const auto& [weights, time] : voters)
            weights->add_averages(feature, time, share, sums);
        for (const auto& [transition, average] : sums)
            if (const double weight = average * scale; std::abs(weight) >= least)
                kept.emplace_back(transition,
                                  std::lround(std::clamp(weight, -largest_weight, largest_weight)));
        return !kept.empty();
    };
    std::erase_if(features, [&](Feature feature) { return !keep(feature); });
    const std::uint32_t bits = bucket_bits(features.size());
    Table<std::uint32_t> starts((std::size_t{1} << bits) + 1);
    Table<std::uint16_t> data;
    std::size_t bucket = 0;
    for (const Feature feature : features) {
        while (bucket < feature >> (64U - bits))
            starts[++bucket] = static_cast<std::uint32_t>(data.size());
        keep(feature);
        write_record(static_cast<std::uint16_t>(feature >> (48U - bits)), kept, transition_count,
                     data);
    }
    while (bucket + 1 < starts.size())
        starts[++bucket] = static_cast<std::uint32_t>(data.size());
    return {std::move(starts), std::move(data), scale, transition_count};
}

std::string LearnedWeights::state() const {
    std::string bytes;
    put(bytes, static_cast<std::uint64_t>(row_count_));
    for (const Row& row : slots_) {
        if (row.size == 0)
            continue;
        put(bytes, row.feature);
        put(bytes, row.size);
        put(bytes, row.updates);
        for (std::size_t i = row.begin; i < row.begin + row.size; ++i) {
            put(bytes, entries_[i]);
            put(bytes, sums_[i]);
        }
    }
    return bytes;
}

void LearnedWeights::restore(std::string_view state, std::size_t transition_count) {
    LearnedWeights fresh(min_update_);
    auto rows = take<std::uint64_t>(state);
    // Rows come in the order of their slots. In a smaller table, they would all go to its
    // beginning, and each would have to move past all others. The limit is for damaged files: a
    // wrong count must not take all memory.
    while (4 * (std::min<std::uint64_t>(rows, state.size()) + 1) > 3 * fresh.slots_.size())
        fresh.grow();
    for (; rows > 0; --rows) {
        const auto feature = take<Feature>(state);
        const auto size = take<std::uint16_t>(state);
        const auto updates = take<std::uint8_t>(state);
        if (fresh.slots_[fresh.find(feature)].size != 0)
            throw std::invalid_argument("the state of a training has a feature twice");
        for (std::uint16_t i = 0; i < size; ++i) {
            const auto entry = take<Entry>(state);
            const auto sum = take<std::int64_t>(state);
            if (entry.transition < 0 ||
                static_cast<std::size_t>(entry.transition) >= transition_count)
                throw std::invalid_argument("the state of a training has a transition too many");
            fresh.update(feature, entry.transition, entry.weight, 1);
            Row& row = fresh.slots_[fresh.find(feature)];
            if (row.size != i + 1U)
                throw std::invalid_argument("the state of a training has a weight twice");
            fresh.sums_[row.begin + row.size - 1U] = sum;
            row.updates = updates;
        }
    }
    if (!state.empty())
        throw std::invalid_argument("the state of a training goes on after its end");
    *this = std::move(fresh);
}

}  // namespace crossbranch

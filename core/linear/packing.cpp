#include "linear/packing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace crossbranch {

namespace {

using KeptWeights = std::vector<std::pair<std::uint16_t, std::int16_t>>;

constexpr std::uint32_t check_bits = 16;
constexpr std::uint32_t largest_scale = 4096;

void put(std::string& bytes, std::uint64_t number) {
    for (; number >= 0x80U; number >>= 7U)
        bytes.push_back(static_cast<char>((number & 0x7fU) | 0x80U));
    bytes.push_back(static_cast<char>(number));
}

std::uint64_t take_long(std::string_view& bytes) {
    std::uint64_t number = 0;
    for (std::uint32_t shift = 0; shift < 63; shift += 7) {
        if (bytes.empty())
            throw std::invalid_argument("weights end too early");
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
        if (byte < 0x80U)
            return number;
    }
    throw std::invalid_argument("weights have a number that does not end");
}

std::uint64_t take(std::string_view& bytes, std::uint64_t most) {
    std::uint64_t number = 0;
    if (!bytes.empty() && static_cast<unsigned char>(bytes.front()) < 0x80U) {  // the usual case
        number = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
    } else {
        number = take_long(bytes);
    }
    if (number > most)
        throw std::invalid_argument("weights have the number " + std::to_string(number) +
                                    " where " + std::to_string(most) + " is the most");
    return number;
}

// A damaged number must not take much more memory than the bytes can fill.
bool are_too_many_buckets(std::uint32_t bits, std::size_t byte_count) {
    return (std::size_t{1} << bits) > 64 * (byte_count + 64);
}

// The weights of a record, rounded to a scale; empty if all of them are rounded to 0.
void read_record(const std::uint16_t* record, std::size_t transition_count, double factor,
                 KeptWeights& weights) {
    weights.clear();
    const bool is_dense = record[1] == Weights::is_dense;
    const std::size_t count = is_dense ? transition_count : record[1];
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint16_t* pair = record + Weights::header_words + (is_dense ? i : 2 * i);
        const auto weight = static_cast<std::int16_t>(is_dense ? pair[0] : pair[1]);
        const long rounded = std::lround(weight * factor);
        if (rounded != 0)
            weights.emplace_back(static_cast<std::uint16_t>(is_dense ? i : pair[0]),
                                 static_cast<std::int16_t>(std::clamp(rounded, -32767L, 32767L)));
    }
    std::ranges::sort(weights);
}

void put_weights(std::string& bytes, const KeptWeights& weights) {
    put(bytes, weights.size());
    std::uint16_t transition = 0;
    for (const auto& [next, weight] : weights) {
        put(bytes, static_cast<std::uint64_t>(next - transition));
        put(bytes, static_cast<std::uint64_t>(std::abs(weight)) << 1U | (weight < 0 ? 1U : 0U));
        transition = next;
    }
}

void take_weights(std::string_view& bytes, std::size_t transition_count, KeptWeights& weights) {
    weights.clear();
    std::uint64_t transition = 0;
    std::uint64_t count = take(bytes, transition_count);
    if (count == 0)
        throw std::invalid_argument("weights have a feature without any");
    for (; count > 0; --count) {
        const std::uint64_t distance = take(bytes, transition_count - 1);
        if (distance == 0 && !weights.empty())
            throw std::invalid_argument("weights are for the same transition twice");
        transition += distance;
        if (transition >= transition_count)
            throw std::invalid_argument("weights are for a transition that is not there");
        const std::uint64_t weight = take(bytes, 0xffffU);
        const auto amount = static_cast<std::int16_t>(weight >> 1U);
        if (amount == 0)
            throw std::invalid_argument("weights have one that is 0");
        weights.emplace_back(static_cast<std::uint16_t>(transition),
                             static_cast<std::int16_t>((weight & 1U) != 0 ? -amount : amount));
    }
}

std::uint32_t bits_of(const Weights& weights) {
    return static_cast<std::uint32_t>(std::countr_zero(weights.starts().size() - 1));
}

std::string pack_features(const Weights& weights, double factor, std::uint32_t bits) {
    const auto starts = weights.starts();
    const auto data = weights.data();
    const std::uint32_t old_bits = bits_of(weights);
    std::string bytes;
    KeptWeights kept;
    std::uint64_t next = 0;  // the smallest possible next feature
    for (std::size_t bucket = 0; bucket + 1 < starts.size(); ++bucket)
        for (std::size_t at = starts[bucket]; at < starts[bucket + 1];) {
            const std::uint16_t* record = &data[at];
            at += Weights::header_words + (record[1] == Weights::is_dense
                                               ? weights.transition_count()
                                               : Weights::weight_words * record[1]);
            const std::uint64_t feature =
                (static_cast<std::uint64_t>(bucket) << check_bits | record[0]) >> (old_bits - bits);
            read_record(record, weights.transition_count(), factor, kept);
            if (kept.empty() || feature < next)  // with fewer bits, two features can be equal
                continue;
            put(bytes, feature - next);
            put_weights(bytes, kept);
            next = feature + 1;
        }
    return bytes;
}

}  // namespace

std::string pack(const Weights& weights, std::uint32_t scale) {
    if (scale < 1 || scale > largest_scale)
        throw std::invalid_argument("weights have a scale between 1 and 4096");
    const double factor = scale / weights.scale();
    std::uint32_t bits = std::min(bits_of(weights), bucket_bits(weights.feature_count()));
    std::string features = pack_features(weights, factor, bits);
    while (are_too_many_buckets(bits, features.size()))  // nearly all were rounded to 0
        features = pack_features(weights, factor, --bits);
    std::string bytes;
    put(bytes, bits);
    put(bytes, scale);
    return bytes + features;
}

Weights unpack(std::string_view bytes, std::size_t transition_count) {
    if (transition_count < 1)
        throw std::invalid_argument("there is at least one transition");
    const auto bits = static_cast<std::uint32_t>(take(bytes, Weights::most_bucket_bits));
    const auto scale = static_cast<double>(take(bytes, largest_scale));
    const std::uint64_t end = std::uint64_t{1} << (bits + check_bits);
    if (bits < 1 || are_too_many_buckets(bits, bytes.size()))
        throw std::invalid_argument("weights have " + std::to_string(bits) + " bits for buckets");
    Table<std::uint32_t> starts((std::size_t{1} << bits) + 1);
    Table<std::uint16_t> data;
    data.reserve(bytes.size());  // roughly the final size
    KeptWeights weights;
    std::size_t bucket = 0;
    for (std::uint64_t next = 0; !bytes.empty(); ++next) {
        next += take(bytes, end);
        if (next >= end)
            throw std::invalid_argument("weights have a feature beyond the last bucket");
        take_weights(bytes, transition_count, weights);
        while (bucket < next >> check_bits)
            starts[++bucket] = static_cast<std::uint32_t>(data.size());
        write_record(static_cast<std::uint16_t>(next), weights, transition_count, data);
        if (data.size() > std::numeric_limits<std::uint32_t>::max())
            throw std::invalid_argument("weights are too many to be counted");
    }
    while (bucket + 1 < starts.size())
        starts[++bucket] = static_cast<std::uint32_t>(data.size());
    return {std::move(starts), std::move(data), scale, transition_count};
}

}  // namespace crossbranch

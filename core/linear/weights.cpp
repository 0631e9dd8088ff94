#include "linear/weights.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

namespace crossbranch {

namespace {

// The filter has this many bits more than a bucket: 16 bits of it for one bucket.
constexpr std::uint32_t filter_bits = 4;

}  // namespace

Weights::Weights(Table<std::uint32_t> starts, Table<std::uint16_t> data, double scale,
                 std::size_t transition_count)
    : starts_(std::move(starts)),
      data_(std::move(data)),
      transition_count_(transition_count),
      scale_(scale) {
    const std::size_t buckets = starts_.size() - 1;
    if (starts_.size() < 3 || !std::has_single_bit(buckets) || buckets > (std::size_t{1} << 32U))
        throw std::invalid_argument("weights have " + std::to_string(starts_.size()) +
                                    " starts of buckets, expected one more than a power of two");
    if (!(scale > 0) || !std::isfinite(scale))
        throw std::invalid_argument("weights have a scale that is not a positive number");
    shift_ = 64 - static_cast<std::uint32_t>(std::countr_zero(buckets));
    filter_shift_ = shift_ - filter_bits;
    filter_.resize((buckets << filter_bits) / 64 + 1);
    std::size_t at = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        if (starts_[bucket] != at || starts_[bucket + 1] > data_.size())
            throw std::invalid_argument("weights have a bucket that starts where none ends");
        while (at < starts_[bucket + 1]) {
            const std::size_t next = check_record(at, starts_[bucket + 1]);
            const std::size_t place = (bucket << filter_bits) | (data_[at] >> (16 - filter_bits));
            filter_[place / 64] |= std::uint64_t{1} << (place % 64);
            at = next;
        }
    }
    if (at != data_.size() || starts_.back() != at)
        throw std::invalid_argument("weights go on after their last bucket");
}

std::size_t Weights::check_record(std::size_t at, std::size_t end) {
    const std::size_t next = end - at < header_words ? at : at + size_of(&data_[at]);
    if (next > end || next <= at + header_words)
        throw std::invalid_argument("weights have a feature that is cut off");
    ++feature_count_;
    if (data_[at + 1] == is_dense) {
        weight_count_ += transition_count_;
        return next;
    }
    weight_count_ += data_[at + 1];
    for (std::size_t i = at + header_words; i < next; i += weight_words)
        if (data_[i] >= transition_count_)
            throw std::invalid_argument("weights are for a transition that is not there");
    return next;
}

std::uint32_t bucket_bits(std::size_t feature_count) {
    constexpr double features_per_bucket = 0.7;  // more would save memory, but take longer
    const double buckets = static_cast<double>(feature_count) / features_per_bucket;
    const auto bits = static_cast<std::uint32_t>(
        std::bit_width(static_cast<std::size_t>(std::max(buckets, 2.0))));
    return std::min(bits, Weights::most_bucket_bits);
}

void write_record(std::uint16_t check,
                  std::span<const std::pair<std::uint16_t, std::int16_t>> weights,
                  std::size_t transition_count, Table<std::uint16_t>& data) {
    if (weights.empty())
        return;
    data.push_back(check);
    if (weights.size() < Weights::dense_from) {
        data.push_back(static_cast<std::uint16_t>(weights.size()));
        for (const auto& [transition, weight] : weights) {
            data.push_back(transition);
            data.push_back(static_cast<std::uint16_t>(weight));
        }
        return;
    }
    data.push_back(Weights::is_dense);
    const std::size_t begin = data.size();
    data.resize(begin + transition_count);
    for (const auto& [transition, weight] : weights)
        data[begin + transition] = static_cast<std::uint16_t>(weight);
}

}  // namespace crossbranch

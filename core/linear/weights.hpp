// Weights for parsing: quantised, read-only and close together in memory. packing.hpp is for files.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "base/huge_pages.hpp"
#include "base/prefetch.hpp"
#include "base/vectors.hpp"
#include "linear/templates.hpp"

namespace crossbranch {

// Features are sorted into buckets by their highest bits. `starts` has the start of each bucket in
// `data`. There, a feature is a record of 16-bit words:
//   its next 16 bits, the number n of its weights, and n times a transition and a weight;
//   or its next 16 bits, `is_dense`, and the weights of all transitions.
class Weights {
  public:
    struct Handle {  // the bucket of a feature, then its record
        const std::uint16_t* begin;
        const std::uint16_t* end;
    };
    static constexpr std::uint32_t most_bucket_bits = 24;
    static constexpr std::size_t header_words = 2;
    static constexpr std::size_t weight_words = 2;
    static constexpr std::uint16_t is_dense = 0xffff;
    static constexpr std::size_t dense_from =
        20;  // weights: from here on, adding all at once is faster

    // Throws std::invalid_argument if the arrays cannot be weights.
    Weights(Table<std::uint32_t> starts, Table<std::uint16_t> data, double scale,
            std::size_t transition_count);

    // A weight is found in several steps, so that many features can wait for memory together.
    void prefetch(Feature feature) const {
        crossbranch::prefetch(&filter_[(feature >> filter_shift_) / 64]);
    }

    // Whether a feature may have weights. Most have none, and need no more steps.
    [[nodiscard]] bool expect(Feature feature) const {
        const std::uint64_t place = feature >> filter_shift_;
        if (((filter_[place / 64] >> (place % 64)) & 1U) == 0)
            return false;
        crossbranch::prefetch(&starts_[feature >> shift_]);
        return true;
    }

    [[nodiscard]] Handle approach(Feature feature) const {
        const std::uint32_t* start = &starts_[feature >> shift_];
        const Handle bucket{data_.data() + start[0], data_.data() + start[1]};
        crossbranch::prefetch(bucket.begin);
        return bucket;
    }

    // Finds the feature in its bucket.
    [[nodiscard]] Handle resolve(Feature feature, Handle bucket) const {
        const auto check = static_cast<std::uint16_t>(feature >> (shift_ - 16));
        const std::uint16_t* record = bucket.begin;
        while (record < bucket.end && record[0] != check)
            record += size_of(record);
        if (record >= bucket.end)
            return {nullptr, nullptr};
        const std::uint16_t* end = record + size_of(record);
        for (const std::uint16_t* line = record + 32; line < end; line += 32)
            crossbranch::prefetch(line);
        crossbranch::prefetch(end - 1);  // may be in one more line
        return {record, end};
    }

    // Adds the weights of a feature to the scores of all transitions.
    void add(Handle record, std::int32_t* scores) const {
        if (record.begin == nullptr)
            return;
        const std::uint16_t* weight = record.begin + header_words;
        if (record.begin[1] == is_dense) {
            add_weights(reinterpret_cast<const std::int16_t*>(weight), scores, transition_count_);
            return;
        }
        for (; weight < record.end; weight += weight_words)
            scores[weight[0]] += static_cast<std::int16_t>(weight[1]);
    }

    [[nodiscard]] std::span<const std::uint32_t> starts() const { return starts_; }
    [[nodiscard]] std::span<const std::uint16_t> data() const { return data_; }
    [[nodiscard]] double scale() const { return scale_; }
    [[nodiscard]] std::size_t transition_count() const { return transition_count_; }
    [[nodiscard]] std::size_t feature_count() const { return feature_count_; }
    [[nodiscard]] std::size_t weight_count() const { return weight_count_; }

  private:
    [[nodiscard]] std::size_t size_of(const std::uint16_t* record) const {
        return header_words +
               (record[1] == is_dense ? transition_count_ : weight_words * record[1]);
    }
    // Checks the record at `at`, and returns where the next one is.
    [[nodiscard]] std::size_t check_record(std::size_t at, std::size_t end);

    Table<std::uint32_t> starts_;
    Table<std::uint16_t> data_;
    std::size_t transition_count_;
    double scale_;  // weights were multiplied by this
    std::uint32_t shift_ = 0;
    Table<std::uint64_t> filter_;  // one bit for all features with the same highest bits
    std::uint32_t filter_shift_ = 0;
    std::size_t feature_count_ = 0;
    std::size_t weight_count_ = 0;
};

// The number of bits of a bucket, for this number of features.
[[nodiscard]] std::uint32_t bucket_bits(std::size_t feature_count);

// Appends the record of a feature, unless it has no weights.
void write_record(std::uint16_t check,
                  std::span<const std::pair<std::uint16_t, std::int16_t>> weights,
                  std::size_t transition_count, Table<std::uint16_t>& data);

}  // namespace crossbranch

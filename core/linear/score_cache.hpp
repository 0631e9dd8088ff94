// The scores of all transitions for configurations. They are reused as much as possible.
//
// The scores of a group of templates depend only on a few items. The configurations of a beam share
// items, and items stay for many steps. So the scores of each group are kept for each combination
// of items, and a configuration adds up a few vectors, most of which exist already.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hashing.hpp"
#include "base/vectors.hpp"
#include "linear/feature_reader.hpp"
#include "linear/templates.hpp"

namespace crossbranch {

template <typename WeightsType>
class ScoreCache {
  public:
    ScoreCache(const Templates& templates, const WeightsType& weights, std::size_t transition_count)
        : templates_(&templates),
          weights_(&weights),
          stride_((transition_count + vector_width - 1) / vector_width * vector_width),
          single_(templates.groups().size()),
          keys_(1024),
          values_(1024) {}

    // Clears all scores, for a new sentence or new weights.
    void reset() {
        scores_.clear();
        vector_count_ = 0;
        for (auto& places : single_)
            places.clear();
        if (used_ > 0)
            std::ranges::fill(keys_, 0);
        used_ = 0;
        queued_.clear();  // not empty if the last sentence was not finished
        runs_.clear();
    }

    // Finds the vectors for a configuration with these items. Missing ones are queued, and wait for
    // memory from now on.
    void request(const Items& items, const Forest& forest, const FeatureReader& reader,
                 std::uint32_t* vectors) {
        const auto& groups = templates_->groups();
        for (std::size_t g = 0; g < groups.size(); ++g) {
            std::uint32_t& place = find(g, groups[g], items);
            if (place == none) {
                place = vector_count_++;
                const std::size_t queued = queued_.size();
                reader.extract(groups[g], items, forest, queued_);
                for (const Feature feature : std::span(queued_).subspan(queued))
                    weights_->prefetch(feature);
                runs_.push_back({queued_.size(), place});
            }
            vectors[g] = place;
        }
    }

    // Computes the queued vectors, in passes that each wait for memory together.
    void compute() {
        scores_.resize(vector_count_ * stride_);
        keep_expected();
        handles_.resize(queued_.size());
        for (std::size_t i = 0; i < queued_.size(); ++i)
            handles_[i] = weights_->approach(queued_[i]);
        for (std::size_t i = 0; i < queued_.size(); ++i)
            handles_[i] = weights_->resolve(queued_[i], handles_[i]);
        std::size_t i = 0;
        for (const auto& [end, vector] : runs_)
            for (std::int32_t* scores = &scores_[vector * stride_]; i < end; ++i)
                weights_->add(handles_[i], scores);
        queued_.clear();
        runs_.clear();
    }

    // Adds up the scores of some transitions. The target has room for `stride` scores; those of
    // other transitions may change, too.
    void sum(std::span<const std::uint32_t> vectors, std::span<const TransitionRange> ranges,
             std::int32_t* sums) const {
        std::size_t done = 0;  // ranges are in ascending order, and may share a part
        for (const TransitionRange& range : ranges) {
            const auto begin = static_cast<std::size_t>(range.begin) / vector_width * vector_width;
            const auto end = (static_cast<std::size_t>(range.end) + vector_width - 1) /
                             vector_width * vector_width;
            if (end <= done)
                continue;
            sum_rows(scores_.data(), stride_, vectors, std::max(begin, done), end, sums);
            done = end;
        }
    }
    [[nodiscard]] std::size_t stride() const { return stride_; }

    // Limits the memory for long sentences. Call it between steps.
    void trim() {
        if (scores_.size() > most_scores)
            reset();
    }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::size_t most_scores = std::size_t{1}
                                               << 18U;  // 1 MB, for the cache of the processor

    struct Run {
        std::size_t end;
        std::uint32_t vector;
    };

    // Drops the queued features that have no weights.
    void keep_expected() {
        std::size_t i = 0;
        std::size_t kept = 0;
        for (Run& run : runs_) {
            for (; i < run.end; ++i) {
                queued_[kept] = queued_[i];
                kept += weights_->expect(queued_[i]) ? 1 : 0;
            }
            run.end = kept;
        }
        queued_.resize(kept);
    }

    std::uint32_t& find(std::size_t number, const TemplateGroup& group, const Items& items) {
        if (group.slots.size() > 1)
            return find_combination(number, group, items);
        auto& places = single_[number];
        const auto item = static_cast<std::size_t>(items[group.slots[0]] + 1);
        if (item >= places.size())
            places.resize(std::max(item + 1, 2 * places.size()), none);
        return places[item];
    }

    std::uint32_t& find_combination(std::size_t number, const TemplateGroup& group,
                                    const Items& items) {
        if (2 * (used_ + 1) > keys_.size())
            grow();
        std::uint64_t key = number + 1;
        for (const std::uint8_t slot : group.slots)
            key = key * 0x9ddfea08eb382d69U + static_cast<std::uint32_t>(items[slot] + 1);
        key = mix(key) | 1U;
        const std::size_t place = find_key(key);
        if (keys_[place] == 0) {
            keys_[place] = key;
            values_[place] = none;
            ++used_;
        }
        return values_[place];
    }

    [[nodiscard]] std::size_t find_key(std::uint64_t key) const {
        const std::size_t mask = keys_.size() - 1;
        std::size_t place = (key >> 8U) & mask;
        while (keys_[place] != 0 && keys_[place] != key)
            place = (place + 1) & mask;
        return place;
    }

    void grow() {
        std::vector<std::uint64_t> keys(2 * keys_.size());
        std::vector<std::uint32_t> values(2 * keys_.size());
        keys.swap(keys_);
        values.swap(values_);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (keys[i] == 0)
                continue;
            const std::size_t place = find_key(keys[i]);
            keys_[place] = keys[i];
            values_[place] = values[i];
        }
    }

    const Templates* templates_;
    const WeightsType* weights_;
    std::size_t stride_;
    std::uint32_t vector_count_ = 0;
    std::vector<std::int32_t> scores_;                // one vector after the other
    std::vector<std::vector<std::uint32_t>> single_;  // by group and item: a vector
    std::vector<std::uint64_t> keys_;                 // of combinations of items; 0: free
    std::vector<std::uint32_t> values_;
    std::size_t used_ = 0;
    std::vector<Feature> queued_;
    std::vector<typename WeightsType::Handle> handles_;
    std::vector<Run> runs_;
};

}  // namespace crossbranch

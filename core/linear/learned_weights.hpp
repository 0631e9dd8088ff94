// Weights during learning: whole numbers, and the sums that are needed for their averages.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/huge_pages.hpp"
#include "base/prefetch.hpp"
#include "linear/templates.hpp"
#include "linear/weights.hpp"

namespace crossbranch {

class LearnedWeights;

// Weights that vote, and the time of their averages.
struct Voter {
    const LearnedWeights* weights;
    std::int64_t time;
};

class LearnedWeights {
  public:
    using Handle = std::size_t;  // a slot

    // A feature counts only after `min_update` updates (Goldberg & Elhadad 2011).
    explicit LearnedWeights(std::uint8_t min_update = 0);

    // A weight is found in several steps, so that many features can wait for memory together.
    void prefetch(Feature feature) const { crossbranch::prefetch(&slots_[feature >> shift_]); }

    [[nodiscard]] static bool expect(Feature) { return true; }

    [[nodiscard]] Handle approach(Feature feature) const {
        const Handle slot = find(feature);
        crossbranch::prefetch(&entries_[slots_[slot].begin]);
        return slot;
    }

    [[nodiscard]] Handle resolve(Feature, Handle slot) const { return slot; }

    void add(Handle slot, std::int32_t* scores) const {
        const Row& row = slots_[slot];
        if (row.updates < min_update_)
            return;
        const Entry* entry = &entries_[row.begin];
        for (const Entry* last = entry + row.size; entry < last; ++entry)
            scores[entry->transition] += entry->weight;
    }

    // Adds to one weight. `time` is the number of sentences so far, counted from 1. `is_new` says
    // whether this is a new update of the feature, not another change in the same update.
    void update(Feature feature, std::int32_t transition, std::int32_t change, std::int64_t time,
                bool is_new = true);

    // The averages of all weights at this time, without those below `prune`. They are multiplied by
    // a whole number, at most `finest`, and rounded.
    [[nodiscard]] Weights average(std::int64_t time, double prune, std::size_t transition_count,
                                  double finest = 4096) const;

    // The mean of the averages of several voters, which have learned at the same time.
    [[nodiscard]] static Weights mean(std::span<const Voter> voters, double prune,
                                      std::size_t transition_count, double finest = 4096);

    // The whole state as bytes of this machine. `restore` throws std::invalid_argument for others.
    [[nodiscard]] std::string state() const;
    void restore(std::string_view state, std::size_t transition_count);

  private:
    struct Row {
        Feature feature = 0;
        std::uint32_t begin = 0;  // of its entries; row.size entries are in use
        std::uint16_t size = 0;   // 0: a free slot
        std::uint8_t room = 0;    // room for 2^room entries
        std::uint8_t updates = 0;
    };
    struct Entry {
        std::int32_t transition = 0;
        std::int32_t weight = 0;
    };
    using Averages = std::vector<std::pair<std::int32_t, double>>;  // by transition

    [[nodiscard]] Handle find(Feature feature) const {
        const Handle mask = slots_.size() - 1;
        Handle slot = feature >> shift_;
        while (slots_[slot].size != 0 && slots_[slot].feature != feature)
            slot = (slot + 1) & mask;
        return slot;
    }
    void grow();
    [[nodiscard]] std::uint32_t allocate(std::uint8_t room);
    void append(Row& row, std::int32_t transition);
    [[nodiscard]] double largest_average(std::int64_t time) const;
    // Adds the averages of a feature, each times `share`; none if it does not count yet.
    void add_averages(Feature feature, std::int64_t time, double share, Averages& sums) const;
    [[nodiscard]] double average_of(std::size_t entry, std::int64_t time) const {
        return entries_[entry].weight -
               static_cast<double>(sums_[entry]) / static_cast<double>(time);
    }

    std::uint8_t min_update_;
    std::uint32_t shift_;
    std::size_t row_count_ = 0;
    Table<Row> slots_;
    Table<Entry> entries_;
    Table<std::int64_t> sums_;  // of changes times the time of each, by entry
    std::array<std::vector<std::uint32_t>, 17> free_;
};

}  // namespace crossbranch

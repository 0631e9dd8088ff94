// Beam search over the configurations of one sentence, which share a forest.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "linear/feature_reader.hpp"
#include "linear/score_cache.hpp"
#include "linear/templates.hpp"
#include "transitions/system.hpp"
#include "transitions/trace.hpp"

namespace crossbranch {

struct BeamItem {
    Configuration at;
    std::int64_t score = 0;
    std::int32_t parent = -1;      // the item it comes from, if there is a history
    TransitionId transition = -1;  // the transition that led to it
    bool is_gold = true;           // whether all transitions were right
    bool is_final = false;
};

// When a search ends.
enum class Stop : std::uint8_t {
    all,   // when every item on the beam is a whole tree (Zhu et al. 2013)
    first  // when the best item is a whole tree, even if FINISH is missing (Maier 2015)
};

template <typename WeightsType>
class Beam {
  public:
    Beam(const System& system, const Templates& templates, const WeightsType& weights,
         Stop stop = Stop::all)
        : system_(&system),
          stop_(stop),
          templates_(&templates),
          reader_(templates, system.labels().count()),
          cache_(templates, weights, system.transitions().size()),
          sums_(cache_.stride()) {}

    // Starts with the tokens of a sentence. Without history, only the items on the beam are kept.
    void reset(std::span<const std::uint32_t> rows, std::size_t size, bool has_history = true) {
        size_ = size;
        has_history_ = has_history;
        reader_.reset(rows);
        forest_.reset(static_cast<std::int32_t>(rows.size() / templates_->column_count()));
        cache_.reset();
        items_.clear();
        items_.emplace_back();
        begin_ = 0;
        end_ = 1;
    }

    [[nodiscard]] bool is_done() const {
        if (stop_ == Stop::first)
            return is_whole(first());
        return std::ranges::all_of(current(), [](const BeamItem& item) { return item.is_final; });
    }

    // Takes one step. `gold` is the right transition, if it is known.
    void advance(TransitionId gold = -1) {
        cache_.trim();
        request_scores(current());
        choose(gold);
        begin_ = static_cast<std::int32_t>(items_.size());
        for (const Candidate& chosen : chosen_)
            items_.push_back(follow(chosen.item, chosen.transition, chosen.score, chosen.is_gold));
        end_ = static_cast<std::int32_t>(items_.size());
        if (!has_history_)
            forget();
    }

    // The item after a transition from an item that may have left the beam. It is stored, but not
    // on the beam.
    std::int32_t follow_alone(std::int32_t item, TransitionId transition) {
        request_scores({&items_[static_cast<std::size_t>(item)], 1});
        const TransitionRange only{transition, transition + 1};
        cache_.sum(vectors_, {&only, 1}, sums_.data());
        const std::int32_t score = sums_[static_cast<std::size_t>(transition)];
        items_.push_back(
            follow(item, transition, items_[static_cast<std::size_t>(item)].score + score, true));
        return static_cast<std::int32_t>(items_.size()) - 1;
    }

    // Continues with this item alone.
    void restart(std::int32_t item) {
        begin_ = item;
        end_ = item + 1;
    }

    [[nodiscard]] std::span<const BeamItem> current() const {
        return std::span(items_).subspan(static_cast<std::size_t>(begin_),
                                         static_cast<std::size_t>(end_ - begin_));
    }
    [[nodiscard]] std::int32_t first() const { return begin_; }  // the best item on the beam
    [[nodiscard]] const BeamItem& item(std::int32_t i) const {
        return items_[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] bool is_whole(std::int32_t i) const {
        return system_->is_whole(forest_, item(i).at);
    }
    [[nodiscard]] const Forest& forest() const { return forest_; }

    // The transitions that led to a whole tree, each with its alternatives. This needs the history.
    // A FINISH that the search did not need comes last, and costs nothing.
    [[nodiscard]] Trace trace(std::int32_t i) {
        Trace steps;
        if (!item(i).is_final) {
            system_->find_legal(forest_, item(i).at, legal_);
            const TransitionId finish = legal_.front().begin;
            steps.push_back({finish, {{finish, 0}}});
        }
        for (; item(i).parent >= 0; i = item(i).parent)
            steps.push_back({item(i).transition, rate(item(i).parent)});
        std::ranges::reverse(steps);
        return steps;
    }

    // Appends all features of the configuration of an item that was on the beam.
    void extract(std::int32_t i, std::vector<Feature>& features) const {
        const Items items = templates_->items(*system_, forest_, item(i).at);
        for (const TemplateGroup& group : templates_->groups())
            reader_.extract(group, items, forest_, features);
    }

  private:
    struct Candidate {
        std::int64_t score;
        std::int32_t item;
        TransitionId transition;
        bool is_gold;
    };

    // The legal transitions of an item that may have left the beam, with their scores.
    [[nodiscard]] std::vector<std::pair<TransitionId, double>> rate(std::int32_t i) {
        cache_.trim();
        request_scores({&items_[static_cast<std::size_t>(i)], 1});
        system_->find_legal(forest_, item(i).at, legal_);
        cache_.sum(vectors_, legal_, sums_.data());
        std::vector<std::pair<TransitionId, double>> found;
        for (const TransitionRange& range : legal_)
            for (TransitionId id = range.begin; id < range.end; ++id)
                found.emplace_back(id, static_cast<double>(sums_[static_cast<std::size_t>(id)]));
        return found;
    }

    void forget() {
        items_.erase(items_.begin(), items_.begin() + begin_);
        end_ -= begin_;
        begin_ = 0;
    }

    void request_scores(std::span<const BeamItem> items) {
        const std::size_t groups = templates_->groups().size();
        vectors_.resize(items.size() * groups);
        std::uint32_t* vectors = vectors_.data();
        reader_.catch_up(forest_);
        for (const BeamItem& item : items) {
            cache_.request(templates_->items(*system_, forest_, item.at), forest_, reader_,
                           vectors);
            vectors += groups;
        }
        cache_.compute();
    }

    // The best transitions of all items; among equals, the first.
    void choose(TransitionId gold) {
        chosen_.clear();
        const std::size_t groups = templates_->groups().size();
        for (std::int32_t i = begin_; i < end_; ++i) {
            const BeamItem& from = item(i);
            const std::span vectors =
                std::span(vectors_).subspan(static_cast<std::size_t>(i - begin_) * groups, groups);
            system_->find_legal(forest_, from.at, legal_);
            cache_.sum(vectors, legal_, sums_.data());
            for (const TransitionRange& range : legal_)
                choose_from(i, from, range, gold);
        }
    }

    void choose_from(std::int32_t i, const BeamItem& from, TransitionRange range,
                     TransitionId gold) {
        const auto end = static_cast<std::size_t>(range.end);
        const auto next = [&](std::size_t begin) {
            return find_above(sums_.data(), begin, end, least_score(from));
        };
        for (auto at = next(static_cast<std::size_t>(range.begin)); at < end; at = next(at + 1)) {
            const auto transition = static_cast<TransitionId>(at);
            insert({from.score + sums_[at], i, transition, from.is_gold && transition == gold});
        }
    }

    // The score that a transition needs to be among the best so far.
    [[nodiscard]] std::int32_t least_score(const BeamItem& from) const {
        constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
        constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
        if (chosen_.size() < size_)
            return static_cast<std::int32_t>(lowest);
        return static_cast<std::int32_t>(
            std::clamp(chosen_.back().score - from.score, lowest, highest));
    }

    // Keeps the chosen transitions sorted, best first.
    void insert(const Candidate& candidate) {
        if (chosen_.size() == size_)
            chosen_.pop_back();
        auto place = chosen_.end();
        while (place != chosen_.begin() && std::prev(place)->score < candidate.score)
            --place;
        chosen_.insert(place, candidate);
    }

    [[nodiscard]] BeamItem follow(std::int32_t i, TransitionId transition, std::int64_t score,
                                  bool is_gold) {
        BeamItem to;
        to.at = system_->apply(forest_, item(i).at, transition);
        to.score = score;
        to.parent = i;
        to.transition = transition;
        to.is_gold = is_gold;
        to.is_final = system_->is_final(forest_, to.at);
        return to;
    }

    const System* system_;
    Stop stop_;
    const Templates* templates_;
    std::size_t size_ = 1;
    bool has_history_ = true;
    FeatureReader reader_;
    Forest forest_;
    ScoreCache<WeightsType> cache_;
    std::vector<BeamItem> items_;  // step by step
    std::int32_t begin_ = 0;       // the beam is items begin .. end-1, best first
    std::int32_t end_ = 0;
    std::vector<Candidate> chosen_;
    std::vector<std::uint32_t> vectors_;
    std::vector<std::int32_t> sums_;
    Legal legal_;
};

}  // namespace crossbranch

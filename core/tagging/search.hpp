// Beam search for the tags of a sentence.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/vectors.hpp"
#include "tagging/templates.hpp"

namespace crossbranch {

// Scores are sums of weights, so W is Weights or LearnedWeights. Features use two tags to the left,
// so only the best of all items that end in the same two tags is kept.
template <typename W>
class TagSearch {
  public:
    struct Item {
        std::int64_t score = 0;
        Tag tag = 0;
        std::uint32_t last = 0;  // tags to the left of the next token, numbered from 1
        std::uint32_t last_but_one = 0;
        std::int32_t before = -1;  // the item of the token before, among all
    };

    TagSearch(const TagTemplates& templates, const W& weights, std::size_t tag_count,
              std::size_t beam)
        : templates_(&templates), weights_(&weights), tag_count_(tag_count), beam_(beam) {
        for (auto* scores : {&words_, &one_tag_, &all_})
            scores->resize(tag_count);
        features_.resize(templates.size());
    }

    // Starts with the tokens of a sentence, which must stay in memory.
    void reset(std::span<const std::uint32_t> rows) {
        rows_ = rows;
        items_.assign(1, Item{});
        begin_ = 0;
        position_ = 0;
        count_ = rows.size() / templates_->column_count();
    }

    [[nodiscard]] bool is_done() const { return position_ == count_; }

    // Gives the next token its tags. All except `right` get the bonus, if it is not 0.
    void advance(std::int32_t bonus = 0, Tag right = 0) {
        look_up();
        std::size_t handle = 0;
        std::ranges::fill(words_, 0);
        add(handle, templates_->without_tags(), words_);
        if (bonus != 0) {
            for (auto& score : words_)
                score += bonus;
            words_[right] -= bonus;
        }
        const std::size_t end = items_.size();
        best_.clear();
        for (std::size_t item = begin_; item < end; ++item) {
            if (is_first_of_its_tag(item)) {
                one_tag_ = words_;
                add(handle, templates_->with_one_tag(), one_tag_);
            }
            all_ = one_tag_;
            add(handle, templates_->with_two_tags(), all_);
            extend(item);
        }
        items_.insert(items_.end(), best_.begin(), best_.end());
        begin_ = end;
        ++position_;
    }

    // The items of the last token, best first.
    [[nodiscard]] std::span<const Item> current() const {
        return std::span(items_).subspan(begin_);
    }
    [[nodiscard]] const Item& item(std::int32_t number) const {
        return items_[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] std::int32_t number_of(std::size_t rank) const {
        return static_cast<std::int32_t>(begin_ + rank);
    }

    // Continues from a single item, which follows an item of the token before.
    void restart(const Item& item) {
        begin_ = items_.size();
        items_.push_back(item);
    }

    // Calls visit(feature) for all features that a token has after these tags.
    template <typename Visit>
    void for_each_feature(std::size_t token, std::uint32_t last, std::uint32_t last_but_one,
                          Visit visit) {
        templates_->read(rows_, token, features_);
        for (std::size_t i = 0; i < templates_->without_tags(); ++i)
            visit(features_[i]);
        visit_with_one_tag(last, visit);
        visit_with_two_tags(last, last_but_one, visit);
    }

  private:
    template <typename Visit>
    void visit_with_one_tag(std::uint32_t last, Visit visit) const {
        const std::size_t begin = templates_->without_tags();
        for (std::size_t i = begin; i < begin + templates_->with_one_tag(); ++i)
            visit(TagTemplates::with_tags(features_[i], last, 0));
    }

    template <typename Visit>
    void visit_with_two_tags(std::uint32_t last, std::uint32_t last_but_one, Visit visit) const {
        const std::size_t begin = templates_->size() - templates_->with_two_tags();
        for (std::size_t i = begin; i < templates_->size(); ++i)
            visit(TagTemplates::with_tags(features_[i], last, last_but_one));
    }

    // Items in a row with the same last tag have the same scores for features with one tag.
    [[nodiscard]] bool is_first_of_its_tag(std::size_t item) const {
        return item == begin_ || items_[item].last != items_[item - 1].last;
    }

    // Finds the features of the next token for all items, so that they wait for memory together:
    // first those without tags, then for each item those with one tag (if needed) and with two.
    void look_up() {
        templates_->read(rows_, position_, features_);
        wanted_.assign(features_.begin(),
                       features_.begin() + static_cast<std::ptrdiff_t>(templates_->without_tags()));
        const auto want = [&](Feature feature) { wanted_.push_back(feature); };
        for (std::size_t item = begin_; item < items_.size(); ++item) {
            if (is_first_of_its_tag(item))
                visit_with_one_tag(items_[item].last, want);
            visit_with_two_tags(items_[item].last, items_[item].last_but_one, want);
        }
        for (const Feature feature : wanted_)
            weights_->prefetch(feature);
        handles_.clear();
        for (const Feature feature : wanted_)
            handles_.push_back(weights_->approach(feature));
        for (std::size_t i = 0; i < wanted_.size(); ++i)
            handles_[i] = weights_->resolve(wanted_[i], handles_[i]);
    }

    void add(std::size_t& handle, std::size_t count, std::vector<std::int32_t>& scores) const {
        for (const std::size_t end = handle + count; handle < end; ++handle)
            weights_->add(handles_[handle], scores.data());
    }

    void extend(std::size_t number) {
        const Item& item = items_[number];
        const auto next = [&](std::size_t tag) {
            return best_.size() < beam_ ? tag
                                        : find_above(all_.data(), tag, tag_count_,
                                                     needed(best_.back().score - item.score));
        };
        for (std::size_t tag = next(0); tag < tag_count_; tag = next(tag + 1))
            insert({item.score + all_[tag], static_cast<Tag>(tag),
                    static_cast<std::uint32_t>(tag + 1), item.last,
                    static_cast<std::int32_t>(number)});
    }

    // A score that a tag must exceed, as a number of 32 bits.
    [[nodiscard]] static std::int32_t needed(std::int64_t score) {
        constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
        constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
        return static_cast<std::int32_t>(std::clamp(score, lowest, highest));
    }

    void insert(const Item& made) {
        const auto same = std::ranges::find_if(best_, [&](const Item& other) {
            return other.last == made.last && other.last_but_one == made.last_but_one;
        });
        if (same != best_.end()) {
            if (same->score >= made.score)
                return;
            best_.erase(same);
        } else if (best_.size() == beam_) {
            best_.pop_back();
        }
        const auto place = std::ranges::find_if(
            best_, [&](const Item& other) { return other.score < made.score; });
        best_.insert(place, made);
    }

    const TagTemplates* templates_;
    const W* weights_;
    std::size_t tag_count_;
    std::size_t beam_;
    std::span<const std::uint32_t> rows_;
    std::vector<Feature> features_;  // of one token
    std::vector<Feature> wanted_;    // of one token, for all items
    std::vector<typename W::Handle> handles_;
    std::vector<std::int32_t> words_;    // scores of all tags: without tags to the left,
    std::vector<std::int32_t> one_tag_;  // with one tag to the left,
    std::vector<std::int32_t> all_;      // with both of them
    std::vector<Item> best_;
    std::vector<Item> items_;  // of all tokens; those of the last one from `begin_` on
    std::size_t begin_ = 0;
    std::size_t position_ = 0;  // number of tokens with tags
    std::size_t count_ = 0;
};

}  // namespace crossbranch

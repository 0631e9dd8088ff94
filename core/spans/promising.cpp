#include "spans/promising.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

#include "spans/cubic_chart.hpp"
#include "spans/item_bounds.hpp"

namespace crossbranch::spans {

namespace {

constexpr std::size_t pairs_for_each = 16;  // that are looked at for one item that is kept
constexpr int most_rounds = 3;

// Outer borders, or those of a gap, with the score of a label.
struct Borders {
    float score;
    Place begin, end;
};

class Finder {
  public:
    Finder(const SpanScores& scores, bool ill_nested, std::size_t limit)
        : scores_(scores),
          count_(scores.token_count()),
          labels_(scores.discontinuous_labels()),
          ill_nested_(ill_nested),
          limit_(limit) {
        const std::vector<float> best_gaps = highest(scores.all_gaps(), 1, 1);
        const std::vector<float> best_outers = highest(scores.all_outer(), 0, 3);
        outers_ = sorted(scores.all_outer(), best_gaps, 0, 3);
        gaps_ = sorted(scores.all_gaps(), best_outers, 1, 1);
    }

    PromisingItems find() {
        find_lowest();
        add_pairs_above();
        for (const OwnScore& one : scores_.own_scores())
            add({one.i, one.k, one.l, one.j});
        const auto places = [](const PromisingItem& one) {
            const auto [i, k, l, j] = one.item;
            return std::tuple(j - i, i, k - l, k);  // narrow ones first, and those of large gaps
        };
        std::ranges::sort(found_.items, {}, places);
        const auto rest = std::ranges::unique(found_.items, {}, places);
        found_.items.erase(rest.begin(), rest.end());
        found_.are_all = lowest_ <= 0;
        if (found_.items.size() > limit_ || !found_.are_all)
            prune(places);
        return std::move(found_);
    }

  private:
    // Calls visit(cell, begin, end). `margin` tokens are outside a gap on each side; outer borders
    // have at least `width` tokens.
    template <typename Visit>
    void each_cell(std::span<const float> scores, Place margin, Place width, Visit visit) const {
        for (Place begin = margin; begin < count_; ++begin)
            for (Place end = begin + width; end <= count_ - margin; ++end)
                visit(scores.data() + (begin * count_ + end - 1) * labels_, begin, end);
    }

    // The highest score of each label.
    [[nodiscard]] std::vector<float> highest(std::span<const float> scores, Place margin,
                                             Place width) const {
        std::vector<float> found(static_cast<std::size_t>(labels_), impossible<float>);
        each_cell(scores, margin, width, [&](const float* cell, Place, Place) {
            for (std::size_t label = 0; label < found.size(); ++label)
                found[label] = std::max(found[label], cell[label]);
        });
        return found;
    }

    // For each label, the borders that are part of promising items; the best ones first.
    [[nodiscard]] std::vector<std::vector<Borders>> sorted(std::span<const float> scores,
                                                           const std::vector<float>& best_others,
                                                           Place margin, Place width) const {
        std::vector<std::vector<Borders>> found(best_others.size());
        each_cell(scores, margin, width, [&](const float* cell, Place begin, Place end) {
            for (std::size_t label = 0; label < found.size(); ++label)
                if (cell[label] + best_others[label] > 0)
                    found[label].push_back({cell[label], begin, end});
        });
        for (std::vector<Borders>& one : found)
            std::ranges::sort(one, std::ranges::greater{}, &Borders::score);
        return found;
    }

    // Calls visit(outer, number) for all outer borders: so many gaps, the best ones, give a sum
    // above a score.
    template <typename Visit>
    void each_outer_above(float score, Visit visit) const {
        for (std::size_t label = 0; label < outers_.size(); ++label) {
            const std::vector<Borders>& gaps = gaps_[label];
            std::size_t number = gaps.size();
            for (const Borders& outer : outers_[label]) {
                while (number > 0 && !(outer.score + gaps[number - 1].score > score))
                    --number;
                if (number == 0)
                    break;
                visit(label, outer, number);
            }
        }
    }

    [[nodiscard]] std::size_t pairs_above(float score) const {
        std::size_t found = 0;
        each_outer_above(score,
                         [&](std::size_t, const Borders&, std::size_t number) { found += number; });
        return found;
    }

    // Where there are too many items, those with low scores are not even looked at.
    void find_lowest() {
        const std::size_t most = pairs_for_each * (limit_ + 1);
        if (pairs_above(0) <= most)
            return;
        float low = 0, high = 1;
        while (pairs_above(high) > most)
            high *= 2;
        for (int step = 0; step < 8; ++step) {
            const float middle = (low + high) / 2;
            (pairs_above(middle) > most ? low : high) = middle;
        }
        lowest_ = high;
    }

    void add_pairs_above() {
        each_outer_above(lowest_, [&](std::size_t label, const Borders& outer, std::size_t number) {
            for (std::size_t at = 0; at < number; ++at)
                if (const Borders& gap = gaps_[label][at];
                    outer.begin < gap.begin && gap.end < outer.end)
                    add({outer.begin, gap.begin, gap.end, outer.end});
        });
    }

    void add(const Item& item) {
        const auto [i, k, l, j] = item;
        float best = impossible<float>;
        if (scores_.own_scores(i, j).empty())
            best = add_pairs<Best>(scores_.outer(i, j), scores_.gap(k, l),
                                   scores_.discontinuous_labels());
        else
            for (Label label = 0; label < scores_.discontinuous_labels(); ++label)
                best = std::max(best, scores_.discontinuous(label, i, k, l, j));
        if (best > 0)
            found_.items.push_back({item, best});
    }

    // Only items of trees that can be better than the best cubic one are kept; of these, the ones
    // with the highest bounds.
    template <typename Places>
    void prune(Places places) {
        // Sums are not quite exact. Items that were not looked at have low scores, and are few.
        const float known = best_cubic_tree(scores_).score;
        const float least = known - 1e-4F * (1 + std::abs(known));
        const float unseen = lowest_ * static_cast<float>(count_);
        const ItemBounds bounds = without_useless(least - unseen);
        found_.bound = found_.are_all ? impossible<float> : bounds.of_all() + unseen;
        if (found_.items.size() <= limit_)
            return;
        found_.are_all = false;
        std::vector<std::pair<float, PromisingItem>> ranked;
        for (std::size_t at = 0; at < found_.items.size(); ++at)
            ranked.emplace_back(bounds.of_item(at), found_.items[at]);
        std::ranges::stable_sort(ranked, std::ranges::greater{},
                                 [](const auto& one) { return one.first; });
        found_.bound = std::max(found_.bound, ranked[limit_].first + unseen);
        found_.items.clear();
        for (std::size_t at = 0; at < limit_; ++at)
            found_.items.push_back(ranked[at].second);
        std::ranges::sort(found_.items, {}, places);
    }

    // Erases items with bounds below a score. Then the bounds of others become lower.
    ItemBounds without_useless(float least) {
        for (int round = 0; round < most_rounds; ++round) {
            const ItemBounds bounds(scores_, ill_nested_, found_.items);
            std::vector<PromisingItem> kept;
            for (std::size_t at = 0; at < found_.items.size(); ++at)
                if (bounds.of_item(at) >= least)
                    kept.push_back(found_.items[at]);
            if (kept.size() == found_.items.size())
                break;
            found_.items = std::move(kept);
        }
        return {scores_, ill_nested_, found_.items};
    }

    const SpanScores& scores_;
    Place count_;
    std::ptrdiff_t labels_;
    bool ill_nested_;
    std::size_t limit_;
    float lowest_ = 0;  // items of lower scores are not looked at
    std::vector<std::vector<Borders>> outers_, gaps_;
    PromisingItems found_;
};

}  // namespace

PromisingItems find_promising(const SpanScores& scores, bool ill_nested, std::size_t limit) {
    return Finder(scores, ill_nested, limit).find();
}

}  // namespace crossbranch::spans

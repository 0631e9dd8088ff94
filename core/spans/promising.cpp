#include "spans/promising.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "spans/chart.hpp"
#include "spans/cubic_chart.hpp"

namespace crossbranch::spans {

namespace {

constexpr std::size_t pairs_for_each = 16;  // that are looked at for one item that is kept

// Outer borders, or those of a gap, with the score of a label.
struct Borders {
    float score;
    Place begin, end;
};

class Finder {
  public:
    Finder(const SpanScores& scores, std::size_t limit)
        : scores_(scores),
          count_(scores.token_count()),
          labels_(scores.discontinuous_labels()),
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
            return std::tuple(j - i, k - l, i, k);  // narrow ones first, then those of large gaps
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

    // A tree with a discontinuous item has at most the score of the best continuous constituents
    // that fit the item, and of as many other discontinuous constituents as it has room for.
    template <typename Places>
    void prune(Places places) {
        const Chart<Best> inside(scores_, {Rules::continuous});
        const std::vector<RankedItem> all = ranked(inside.continuous());
        const auto [useful, discontinuous] = without_useless(all, best_cubic_tree(scores_).score);
        found_.bound = impossible<float>;
        if (!found_.are_all)
            found_.bound = inside.goal() + discontinuous;
        found_.items.clear();
        for (std::size_t at = 0; at < useful.size(); ++at)
            if (at < limit_) {
                found_.items.push_back(useful[at].item);
            } else {
                found_.are_all = false;
                found_.bound = std::max(found_.bound, useful[at].fit + discontinuous);
            }
        std::ranges::sort(found_.items, {}, places);
    }

    struct RankedItem {
        float fit;  // the best score of continuous constituents beside the item
        PromisingItem item;
    };

    // All items, those that fit best first.
    [[nodiscard]] std::vector<RankedItem> ranked(const ContinuousTable<float>& inside) const {
        const ContinuousTable<float> outside = outside_of(inside);
        std::vector<RankedItem> found;
        for (const PromisingItem& one : found_.items) {
            const auto [i, k, l, j] = one.item;
            const float fit =
                outside.at(i, j) + inside.at(i, k) + inside.at(k, l) + inside.at(l, j);
            found.push_back({fit, one});
        }
        std::ranges::sort(found, std::ranges::greater{},
                          [](const RankedItem& one) { return one.fit + one.item.score; });
        return found;
    }

    // The items of trees that can be better than a known one, and what discontinuous constituents
    // add to such trees at most. Without the useless items, this is less: more are useless then.
    [[nodiscard]] std::pair<std::vector<RankedItem>, float> without_useless(
        std::vector<RankedItem> items, float known) const {
        const float least = known - 1e-4F * (1 + std::abs(known));  // sums are not quite exact
        while (true) {
            const float discontinuous = most_discontinuous(items);
            const auto erased = std::erase_if(
                items, [&](const RankedItem& one) { return one.fit + discontinuous < least; });
            if (erased == 0)
                return {std::move(items), discontinuous};
        }
    }

    // What all discontinuous constituents of a tree can add: there are fewer than tokens.
    [[nodiscard]] float most_discontinuous(const std::vector<RankedItem>& items) const {
        std::vector<float> scores(static_cast<std::size_t>(count_), lowest_);
        for (const RankedItem& one : items)
            scores.push_back(one.item.score);
        std::ranges::partial_sort(scores, scores.begin() + count_, std::ranges::greater{});
        return std::accumulate(scores.begin(), scores.begin() + count_, 0.0F);
    }

    // The best score of all that a continuous tree has besides what stands inside [i, j), with the
    // best label of [i, j) itself.
    [[nodiscard]] ContinuousTable<float> outside_of(const ContinuousTable<float>& inside) const {
        ContinuousTable<float> found;
        found.resize(count_);
        for (Place width = count_; width > 0; --width)
            for (Place i = 0, j = width; j <= count_; ++i, ++j) {
                float best = width == count_ ? 0 : impossible<float>;
                for (Place end = j + 1; end <= count_; ++end)
                    best = std::max(best, found.at(i, end) + inside.at(j, end));
                for (Place begin = 0; begin < i; ++begin)
                    best = std::max(best, found.at(begin, j) + inside.at(begin, i));
                found.set(i, j, best + whole_label_score<Best>(scores_, i, j));
            }
        return found;
    }

    const SpanScores& scores_;
    Place count_;
    std::ptrdiff_t labels_;
    std::size_t limit_;
    float lowest_ = 0;  // items of lower scores are not looked at
    std::vector<std::vector<Borders>> outers_, gaps_;
    PromisingItems found_;
};

}  // namespace

PromisingItems find_promising(const SpanScores& scores, std::size_t limit) {
    return Finder(scores, limit).find();
}

}  // namespace crossbranch::spans

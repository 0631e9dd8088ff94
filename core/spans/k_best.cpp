#include "spans/k_best.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "spans/chart.hpp"
#include "spans/cubic_chart.hpp"

namespace crossbranch::spans {

namespace {

using Key = std::tuple<Place, Place, Place, Place>;

Key key_of(const Item& item) {
    return {item.i, item.k, item.l, item.j};
}

// The inside score of an item.
using ItemScore = std::function<float(const Item&)>;

struct ScoredLabel {
    float score;
    Label label;
};

std::vector<ScoredLabel> labels_of(const SpanScores& scores, SearchSpace space, const Item& item) {
    std::vector<ScoredLabel> found;
    if (item.has_gap()) {
        for (Label label = 0; label < scores.discontinuous_labels(); ++label)
            found.push_back({scores.discontinuous(label, item.i, item.k, item.l, item.j), label});
        if (space.nests_gaps())
            found.push_back({0, no_label});
    } else {
        for (Label label = no_label; label < scores.continuous_labels(); ++label)
            if (scores.is_possible(label, item.i, item.j))
                found.push_back(
                    {label == no_label ? 0 : scores.continuous(label, item.i, item.j), label});
    }
    std::ranges::stable_sort(found, std::ranges::greater{}, &ScoredLabel::score);
    return found;
}

// A way to make an item: a label, and which tree of each of its two parts is taken.
struct Way {
    float score;
    std::size_t pair, left, right, label;
    std::uint64_t content = 0;  // a hash of all constituents, in any order

    [[nodiscard]] auto places() const { return std::tuple(pair, left, right, label); }
    // Of equal ones, the first comes first.
    bool operator<(const Way& other) const {
        return score != other.score ? score < other.score : places() > other.places();
    }
};

class KBest {
  public:
    KBest(const SpanScores& scores, SearchSpace space, ItemScore inside)
        : scores_(scores), space_(space), inside_(std::move(inside)) {}

    std::vector<SpanTree> find(std::size_t count) {
        const Item goal = Item::whole(0, scores_.token_count());
        std::vector<SpanTree> found;
        while (found.size() < count) {
            const std::size_t rank = found.size();
            const Way* const way = best(goal, rank);
            if (way == nullptr)
                break;
            found.push_back({way->score, {}});
            read(goal, rank, found.back());
        }
        return found;
    }

  private:
    struct Entry {
        std::vector<std::pair<Item, Item>> pairs;
        std::vector<ScoredLabel> labels;
        std::vector<Way> found;
        std::priority_queue<Way> open;
        std::set<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> seen;
        std::set<std::uint64_t> contents;
    };

    Entry& entry(const Item& item) {
        const auto [place, is_new] = entries_.try_emplace(key_of(item));
        Entry& found = place->second;
        if (!is_new)
            return found;
        found.labels = labels_of(scores_, space_, item);
        const float label = found.labels.empty() ? impossible<float> : found.labels[0].score;
        if (item.size() == 1)
            found.open.push({label, 0, 0, 0, 0});
        else
            each_pair(item, space_, [&](const Item& left, const Item& right) {
                const float score = inside_(left) + inside_(right) + label;
                if (score == impossible<float>)
                    return;
                found.open.push({score, found.pairs.size(), 0, 0, 0});
                found.pairs.emplace_back(left, right);
            });
        return found;
    }

    // The way with a rank, or nullptr if there is none. A constituent with several children has
    // several ways that give the same tree: only one of them has a rank.
    const Way* best(const Item& item, std::size_t rank) {
        Entry& at = entry(item);
        while (at.found.size() <= rank && !at.open.empty()) {
            Way way = at.open.top();
            at.open.pop();
            way.content = content_of(item, at, way);
            if (at.contents.insert(way.content).second)
                at.found.push_back(way);
            open_next(item, way);
        }
        return rank < at.found.size() ? &at.found[rank] : nullptr;
    }

    std::uint64_t content_of(const Item& item, const Entry& at, const Way& way) {
        std::uint64_t found = 0;
        if (const Label label = at.labels[way.label].label; label != no_label)
            for (const std::int32_t part : {item.i, item.k, item.l, item.j, label})
                found = mixed(found + static_cast<std::uint32_t>(part) + 1);
        if (item.size() > 1) {
            const auto [left, right] = at.pairs[way.pair];
            found += best(left, way.left)->content + best(right, way.right)->content;
        }
        return found;
    }

    // The finalizer of MurmurHash3.
    static std::uint64_t mixed(std::uint64_t value) {
        value = (value ^ value >> 33U) * 0xff51afd7ed558ccdU;
        value = (value ^ value >> 33U) * 0xc4ceb9fe1a85ec53U;
        return value ^ value >> 33U;
    }

    void open_next(const Item& item, const Way& way) {
        push(item, {0, way.pair, way.left, way.right, way.label + 1});
        if (item.size() > 1) {
            push(item, {0, way.pair, way.left + 1, way.right, way.label});
            push(item, {0, way.pair, way.left, way.right + 1, way.label});
        }
    }

    void push(const Item& item, Way way) {
        Entry& at = entry(item);
        if (way.label >= at.labels.size() || !at.seen.insert(way.places()).second)
            return;
        way.score = at.labels[way.label].score;
        if (item.size() > 1) {
            const auto [left, right] = at.pairs[way.pair];
            const Way* const one = best(left, way.left);
            const Way* const other = best(right, way.right);
            if (one == nullptr || other == nullptr)
                return;
            way.score += one->score + other->score;
        }
        at.open.push(way);
    }

    // The trees below an item are smaller, so this is no deeper than the sentence is long.
    void read(const Item& item, std::size_t rank, SpanTree& tree) {
        std::vector<std::pair<Item, std::size_t>> open{{item, rank}};
        while (!open.empty()) {
            const auto [next, number] = open.back();
            open.pop_back();
            const Way way = *best(next, number);
            const Entry& at = entry(next);
            if (const Label label = at.labels[way.label].label; label != no_label)
                tree.constituents.push_back({next, label});
            if (next.size() > 1) {
                open.emplace_back(at.pairs[way.pair].second, way.right);
                open.emplace_back(at.pairs[way.pair].first, way.left);
            }
        }
    }

    const SpanScores& scores_;
    SearchSpace space_;
    ItemScore inside_;
    std::map<Key, Entry> entries_;  // references to entries stay valid
};

// The cubic chart has no scores of discontinuous items: they are those of the quartic one.
std::vector<SpanTree> best_cubic_trees(const SpanScores& scores, std::size_t count) {
    constexpr SearchSpace space{Rules::quartic};
    const CubicChart chart(scores);
    const auto inside = [&](const Item& item) {
        if (!item.has_gap())
            return chart.continuous().at(item.i, item.j);
        float label = impossible<float>;
        for (const ScoredLabel& one : labels_of(scores, space, item))
            label = std::max(label, one.score);
        return chart.continuous().at(item.i, item.k) + chart.continuous().at(item.l, item.j) +
               label;
    };
    return KBest(scores, space, inside).find(count);
}

}  // namespace

std::vector<SpanTree> best_trees(const SpanScores& scores, SearchSpace space, std::size_t count) {
    if (space.rules == Rules::cubic)
        return best_cubic_trees(scores, count);
    const Chart<Best> chart(scores, space);
    const auto inside = [&](const Item& item) {
        return item.has_gap() ? chart.gapped().at(item.i, item.k, item.l, item.j)
                              : chart.continuous().at(item.i, item.j);
    };
    return KBest(scores, space, inside).find(count);
}

}  // namespace crossbranch::spans

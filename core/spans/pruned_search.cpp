#include "spans/pruned_search.hpp"

#include <algorithm>
#include <utility>

#include "spans/chart.hpp"
#include "spans/cubic_chart.hpp"
#include "spans/promising.hpp"

namespace crossbranch::spans {

namespace {

constexpr int none = -1;

class Search {
  public:
    Search(const SpanScores& scores, bool ill_nested, const std::vector<PromisingItem>& items)
        : scores_(scores),
          count_(scores.token_count()),
          ill_nested_(ill_nested),
          items_(items),
          scores_of_items_(items.size()),
          children_(items.size(), none),
          by_first_(static_cast<std::size_t>(count_)),
          by_last_(static_cast<std::size_t>(count_) + 1),
          starts_(static_cast<std::size_t>(count_) + 2) {
        continuous_.resize(count_);
        for (Place place = 0; place <= count_; ++place)
            continuous_.set(place, place, 0);  // nothing stands there
        int next = 0;
        for (Place width = 1; width <= count_; ++width) {
            starts_[static_cast<std::size_t>(width)] = next;
            for (; next < number() && width_of(next) == width; ++next)
                fill_item(next);
            starts_[static_cast<std::size_t>(width) + 1] = next;
            for (Place i = 0, j = width; j <= count_; ++i, ++j) {
                const float inside = width == 1 ? 0 : best_parts(i, j).score;
                continuous_.set(i, j, inside + whole_label_score<Best>(scores, i, j));
            }
        }
    }

    SpanTree read() {
        SpanTree found{at(0, count_), {}};
        open(0, count_);
        while (!open_.empty()) {
            const auto [i, j, item] = open_.back();
            open_.pop_back();
            if (item != none)
                read_item(item, found);
            else
                read_whole(i, j, found);
        }
        return found;
    }

  private:
    // The parts of a continuous item: [i, m) and [m, j); or one item, with what stands in its gap;
    // or two that are ill-nested.
    struct Parts {
        float score = impossible<float>;
        Place m = none;
        int one = none, other = none;
    };
    struct Open {
        Place i, j;
        int item;
    };

    [[nodiscard]] int number() const { return static_cast<int>(items_.size()); }
    [[nodiscard]] const Item& item(int at) const {
        return items_[static_cast<std::size_t>(at)].item;
    }
    [[nodiscard]] Place width_of(int at) const { return item(at).j - item(at).i; }
    [[nodiscard]] float at(Place i, Place j) const { return continuous_.at(i, j); }
    [[nodiscard]] float score(int at) const {
        return scores_of_items_[static_cast<std::size_t>(at)];
    }

    // A constituent: its two blocks, or a smaller item with what stands around it.
    void fill_item(int at_item) {
        const auto [i, k, l, j] = item(at_item);
        float best = at(i, k) + at(l, j);
        int child = none;
        for (Place first = i; first < k; ++first)
            for (const int one : by_first_[static_cast<std::size_t>(first)]) {
                const Item& part = item(one);
                if (part.k > k || part.l < l || part.j > j)
                    continue;
                const float sum =
                    score(one) + at(i, first) + at(part.k, k) + at(l, part.l) + at(part.j, j);
                if (sum > best) {
                    best = sum;
                    child = one;
                }
            }
        const auto place = static_cast<std::size_t>(at_item);
        scores_of_items_[place] = best + items_[place].score;
        children_[place] = child;
        by_first_[static_cast<std::size_t>(i)].push_back(at_item);
        by_last_[static_cast<std::size_t>(j)].push_back(at_item);
    }

    [[nodiscard]] Parts best_parts(Place i, Place j) const {
        Parts best;
        best.score =
            add_pairs<Best>(continuous_.from(i) + i + 1, continuous_.until(j) + i + 1, j - 1 - i);
        for (int one = start(j - i); one < start(j - i + 1); ++one)
            if (item(one).i == i)
                keep({score(one) + at(item(one).k, item(one).l), none, one, none}, best);
        if (ill_nested_)
            for (const int one : by_first_[static_cast<std::size_t>(i)])
                for (const int other : by_last_[static_cast<std::size_t>(j)])
                    consider_crossing(one, other, best);
        return best;
    }

    void consider_crossing(int one, int other, Parts& best) const {
        const Item& left = item(one);
        const Item& right = item(other);
        if (left.k <= right.i && right.k <= left.l && left.j <= right.l)
            keep({score(one) + score(other) + at(left.k, right.i) + at(right.k, left.l) +
                      at(left.j, right.l),
                  none, one, other},
                 best);
    }

    static void keep(const Parts& found, Parts& best) {
        if (found.score > best.score)
            best = found;
    }

    // The first item that has at least so many tokens from its beginning to its end.
    [[nodiscard]] int start(Place width) const { return starts_[static_cast<std::size_t>(width)]; }

    void open(Place i, Place j) {
        if (i < j)
            open_.push_back({i, j, none});
    }
    void open_item(int at_item) { open_.push_back({none, none, at_item}); }

    void read_whole(Place i, Place j, SpanTree& found) {
        const Label label = best_label(scores_, {Rules::quintic}, Item::whole(i, j));
        if (label != no_label)
            found.constituents.push_back({Item::whole(i, j), label});
        if (j - i == 1)
            return;
        Parts parts = best_parts(i, j);
        if (parts.one == none) {
            for (Place m = i + 1; parts.m == none; ++m)
                if (at(i, m) + at(m, j) == parts.score)
                    parts.m = m;
            open(parts.m, j);
            open(i, parts.m);
            return;
        }
        const Item& left = item(parts.one);
        if (parts.other == none) {
            open(left.k, left.l);
        } else {
            const Item& right = item(parts.other);
            open(left.j, right.l);
            open(right.k, left.l);
            open(left.k, right.i);
            open_item(parts.other);
        }
        open_item(parts.one);
    }

    void read_item(int at_item, SpanTree& found) {
        const auto [i, k, l, j] = item(at_item);
        found.constituents.push_back(
            {item(at_item), best_label(scores_, {Rules::quintic}, item(at_item))});
        const int child = children_[static_cast<std::size_t>(at_item)];
        if (child == none) {
            open(l, j);
            open(i, k);
            return;
        }
        const Item& part = item(child);
        open(part.j, j);
        open(l, part.l);
        open(part.k, k);
        open_item(child);
        open(i, part.i);
    }

    const SpanScores& scores_;
    Place count_;
    bool ill_nested_;
    const std::vector<PromisingItem>& items_;
    ContinuousTable<float> continuous_;
    std::vector<float> scores_of_items_;
    std::vector<int> children_;  // the discontinuous child of an item
    std::vector<std::vector<int>> by_first_, by_last_;
    std::vector<int> starts_;
    std::vector<Open> open_;
};

}  // namespace

PrunedTree best_pruned_tree(const SpanScores& scores, bool ill_nested, std::size_t limit) {
    const PromisingItems promising = find_promising(scores, limit);
    SpanTree tree = Search(scores, ill_nested, promising.items).read();
    if (!promising.are_all)
        if (SpanTree cubic = best_cubic_tree(scores); cubic.score > tree.score)
            tree = std::move(cubic);
    const float bound = promising.are_all ? tree.score : std::max(tree.score, promising.bound);
    return {std::move(tree), bound};
}

}  // namespace crossbranch::spans

#include "spans/chart_items.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>

#include "spans/best_tree.hpp"
#include "spans/chart.hpp"

namespace crossbranch::spans {

namespace {

using Key = std::tuple<Place, Place, Place, Place>;

Key key_of(const Item& item) {
    return {item.i, item.k, item.l, item.j};
}

// Calls visit with all items in the order of Chart::fill_items.
template <typename Visit>
void each_item(Place count, SearchSpace space, Visit visit) {
    for (Place width = 1; width <= count; ++width)
        for (Place i = 0, j = width; j <= count; ++i, ++j) {
            for (Place k = i + 1; space.has_gaps() && k + 1 < j; ++k)
                for (Place l = j - 1; l > k; --l)
                    visit(Item{i, k, l, j});
            visit(Item::whole(i, j));
        }
}

class Lister {
  public:
    Lister(const SpanScores& scores, SearchSpace space, std::size_t best)
        : scores_(scores), space_(space), best_(best), chart_(scores, space) {}

    ChartItems list(std::size_t others) {
        add_tree();
        add_others(others);
        ChartItems found{{}, 0};
        each_item(scores_.token_count(), space_, [&](const Item& item) {
            const std::size_t place = found.total++;
            const auto role = roles_.find(key_of(item));
            if (role == roles_.end())
                return;
            const auto [is_in_tree, is_shown] = role->second;
            found.items.push_back({place, item, score(item), labels(item), ways(item), is_in_tree,
                                   is_in_tree || is_shown});
        });
        return found;
    }

  private:
    struct Role {
        bool is_in_tree = false;
        bool is_shown = false;
    };

    [[nodiscard]] float score(const Item& item) const {
        return item.has_gap() ? chart_.gapped().at(item.i, item.k, item.l, item.j)
                              : chart_.continuous().at(item.i, item.j);
    }

    [[nodiscard]] float score(const Item& item, Label label) const {
        if (label == no_label)
            return 0;
        return item.has_gap() ? scores_.discontinuous(label, item.i, item.k, item.l, item.j)
                              : scores_.continuous(label, item.i, item.j);
    }

    [[nodiscard]] bool is_possible(const Item& item, Label label) const {
        if (item.has_gap())
            return label != no_label || space_.nests_gaps();
        return scores_.is_possible(label, item.i, item.j);
    }

    // The label that is taken comes first, even if another one has the same score.
    [[nodiscard]] std::vector<ItemLabel> labels(const Item& item) const {
        const Label taken = best_label(scores_, space_, item);
        const Label count =
            item.has_gap() ? scores_.discontinuous_labels() : scores_.continuous_labels();
        std::vector<ItemLabel> found;
        for (Label label = no_label; label < count; ++label)
            if (label != taken && is_possible(item, label))
                found.push_back({label, score(item, label)});
        std::ranges::stable_sort(found, std::ranges::greater{}, &ItemLabel::score);
        found.insert(found.begin(), {taken, score(item, taken)});
        found.resize(std::min(found.size(), best_));
        return found;
    }

    [[nodiscard]] std::vector<ItemWay> ways(const Item& item) const {
        std::vector<ItemWay> found;
        if (item.size() == 1)
            return found;
        each_pair(item, space_, [&](const Item& left, const Item& right) {
            found.push_back({rule_of(item, left, right), left, right, score(left) + score(right)});
        });
        // The first of equal ones is taken, as in best_tree.
        std::ranges::stable_sort(found, std::ranges::greater{}, &ItemWay::score);
        found.resize(std::min(found.size(), best_));
        const float label = score(item, best_label(scores_, space_, item));
        for (ItemWay& way : found)
            way.score += label;
        return found;
    }

    void add_tree() { add(Item::whole(0, scores_.token_count()), {true, true}); }

    // Adds an item and everything below it.
    void add(const Item& top, Role role) {
        std::vector<Item> open{top};
        bool is_top = true;
        while (!open.empty()) {
            const Item item = open.back();
            open.pop_back();
            Role& own = roles_[key_of(item)];
            own.is_in_tree |= role.is_in_tree;
            own.is_shown |= role.is_shown && (is_top || role.is_in_tree);
            is_top = false;
            if (item.size() == 1)
                continue;
            const ItemWay way = best_way(item);
            open.push_back(way.right);
            open.push_back(way.left);
        }
    }

    [[nodiscard]] ItemWay best_way(const Item& item) const {
        ItemWay best{'a', item, item, impossible<float>};
        each_pair(item, space_, [&](const Item& left, const Item& right) {
            if (const float sum = score(left) + score(right); sum > best.score)
                best = {'a', left, right, sum};
        });
        return best;
    }

    // What its best label would give, even if having none is better.
    [[nodiscard]] float best_label_score(const Item& item) const {
        const Label count =
            item.has_gap() ? scores_.discontinuous_labels() : scores_.continuous_labels();
        float found = impossible<float>;
        for (Label label = 0; label < count; ++label)
            if (is_possible(item, label))
                found = std::max(found, score(item, label));
        return found;
    }

    void add_others(std::size_t count) {
        using Candidate = std::tuple<float, Key>;
        std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> kept;
        each_item(scores_.token_count(), space_, [&](const Item& item) {
            const auto known = roles_.find(key_of(item));
            if (known != roles_.end() && known->second.is_in_tree)
                return;
            kept.emplace(best_label_score(item), key_of(item));
            if (kept.size() > count)
                kept.pop();
        });
        for (; !kept.empty(); kept.pop()) {
            const auto [i, k, l, j] = std::get<Key>(kept.top());
            add({i, k, l, j}, {false, true});
        }
    }

    const SpanScores& scores_;
    SearchSpace space_;
    std::size_t best_;
    Chart<Best> chart_;
    std::map<Key, Role> roles_;
};

char rule_of_gaps(const Item& item, const Item& left, const Item& right) {
    if (!item.has_gap())
        return 'i';
    if (left.j == item.j)
        return 'd';
    if (left.j == item.k)
        return 'k';
    return right.i == item.l ? 'l' : 'j';
}

}  // namespace

char rule_of(const Item& item, const Item& left, const Item& right) {
    if (left.has_gap() && right.has_gap())
        return rule_of_gaps(item, left, right);
    if (!item.has_gap())
        return left.has_gap() ? 'c' : 'a';
    if (!left.has_gap())
        return right.has_gap() ? 'e' : 'b';
    if (right.j == item.k)
        return 'g';
    return right.j == item.j ? 'f' : 'h';
}

ChartItems chart_items(const SpanScores& scores, SearchSpace space, std::size_t others,
                       std::size_t best) {
    if (space.rules == Rules::cubic)
        space.rules = Rules::quartic;
    return Lister(scores, space, std::max<std::size_t>(best, 1)).list(others);
}

}  // namespace crossbranch::spans

#include "spans/best_tree.hpp"

#include <algorithm>
#include <stdexcept>

#include "spans/chart.hpp"
#include "spans/cubic_chart.hpp"

namespace crossbranch::spans {

namespace {

struct Pair {
    float score = impossible<float>;
    Item left{}, right{};
};

class Reader {
  public:
    explicit Reader(const Chart<Best>& chart) : chart_(chart) {}

    SpanTree read() {
        SpanTree found{chart_.goal(), {}};
        open_ = {Item::whole(0, chart_.scores().token_count())};
        while (!open_.empty()) {
            const Item item = open_.back();
            open_.pop_back();
            const Label label = best_label(chart_.scores(), chart_.space(), item);
            if (label != no_label)
                found.constituents.push_back({item, label});
            if (item.size() > 1)
                open(best_pair(item));
        }
        return found;
    }

  private:
    [[nodiscard]] float score(const Item& item) const {
        return item.has_gap() ? chart_.gapped().at(item.i, item.k, item.l, item.j)
                              : chart_.continuous().at(item.i, item.j);
    }

    // The charts keep scores only: what an item is made of is found again, for the few of a tree.
    [[nodiscard]] Pair best_pair(const Item& item) const {
        Pair best;
        each_pair(item, chart_.space(), [&](const Item& left, const Item& right) {
            const float sum = score(left) + score(right);
            if (sum > best.score)
                best = {sum, left, right};
        });
        return best;
    }

    void open(const Pair& pair) {
        open_.push_back(pair.right);
        open_.push_back(pair.left);
    }

    const Chart<Best>& chart_;
    std::vector<Item> open_;
};

}  // namespace

Label best_label(const SpanScores& scores, SearchSpace space, const Item& item) {
    const bool can_lack =
        item.has_gap() ? space.nests_gaps() : scores.is_possible(no_label, item.i, item.j);
    float best = can_lack ? 0 : impossible<float>;
    Label found = no_label;
    const auto consider = [&](Label label, float score) {
        if (score > best || (score == best && found == no_label)) {
            best = score;
            found = label;
        }
    };
    if (item.has_gap()) {
        for (Label label = 0; label < scores.discontinuous_labels(); ++label)
            consider(label, scores.discontinuous(label, item.i, item.k, item.l, item.j));
    } else {
        for (Label label = 0; label < scores.continuous_labels(); ++label)
            if (scores.is_possible(label, item.i, item.j))
                consider(label, scores.continuous(label, item.i, item.j));
    }
    return found;
}

SpanTree best_tree(const SpanScores& scores, SearchSpace space) {
    if (space.rules == Rules::cubic)
        return best_cubic_tree(scores);
    thread_local Chart<Best> chart;  // keeps its memory
    chart.fill(scores, space);
    return Reader(chart).read();
}

void check(const SpanScores& scores, std::span<const Constituent> constituents) {
    for (const auto& [item, label] : constituents) {
        const auto [i, k, l, j] = item;
        const Label labels =
            item.has_gap() ? scores.discontinuous_labels() : scores.continuous_labels();
        const bool is_item = item.has_gap() ? i < k && k < l && l < j : i < j;
        if (i < 0 || j > scores.token_count() || !is_item || label < 0 || label >= labels)
            throw std::invalid_argument("there is no such constituent");
    }
}

}  // namespace crossbranch::spans

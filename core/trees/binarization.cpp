#include "trees/binarization.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "trees/span.hpp"

namespace crossbranch {

namespace {

// An item to merge: a child, or the result of merging some children.
struct Item {
    Index number;
    Blocks blocks;

    [[nodiscard]] bool is_continuous() const { return blocks.size() == 1; }
};

// Stores merges and numbers their results.
class Merger {
  public:
    explicit Merger(Index child_count) : next_(child_count) {}

    Index merge(Index left, Index right) {
        merges_.emplace_back(left, right);
        return next_++;
    }

    Item merge(const Item& left, const Item& right) {
        return {merge(left.number, right.number), unite(left.blocks, right.blocks)};
    }

    [[nodiscard]] std::vector<std::pair<Index, Index>> take() { return std::move(merges_); }

  private:
    Index next_;
    std::vector<std::pair<Index, Index>> merges_;
};

std::vector<Item> make_items(std::vector<Blocks> children) {
    std::vector<std::pair<Block, Index>> all;
    for (Index child = 0; child < children.size(); ++child) {
        const std::string name = "child " + std::to_string(child);
        if (children[child].empty())
            throw std::invalid_argument(name + " has no blocks");
        for (const Block& block : children[child]) {
            if (block.start >= block.stop)
                throw std::invalid_argument(name + " has the empty block (" +
                                            std::to_string(block.start) + ", " +
                                            std::to_string(block.stop) + ")");
            all.emplace_back(block, child);
        }
    }
    std::ranges::sort(all, {}, [](const auto& entry) { return entry.first.start; });
    for (Index i = 1; i < all.size(); ++i)
        if (all[i].first.start < all[i - 1].first.stop)
            throw std::invalid_argument("child " + std::to_string(all[i].second) +
                                        " shares token " + std::to_string(all[i].first.start) +
                                        " with child " + std::to_string(all[i - 1].second));
    std::vector<Item> items;
    for (Index child = 0; child < children.size(); ++child) {
        normalize(children[child]);
        items.push_back({child, std::move(children[child])});
    }
    std::ranges::sort(items, {}, [](const Item& item) { return item.blocks.front().start; });
    return items;
}

// Merges continuous items that touch. This never makes the result worse: the merged item has
// fan-out 1, and in any other binarization, moving one of the two to the other raises no fan-out.
std::vector<Item> join_runs(std::vector<Item> items, Merger& merger) {
    std::vector<Item> joined;
    for (Item& item : items) {
        if (!joined.empty() && joined.back().is_continuous() && item.is_continuous() &&
            joined.back().blocks.back().stop == item.blocks.front().start)
            joined.back() = merger.merge(joined.back(), item);
        else
            joined.push_back(std::move(item));
    }
    return joined;
}

// The closure of the items under disjoint union within a bound on the fan-out, smallest sets first.
class Closure {
  public:
    Closure(const std::vector<Item>& items, Index bound, Index subset_limit)
        : items_(items), bound_(bound), limit_(subset_limit), sizes_(items.size() + 1) {
        for (Index i = 0; i < items.size(); ++i) {
            Span members;
            members.set(i);
            add({members, items[i].blocks, 0, {}}, 1);
        }
        for (Index size = 2; size <= items.size() && !outgrown(); ++size)
            for (Index part = 1; part <= size / 2; ++part)
                combine(part, size - part);
    }

    [[nodiscard]] bool outgrown() const { return subsets_.size() > limit_; }
    [[nodiscard]] bool is_complete() const { return !sizes_.back().empty(); }

    // Merges from left to right, the parts of an item before the item.
    void emit(Merger& merger) const {
        std::vector<Index> order;  // a whole, its right part, its left part
        std::vector<Index> stack{sizes_.back().front()};
        while (!stack.empty()) {
            order.push_back(stack.back());
            stack.pop_back();
            if (const auto& parts = subsets_[order.back()].parts)
                stack.insert(stack.end(), {parts->first, parts->second});
        }
        std::unordered_map<Index, Index> numbers;
        for (auto subset = order.rbegin(); subset != order.rend(); ++subset)
            if (const auto& parts = subsets_[*subset].parts)
                numbers[*subset] =
                    merger.merge(numbers.at(parts->first), numbers.at(parts->second));
            else
                numbers[*subset] = items_[*subset].number;
    }

  private:
    struct Subset {
        Span members;  // of the items
        Blocks blocks;
        Index cost;  // the lowest sum of fan-outs of this subset and its parts
        std::optional<std::pair<Index, Index>> parts;
    };

    void add(Subset subset, Index size) {
        numbers_.emplace(subset.members, subsets_.size());
        sizes_[size].push_back(subsets_.size());
        subsets_.push_back(std::move(subset));
    }

    // Unites the subsets of two sizes. All smaller ones already have their lowest cost.
    void combine(Index left_size, Index right_size) {
        for (const Index left : sizes_[left_size])
            for (const Index right : sizes_[right_size]) {
                if (left_size == right_size && right <= left)
                    continue;
                consider(left, right, left_size + right_size);
                if (outgrown())
                    return;
            }
    }

    void consider(Index left, Index right, Index size) {
        const Subset& a = subsets_[left];
        const Subset& b = subsets_[right];
        if (a.members.intersects(b.members))
            return;
        const Index fan_out = united_fan_out(a.blocks, b.blocks);
        if (fan_out > bound_ && size < items_.size())
            return;
        const Index cost = a.cost + b.cost + fan_out;
        const Span members = a.members | b.members;
        const std::pair parts = *a.members.first() < *b.members.first() ? std::pair(left, right)
                                                                        : std::pair(right, left);
        if (const auto known = numbers_.find(members); known == numbers_.end())
            add({members, unite(a.blocks, b.blocks), cost, parts}, size);
        else if (Subset& subset = subsets_[known->second]; cost < subset.cost) {
            subset.cost = cost;
            subset.parts = parts;
        }
    }

    const std::vector<Item>& items_;
    Index bound_;
    Index limit_;
    std::vector<Subset> subsets_;
    std::unordered_map<Span, Index> numbers_;
    std::vector<std::vector<Index>> sizes_;  // sizes_[s]: the subsets of s items
};

// Returns false, and merges nothing, if the closure is larger than the limit.
bool merge_exactly(const std::vector<Item>& items, Index subset_limit, Merger& merger) {
    for (Index bound = 1;; ++bound) {
        const Closure closure(items, bound, subset_limit);
        if (closure.outgrown())
            return false;
        if (closure.is_complete()) {
            closure.emit(merger);
            return true;
        }
    }
}

// The positions of two items with neighbouring blocks whose union has the lowest fan-out.
std::pair<Index, Index> best_neighbours(const std::vector<Item>& items) {
    std::vector<std::pair<Index, Index>> starts;  // of every block, with the item's position
    for (Index i = 0; i < items.size(); ++i)
        for (const Block& block : items[i].blocks)
            starts.emplace_back(block.start, i);
    std::ranges::sort(starts);
    std::optional<Index> lowest;
    std::pair<Index, Index> best;
    for (Index i = 1; i < starts.size(); ++i) {
        const auto [a, b] = std::minmax(starts[i - 1].second, starts[i].second);
        if (a == b)
            continue;
        const Index fan_out = united_fan_out(items[a].blocks, items[b].blocks);
        if (!lowest || fan_out < *lowest) {
            lowest = fan_out;
            best = {a, b};
        }
    }
    return best;
}

void merge_greedily(std::vector<Item> items, Merger& merger) {
    while (items.size() > 1) {
        const auto [a, b] = best_neighbours(items);
        items[a] = merger.merge(items[a], items[b]);
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(b));
    }
}

}  // namespace

Binarization optimal_binarization(std::vector<Blocks> children, Index subset_limit) {
    Merger merger(children.size());
    const std::vector<Item> items = join_runs(make_items(std::move(children)), merger);
    bool exact = true;
    if (items.size() > 1 && !merge_exactly(items, subset_limit, merger)) {
        exact = false;
        merge_greedily(items, merger);
    }
    return {merger.take(), exact};
}

}  // namespace crossbranch

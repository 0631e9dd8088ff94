#include "spans/token_scales.hpp"

#include <numeric>
#include <utility>

#include "spans/item_table.hpp"

namespace crossbranch::spans {

double TokenScales::sum() const {
    return std::accumulate(scales.begin(), scales.end(), 0.0);
}

// The best continuous tree if all labels of a span count together. Each of its nodes shares its
// score out among its tokens.
TokenScales find_scales(const ExponentialScores& scores) {
    const Place count = scores.token_count();
    ContinuousTable<double> best;
    best.resize(count);
    const auto cell = [count](Place i, Place j) {
        return static_cast<std::size_t>(i * (count + 1) + j);
    };
    std::vector<Place> splits(cell(count, count));
    for (Place width = 1; width <= count; ++width)
        for (Place i = 0, j = width; j <= count; ++i, ++j) {
            double highest = width == 1 ? 0 : impossible<double>;
            for (Place m = i + 1; m < j; ++m)
                if (const double sum = best.from(i)[m] + best.until(j)[m]; sum > highest) {
                    highest = sum;
                    splits[cell(i, j)] = m;
                }
            best.set(i, j, highest + scores.log_label_sum(i, j));
        }
    TokenScales found{std::vector<double>(static_cast<std::size_t>(count)), best.at(0, count)};
    std::vector<std::pair<Place, Place>> open{{0, count}};
    while (!open.empty()) {
        const auto [i, j] = open.back();
        open.pop_back();
        for (Place token = i; token < j; ++token)
            found.scales[static_cast<std::size_t>(token)] += scores.log_label_sum(i, j) / (j - i);
        if (j - i > 1) {
            open.emplace_back(i, splits[cell(i, j)]);
            open.emplace_back(splits[cell(i, j)], j);
        }
    }
    return found;
}

}  // namespace crossbranch::spans

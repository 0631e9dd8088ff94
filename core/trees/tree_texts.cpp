#include "trees/tree_texts.hpp"

#include <algorithm>

namespace crossbranch {

void sort_children(TreeTexts& tree) {
    std::vector<std::int64_t> first_tokens;
    first_tokens.reserve(tree.sizes.size());
    const auto first_token = [&](std::int64_t child) {
        return child >= 0 ? child : first_tokens[static_cast<std::size_t>(~child)];
    };
    auto start = tree.children.begin();
    for (const std::int64_t size : tree.sizes) {
        const auto stop = start + size;
        if (!std::ranges::is_sorted(start, stop, {}, first_token))
            std::ranges::sort(start, stop, {}, first_token);
        first_tokens.push_back(first_token(*start));
        start = stop;
    }
}

std::vector<std::size_t> child_starts(const TreeTexts& tree) {
    std::vector<std::size_t> starts{0};
    starts.reserve(tree.sizes.size() + 1);
    for (const std::int64_t size : tree.sizes)
        starts.push_back(starts.back() + static_cast<std::size_t>(size));
    return starts;
}

}  // namespace crossbranch

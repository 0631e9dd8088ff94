#include "functions/head_rules.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace crossbranch {

namespace {

using Items = std::vector<HeadItem>;

bool fits(const HeadItem& item, const HeadPattern& pattern) {
    return std::ranges::any_of(pattern, [&](const HeadChoice& choice) {
        return choice.labels[item.label] != 0 &&
               (choice.functions.empty() || choice.functions[item.function] != 0);
    });
}

std::optional<std::size_t> choose(const HeadRule& rule, const Items& children) {
    const std::size_t count = children.size();
    for (const HeadPattern& candidate : rule.candidates) {
        switch (rule.which) {
            case Which::first:
            case Which::first_mark:
                for (std::size_t i = 0; i < count; ++i)
                    if (fits(children[i], candidate))
                        return i;
                break;
            case Which::last:
            case Which::last_mark:
                for (std::size_t i = count; i-- > 0;)
                    if (fits(children[i], candidate))
                        return i;
                break;
            case Which::initial:
                if (fits(children.front(), candidate))
                    return 0;
                break;
            case Which::final:
                if (fits(children.back(), candidate))
                    return count - 1;
                break;
            case Which::across:
                break;
        }
    }
    return std::nullopt;
}

bool is_for_marks(const HeadRule& rule) {
    return rule.which == Which::first_mark || rule.which == Which::last_mark;
}

// Some children of a node, and their positions among all of them.
struct Selection {
    Items items;
    std::vector<std::size_t> positions;

    void add(const HeadItem& item, std::size_t position) {
        items.push_back(item);
        positions.push_back(position);
    }
};

void check(const HeadPattern& pattern, std::size_t labels, std::size_t functions) {
    for (const HeadChoice& choice : pattern)
        if (choice.labels.size() != labels ||
            (!choice.functions.empty() && choice.functions.size() != functions))
            throw std::invalid_argument("a head rule has an entry for each label and function");
}

}  // namespace

HeadRules::HeadRules(std::vector<HeadRule> rules, std::size_t label_count,
                     std::size_t function_count)
    : rules_(std::move(rules)), label_count_(label_count), function_count_(function_count) {
    for (const HeadRule& rule : rules_) {
        check(rule.node, label_count, function_count);
        for (const HeadPattern& candidate : rule.candidates)
            check(candidate, label_count, function_count);
    }
}

std::optional<std::size_t> HeadRules::find(const HeadItem& node,
                                           std::span<const HeadItem> children) const {
    const bool skips = !std::ranges::all_of(children, &HeadItem::is_punctuation);
    Selection seen;
    Selection marks;
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (!skips || !children[i].is_punctuation)
            seen.add(children[i], i);
        if (children[i].is_punctuation)
            marks.add(children[i], i);
    }
    if (children.empty())
        return std::nullopt;
    for (const HeadRule& rule : rules_) {
        if (rule.which == Which::across || !fits(node, rule.node))
            continue;
        const Selection& selection = is_for_marks(rule) ? marks : seen;
        const auto found = choose(rule, selection.items);
        if (!found)
            continue;
        if (is_for_marks(rule))
            return marks.positions[*found];
        // A conjunct that follows a conjunction gives way to the conjunct before it.
        const auto crosses = [&](const HeadRule& other) {
            return other.which == Which::across && fits(node, other.node) &&
                   std::ranges::any_of(other.candidates, [&](const HeadPattern& candidate) {
                       return fits(seen.items[*found - 1], candidate);
                   });
        };
        const bool is_second = *found >= 2 && std::ranges::any_of(rules_, crosses);
        return seen.positions[is_second ? *found - 2 : *found];
    }
    return std::nullopt;
}

}  // namespace crossbranch

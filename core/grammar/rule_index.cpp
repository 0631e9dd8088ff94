#include "grammar/rule_index.hpp"

#include <algorithm>
#include <tuple>

namespace crossbranch::grammar {
namespace {

// A rule as it looks from one of its children.
struct View {
    Symbol own;
    bool is_first;
    Symbol partner;
    RuleNumber rule;
};

struct Touch {
    std::uint16_t own_end = no_end;
    std::uint16_t partner_end = no_end;
};

// The first place where a child touches the other one.
Touch find_touch(const Composition& composition, std::uint16_t child) {
    const auto& parts = composition.parts;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (parts[i].opens || parts[i].child == parts[i - 1].child)
            continue;
        const auto stop = static_cast<std::uint16_t>(2 * parts[i - 1].block + 1);
        const auto start = static_cast<std::uint16_t>(2 * parts[i].block);
        return parts[i].child == child ? Touch{start, stop} : Touch{stop, start};
    }
    return {};
}

}  // namespace

RuleIndex::RuleIndex(const Grammar& grammar)
    : unaries_(grammar.fan_outs.size()), shelves_(grammar.fan_outs.size()) {
    std::vector<View> views;
    for (RuleNumber number = 0; number < grammar.rules.size(); ++number) {
        const Rule& rule = grammar.rules[number];
        if (rule.second == no_symbol) {
            unaries_[rule.first].push_back(number);
            continue;
        }
        views.push_back({rule.first, true, rule.second, number});
        views.push_back({rule.second, false, rule.first, number});
    }
    const auto key = [&](const View& view) {
        return std::tuple(view.own, view.is_first, view.partner,
                          grammar.rules[view.rule].composition);
    };
    std::ranges::sort(views, [&](const View& a, const View& b) {
        return std::tuple(key(a), a.rule) < std::tuple(key(b), b.rule);
    });
    first_meeting_.assign(grammar.fan_outs.size() + 1, 0);
    for (std::size_t i = 0; i < views.size(); ++i) {
        const View& view = views[i];
        const Rule& rule = grammar.rules[view.rule];
        if (i == 0 || key(view) != key(views[i - 1])) {
            const Touch touch =
                find_touch(grammar.compositions[rule.composition], view.is_first ? 0 : 1);
            const auto begin = static_cast<std::uint32_t>(outcomes_.size());
            meetings_.push_back({shelf_for(view.partner, touch.partner_end), rule.composition,
                                 touch.own_end, view.is_first, begin, begin});
            ++first_meeting_[view.own + 1];
        }
        outcomes_.push_back({rule.left, view.rule, rule.cost});
        ++meetings_.back().end;
    }
    for (std::size_t symbol = 0; symbol < grammar.fan_outs.size(); ++symbol)
        first_meeting_[symbol + 1] += first_meeting_[symbol];
}

std::uint32_t RuleIndex::shelf_for(Symbol symbol, std::uint16_t end) {
    for (const Shelf& shelf : shelves_[symbol])
        if (shelf.end == end)
            return shelf.number;
    shelves_[symbol].push_back({shelf_count_, end});
    return shelf_count_++;
}

}  // namespace crossbranch::grammar

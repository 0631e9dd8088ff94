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

// The ends of an item that limit its partner, and the ends of the partner that they limit.
struct Limit {
    Contact contact = Contact::touch;
    std::uint16_t own[2] = {no_end, no_end};
    std::uint16_t partner[2] = {no_end, no_end};

    void add(std::size_t i, std::uint16_t own_end, std::uint16_t partner_end) {
        own[i] = own_end;
        partner[i] = partner_end;
    }
};

// How a child of a rule limits the other child.
Limit find_limit(const Composition& composition, std::uint16_t child) {
    const auto& parts = composition.parts;
    Limit found;
    std::size_t touches = 0;
    for (const bool must_touch : {true, false}) {
        for (std::size_t i = 1; i < parts.size() && touches < 2; ++i) {
            if (parts[i].opens == must_touch || parts[i].child == parts[i - 1].child)
                continue;
            const auto stop = static_cast<std::uint16_t>(2 * parts[i - 1].block + 1);
            const auto start = static_cast<std::uint16_t>(2 * parts[i].block);
            const bool is_later = parts[i].child == child;
            found.add(touches, is_later ? start : stop, is_later ? stop : start);
            if (!must_touch) {
                found.contact = is_later ? Contact::after : Contact::before;
                return found;
            }
            ++touches;
        }
        if (touches > 0)
            break;
    }
    found.contact = touches == 2 ? Contact::two_touches : Contact::touch;
    return found;
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
            const Limit limit =
                find_limit(grammar.compositions[rule.composition], view.is_first ? 0 : 1);
            const auto begin = static_cast<std::uint32_t>(outcomes_.size());
            meetings_.push_back({shelf_for(view.partner, limit.partner[0], limit.partner[1]),
                                 rule.composition, limit.own[0], limit.own[1], limit.contact,
                                 view.is_first, begin, begin});
            ++first_meeting_[view.own + 1];
        }
        outcomes_.push_back({rule.left, view.rule, rule.cost});
        ++meetings_.back().end;
    }
    for (std::size_t symbol = 0; symbol < grammar.fan_outs.size(); ++symbol)
        first_meeting_[symbol + 1] += first_meeting_[symbol];
}

std::uint32_t RuleIndex::shelf_for(Symbol symbol, std::uint16_t end, std::uint16_t second_end) {
    for (const Shelf& shelf : shelves_[symbol])
        if (shelf.end == end && shelf.second_end == second_end)
            return shelf.number;
    shelves_[symbol].push_back({shelf_count_, end, second_end});
    return shelf_count_++;
}

}  // namespace crossbranch::grammar

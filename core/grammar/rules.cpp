#include "grammar/rules.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace crossbranch::grammar {

Composition Composition::parse(std::string_view text) {
    Composition found;
    bool opens = true;
    for (const char letter : text) {
        if (letter == ',' && !opens) {
            opens = true;
            continue;
        }
        if (letter != '0' && letter != '1')
            throw std::invalid_argument("not a composition: \"" + std::string(text) + "\"");
        const auto child = static_cast<std::uint16_t>(letter - '0');
        const auto block = static_cast<std::uint16_t>(found.children[child]++);
        found.parts.push_back({child, block, opens});
        found.fan_out += opens ? 1 : 0;
        opens = false;
    }
    if (opens || found.parts.front().child != 0)
        throw std::invalid_argument("not a composition: \"" + std::string(text) + "\"");
    return found;
}

bool Composition::joins_own_blocks() const {
    for (std::size_t i = 1; i < parts.size(); ++i)
        if (!parts[i].opens && parts[i].child == parts[i - 1].child)
            return true;
    return false;
}

RuleNumber Grammar::add(Symbol left, Symbol first, Symbol second, const std::string& composition,
                        double cost) {
    const std::uint32_t number = composition_number(composition);
    const Composition& shape = compositions[number];
    const bool is_unary = second == no_symbol;
    const auto known = [&](Symbol symbol) { return symbol < fan_outs.size(); };
    if (!known(left) || !known(first) || (!is_unary && !known(second)))
        throw std::invalid_argument("a rule has an unknown symbol");
    if (shape.fan_out != fan_outs[left] || shape.children[0] != fan_outs[first] ||
        shape.children[1] != (is_unary ? 0 : fan_outs[second]))
        throw std::invalid_argument("the composition \"" + composition +
                                    "\" does not fit the fan-outs of its symbols");
    if (!(cost >= 0) || std::isinf(cost))
        throw std::invalid_argument("the cost of a rule must be a number of at least 0");
    rules.push_back({left, first, second, number, cost});
    joins_own_blocks = joins_own_blocks || shape.joins_own_blocks();
    return static_cast<RuleNumber>(rules.size() - 1);
}

std::uint32_t Grammar::composition_number(const std::string& text) {
    const auto place = std::find(texts_.begin(), texts_.end(), text);
    if (place != texts_.end())
        return static_cast<std::uint32_t>(place - texts_.begin());
    compositions.push_back(Composition::parse(text));
    texts_.push_back(text);
    return static_cast<std::uint32_t>(texts_.size() - 1);
}

Grammar make_grammar(std::vector<std::size_t> fan_outs, Symbol start) {
    if (start >= fan_outs.size() || fan_outs[start] != 1)
        throw std::invalid_argument("the start symbol must be a symbol with fan-out 1");
    for (const std::size_t fan_out : fan_outs)
        if (fan_out == 0)
            throw std::invalid_argument("a fan-out must be at least 1");
    Grammar found;
    found.start = start;
    found.largest_fan_out = *std::max_element(fan_outs.begin(), fan_outs.end());
    found.fan_outs = std::move(fan_outs);
    return found;
}

}  // namespace crossbranch::grammar

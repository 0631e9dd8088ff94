// Small transition systems with every transition there can be, and walks through them.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "transitions/system.hpp"
#include "transitions/tree_codes.hpp"

namespace walks {

using namespace crossbranch;

inline constexpr std::array<std::string_view, 4> names = {"gap", "cgap", "swap", "cswap"};

enum SmallLabel : Label { S, NP, S_, NP_, ROOT_, ROOT };  // a final _ marks temporary labels

inline Labels small_labels() {
    return {{LabelKind::plain, LabelKind::plain, LabelKind::temporary, LabelKind::temporary,
             LabelKind::temporary, LabelKind::root},
            {S, NP, S, NP, ROOT, ROOT}};
}

inline bool is_compound(std::string_view name) {
    return name.starts_with('c');
}

inline bool is_gap(std::string_view name) {
    return name.ends_with("gap");
}

// The systems whose trees are not binary.
inline constexpr std::array<std::string_view, 4> candidate_names = {"ml-gap", "ml-gap-lex",
                                                                    "ml-cgap", "stack-free"};

// All reductions; compound moves of up to `largest` items.
inline std::shared_ptr<const System> small_system(std::string_view name,
                                                  const SystemOptions& options = {},
                                                  std::int32_t largest = 3) {
    const Labels labels = small_labels();
    std::vector<Transition> transitions;
    for (Label label = 0; label < labels.count(); ++label) {
        if (!labels.is_temporary(label))
            transitions.push_back({Move::unary, label});
        transitions.push_back({Move::left, label});
        transitions.push_back({Move::right, label});
    }
    if (is_compound(name))
        transitions.push_back({is_gap(name) ? Move::gap : Move::swap, largest});
    return make_system(name, labels, transitions, options);
}

// One configuration with its forest.
struct Walk {
    std::shared_ptr<const System> system;
    Forest forest;
    Configuration at;

    Walk(std::shared_ptr<const System> given, std::int32_t token_count) : system(std::move(given)) {
        forest.reset(token_count);
    }

    [[nodiscard]] Legal ranges() const {
        Legal legal;
        system->find_legal(forest, at, legal);
        return legal;
    }

    [[nodiscard]] std::vector<TransitionId> legal() const {
        std::vector<TransitionId> ids;
        for (const auto& [begin, end] : ranges())
            for (TransitionId id = begin; id < end; ++id)
                ids.push_back(id);
        return ids;
    }

    [[nodiscard]] bool allows(Move move, std::int32_t argument = 0) const {
        return std::ranges::count(legal(), system->find({move, argument})) == 1;
    }

    // How many transitions of this move are legal.
    [[nodiscard]] auto count(Move move) const {
        return std::ranges::count(legal(), move,
                                  [&](TransitionId id) { return system->transition(id).move; });
    }

    Walk& take(Move move, std::int32_t argument = 0) {
        if (!allows(move, argument))
            throw std::logic_error("a test takes a transition that is not legal");
        at = system->apply(forest, at, system->find({move, argument}));
        return *this;
    }

    Walk& shift(int times = 1) {
        for (; times > 0; --times)
            take(Move::shift);
        return *this;
    }

    [[nodiscard]] bool is_final() const { return system->is_final(forest, at); }
    [[nodiscard]] bool is_whole() const { return system->is_whole(forest, at); }
    [[nodiscard]] const ForestNode& focus() const { return forest.node(at.focus); }

    // From the top.
    [[nodiscard]] std::vector<Vertex> items(CellId cell) const {
        std::vector<Vertex> found;
        for (; cell != no_cell; cell = forest.cell(cell).below)
            found.push_back(forest.cell(cell).vertex);
        return found;
    }
    [[nodiscard]] std::vector<Vertex> stack() const { return items(at.stack); }
    [[nodiscard]] std::vector<Vertex> aside() const { return items(at.aside); }
};

inline std::size_t draw(std::mt19937_64& random, std::size_t limit) {
    return static_cast<std::size_t>(random() % limit);
}

inline bool is_ascending(const Legal& legal, std::size_t count) {
    TransitionId last = 0;
    for (const auto& [begin, end] : legal) {
        if (begin < last || end <= begin)
            return false;
        last = end;
    }
    return last <= static_cast<TransitionId>(count);
}

// Takes legal transitions at random; some never want to stop swapping, gapping or making nodes.
inline std::size_t walk_to_the_end(Walk& walk, std::mt19937_64& random, std::size_t limit) {
    const auto wanted = static_cast<Move>(draw(random, 2 * move_count));
    std::size_t steps = 0;
    for (; !walk.is_final() && steps < limit; ++steps) {
        CHECK(is_ascending(walk.ranges(), walk.system->id_count(walk.forest.depth(walk.at.stack))));
        std::vector<TransitionId> legal = walk.legal();
        if (legal.empty())
            break;
        CHECK(walk.is_whole() ==
              (walk.system->transition(legal.front()).move == Move::finish));  // the only one then
        const auto is_wanted = [&](TransitionId id) {
            return walk.system->transition(id).move == wanted;
        };
        if (std::ranges::any_of(legal, is_wanted) && draw(random, 8) > 0)
            std::erase_if(legal, [&](TransitionId id) { return !is_wanted(id); });
        walk.at = walk.system->apply(walk.forest, walk.at, legal[draw(random, legal.size())]);
    }
    return steps;
}

// Whether the focus is a tree over all tokens, as it is encoded.
inline bool is_whole(const Walk& walk) {
    const Labels& labels = walk.system->labels();
    const TreeCodes codes = encode(walk.forest, walk.at.focus);
    std::set<std::int32_t> tokens;
    std::vector<std::int32_t> sizes;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        if (codes[i] >= 0) {
            if (!tokens.insert(codes[i]).second)
                return false;
            sizes.push_back(1);
            continue;
        }
        const Label label = ~codes[i];
        const auto children = static_cast<std::size_t>(codes[++i]);
        const bool is_root = i + 1 == codes.size();
        if (label >= labels.count() || children < 1 || children > sizes.size() ||
            (labels.kind(label) == LabelKind::root) != is_root || labels.is_temporary(label))
            return false;
        sizes.resize(sizes.size() - children + 1);
    }
    return sizes.size() == 1 &&
           tokens.size() == static_cast<std::size_t>(walk.forest.token_count());
}

// The token table of a sentence; column 2, if there is one, has a separator here and there.
inline std::vector<std::uint32_t> random_rows(std::mt19937_64& random, std::size_t tokens,
                                              std::size_t columns) {
    std::vector<std::uint32_t> rows(tokens * columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool separates = i % columns == 2;
        const auto value = static_cast<std::uint32_t>(draw(random, separates ? 8 : 20));
        rows[i] = separates && value > 2 ? 0 : value;
    }
    return rows;
}

}  // namespace walks

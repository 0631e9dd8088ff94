#include <bitset>
#include <map>
#include <set>

#include "check.hpp"
#include "gold_trees.hpp"
#include "transitions/span_oracle.hpp"
#include "walks.hpp"

using namespace crossbranch;
using namespace walks;
using namespace gold_trees;

namespace {

// What can be counted: pairs of right and of predicted constituents, each below 16.
using Counts = std::bitset<256>;

constexpr std::size_t pair_of(std::size_t right, std::size_t predicted) {
    return 16 * right + predicted;
}

struct Edge {
    TransitionId transition;
    std::size_t target;
    TokenSet labelled;  // the set that gets a label; 0: none does
    Label label;
};

struct State {
    Configuration at;
    std::vector<Edge> edges;
    std::set<TokenSet> labelled;  // the sets that can still get a label
};

// All configurations of a sentence. Those that differ only in labels are one. Each one comes after
// all that can follow it, and the first one is the last.
struct Graph {
    std::shared_ptr<const System> system;
    Forest forest;
    std::vector<State> states;
    std::map<std::vector<TokenSet>, std::size_t> known;

    Graph(std::shared_ptr<const System> given, std::int32_t token_count)
        : system(std::move(given)) {
        forest.reset(token_count);
        (void)visit({});
    }

    std::vector<TokenSet> key_of(const Configuration& at) const {
        const bool is_first = at.focus == no_vertex;
        std::vector<TokenSet> key{static_cast<TokenSet>(is_first ? Move::idle : at.last),
                                  is_first ? 0 : set_of(forest, at.focus)};
        if (CandidateSystem::is_labelling(at))
            key[0] = 100;
        else if (at.last == Move::unlabelled)
            key[0] = system->is_final(forest, at) ? 102 : 101;
        else if (at.last == Move::label)
            key[0] = system->is_final(forest, at) ? 102 : 101;
        for (const CellId top : {at.stack, at.aside}) {
            key.push_back(0);
            for (CellId cell = top; cell != no_cell; cell = forest.cell(cell).below)
                key.push_back(set_of(forest, forest.cell(cell).vertex));
        }
        return key;
    }

    std::size_t visit(const Configuration& at) {
        const auto key = key_of(at);
        if (const auto found = known.find(key); found != known.end())
            return found->second;
        State state{at, {}, {}};
        Legal legal;
        if (!system->is_final(forest, at))
            system->find_legal(forest, at, legal);
        for (const auto& [begin, end] : legal)
            for (TransitionId id = begin; id < end; ++id) {
                const Transition taken = system->transition(id);
                const std::size_t target = visit(system->apply(forest, at, id));
                const bool labels = taken.move == Move::label;
                state.edges.push_back(
                    {id, target, labels ? set_of(forest, at.focus) : 0, taken.argument});
                const std::set<TokenSet>& later = states[target].labelled;
                state.labelled.insert(later.begin(), later.end());
                if (labels)
                    state.labelled.insert(state.edges.back().labelled);
            }
        states.push_back(std::move(state));
        known[key] = states.size() - 1;
        return states.size() - 1;
    }
};

// F1 is 2m / (p + g).
struct F1 {
    std::size_t right = 0, both = 1;

    [[nodiscard]] bool operator<(const F1& other) const {
        return right * other.both < other.right * both;
    }
    [[nodiscard]] bool operator==(const F1& other) const {
        return right * other.both == other.right * both;
    }
};

// What a transition adds to the counts.
std::size_t step_of(const Edge& edge, const std::vector<TokenSet>& tree) {
    if (edge.labelled == 0)
        return 0;
    const bool is_right = std::ranges::count(tree, edge.labelled) == 1 && edge.label != B;
    return pair_of(is_right ? 1 : 0, 1);
}

std::vector<std::size_t> pairs_in(const Counts& counts) {
    std::vector<std::size_t> pairs;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i])
            pairs.push_back(i);
    return pairs;
}

F1 best_of(std::size_t past, const std::vector<std::size_t>& future, std::size_t gold) {
    F1 best;
    for (const std::size_t i : future)
        best = std::max(best, F1{2 * ((past + i) >> 4U), (past + i) % 16 + gold});
    return best;
}

// Definition 4.13: the moves that lead to the next constituent.
std::set<TransitionId> oracle_of_the_paper(const SpanOracle& oracle, const Graph& graph,
                                           const State& state, TokenSet next) {
    std::set<TransitionId> moves;
    const auto last = [](TokenSet set) { return std::bit_width(set); };
    const TokenSet focus = set_of(graph.forest, state.at.focus);
    if (last(next) > last(focus))
        moves.insert(oracle.system().shift());
    std::int32_t i = 0;
    for (CellId cell = state.at.stack; cell != no_cell; cell = graph.forest.cell(cell).below, ++i)
        if (((focus | set_of(graph.forest, graph.forest.cell(cell).vertex)) & ~next) == 0)
            moves.insert(oracle.system().toward(state.at, i, Side::left));
    return moves;
}

void check_tree(const Graph& graph, const std::vector<TokenSet>& tree, unsigned token_count) {
    const GoldArrays gold = arrays_of(token_count, tree);
    const SpanOracle eager(graph.system, gold.spans(), Preference::eager);
    const SpanOracle next(graph.system, gold.spans(), Preference::next);
    const std::size_t count = graph.states.size();
    std::vector<Counts> future(count);
    std::vector<Counts> past(count);
    for (std::size_t i = 0; i < count; ++i) {
        const State& state = graph.states[i];
        future[i][0] = state.edges.empty();
        for (const Edge& edge : state.edges)
            future[i] |= future[edge.target] << step_of(edge, tree);
    }
    past[count - 1][0] = true;
    std::vector<std::vector<std::size_t>> ends(count);
    std::ranges::transform(future, ends.begin(), pairs_in);
    std::vector<TransitionId> optimal;
    std::vector<std::size_t> places;
    for (std::size_t i = count; i-- > 0;) {
        const State& state = graph.states[i];
        for (const Edge& edge : state.edges)
            past[edge.target] |= past[i] << step_of(edge, tree);
        // Reachable constituents are those that some walk labels.
        eager.reach(graph.forest, state.at, places);
        const auto set_at = [&](std::size_t place) {
            return tree[static_cast<std::size_t>(eager.gold().constituents()[place].vertex) -
                        token_count];
        };
        std::set<TokenSet> reached;
        for (const std::size_t place : places)
            reached.insert(set_at(place));
        for (const TokenSet set : tree)
            CHECK(reached.contains(set) == state.labelled.contains(set));
        eager.optimal(graph.forest, state.at, optimal);
        const std::set<TransitionId> found(optimal.begin(), optimal.end());
        CHECK(state.edges.empty() == found.empty());
        // Optimal transitions are those with the best F1, whatever was labelled before.
        for (const std::size_t before : pairs_in(past[i])) {
            const F1 best = best_of(before, ends[i], tree.size());
            std::set<TransitionId> expected;
            for (const Edge& edge : state.edges)
                if (best_of(before + step_of(edge, tree), ends[edge.target], tree.size()) == best)
                    expected.insert(edge.transition);
            CHECK(found == expected);
        }
        if (state.edges.empty()) {
            CHECK(eager.best(graph.forest, state.at) == graph.system->idle());
            continue;
        }
        const TransitionId chosen = next.best(graph.forest, state.at);
        CHECK(found.contains(eager.best(graph.forest, state.at)) && found.contains(chosen));
        if (state.at.focus == no_vertex || CandidateSystem::is_labelling(state.at) ||
            graph.system->open_move() != Move::combine)
            continue;
        // The paper's moves are some of the optimal ones. A COMBINE with the last part is best.
        const auto moves = oracle_of_the_paper(next, graph, state, set_at(places[0]));
        CHECK(std::ranges::includes(found, moves));
        const auto combine = moves.lower_bound(graph.system->first_open());
        CHECK(chosen == (combine == moves.end() ? *moves.begin() : *combine));
    }
}

// The sets of all nodes that a derivation builds, with their labels.
std::set<std::pair<TokenSet, Label>> built(const std::shared_ptr<const System>& system,
                                           std::int32_t token_count,
                                           const std::vector<TransitionId>& taken) {
    Walk walk(system, token_count);
    for (const TransitionId id : taken)
        walk.take(system->transition(id).move, system->transition(id).argument);
    CHECK(walk.is_final());
    std::set<std::pair<TokenSet, Label>> nodes;
    for (Vertex v = token_count; v < walk.forest.node_count(); ++v)
        if (walk.forest.node(v).label >= 0)
            nodes.emplace(set_of(walk.forest, v), walk.forest.node(v).label);
    return nodes;
}

GoldArrays figure() {
    return {5, {7, 6, 6, 6, 7, -1, 5, 5}, {Top, A, B}, {}};
}

std::vector<Transition> derived(std::string_view name, const GoldArrays& gold,
                                Preference preference = Preference::eager) {
    const auto system = open_system(name);
    Forest forest;
    std::vector<Transition> taken;
    for (const TransitionId id : SpanOracle(system, gold.spans(), preference).derive(forest))
        taken.push_back(system->transition(id));
    return taken;
}

constexpr Transition sh{Move::shift}, no{Move::unlabelled}, merge{Move::merge}, gap{Move::gap, 1};
constexpr Transition is_a{Move::label, A}, is_b{Move::label, B}, is_top{Move::label, Top};
using Transitions = std::vector<Transition>;

}  // namespace

TEST(the_best_f1_is_found_from_every_configuration) {
    for (const std::string_view name : candidate_names)
        for (const unsigned token_count : {1U, 2U, 3U, 4U}) {
            const Graph graph(open_system(name), static_cast<std::int32_t>(token_count));
            const auto trees = all_trees(token_count);
            for (std::size_t i = 0; i < trees.size();
                 i += token_count == 4 && name != "stack-free" ? 7 : 1)
                check_tree(graph, trees[i], token_count);
        }
}

TEST(the_same_for_some_trees_of_five_tokens) {
    const auto trees = all_trees(5);
    for (const std::string_view name : candidate_names) {
        const Graph graph(open_system(name), 5);
        for (std::size_t i = 3; i < trees.size(); i += 1'013)
            check_tree(graph, trees[i], 5);
    }
}

TEST(there_are_as_many_trees_as_expected) {
    // Hierarchies of 3, 4 and 5 elements: 4, 26 and 236, with or without a node above each token.
    CHECK(all_trees(1).size() == 1 && all_trees(2).size() == 4);
    CHECK(all_trees(3).size() == 4 * 8 && all_trees(4).size() == 26 * 16);
    CHECK(all_trees(5).size() == 236 * 32);
}

TEST(every_tree_is_derived) {
    for (const std::string_view name : candidate_names) {
        const auto system = open_system(name);
        Forest forest;
        for (const unsigned n : {1U, 2U, 3U, 4U, 5U}) {
            const auto trees = all_trees(n);
            for (std::size_t i = 0; i < trees.size(); i += n == 5 ? 37 : 1) {
                const GoldArrays gold = arrays_of(n, trees[i]);
                std::set<std::pair<TokenSet, Label>> expected;
                for (std::size_t k = 0; k < trees[i].size(); ++k)
                    expected.emplace(trees[i][k], gold.labels[k]);
                for (const Preference preference : {Preference::eager, Preference::next}) {
                    const SpanOracle oracle(system, gold.spans(), preference);
                    const auto taken = oracle.derive(forest);
                    CHECK(built(system, gold.token_count, taken) == expected);
                    if (name == "stack-free")
                        CHECK(taken.size() == 4 * n - 2);
                    else if (name == "ml-cgap")
                        CHECK(taken.size() == 5 * n - 3);
                    else
                        CHECK(taken.size() <= (n * n + 5 * n - 2) / 2);
                }
            }
        }
    }
}

TEST(the_derivations_of_figures_3_24_and_4_3) {
    CHECK((derived("ml-gap", figure()) == Transitions{sh, no, sh, no, sh, no, merge, no, sh, no,
                                                      merge, is_a, sh, no, gap, merge, is_b, merge,
                                                      is_top}));
    const auto combine = [](std::int32_t i) { return Transition{Move::combine, i}; };
    CHECK((derived("stack-free", figure()) == Transitions{sh, no, sh, no, sh, no, combine(0), no,
                                                          sh, no, combine(0), is_a, sh, no,
                                                          combine(1), is_b, combine(0), is_top}));
    const auto gaps = [](std::int32_t i) { return Transition{Move::gap, i}; };
    CHECK((derived("ml-cgap", figure()) ==
           Transitions{sh,      no,    sh,   no,      sh,    no,    gaps(0), merge,
                       no,      sh,    no,   gaps(0), merge, is_a,  sh,      no,
                       gaps(1), merge, is_b, gaps(0), merge, is_top}));
}

// X over tokens 0, 1 and 4, and Y over 2 and 3: the eager oracle joins 0 and 1 at once, the other
// one builds Y first.
TEST(the_paper_waits_for_the_next_constituent) {
    const GoldArrays gold{6, {7, 7, 8, 8, 7, 6, -1, 6, 6}, {Top, A, B}, {}};
    const auto at = [&](Preference preference, std::size_t i) {
        return derived("stack-free", gold, preference)[i];
    };
    CHECK(at(Preference::eager, 4).move == Move::combine);
    CHECK(at(Preference::next, 4).move == Move::shift);
}

// Lexicalised merges wait for the head: here token 3 of four sisters, then token 1.
TEST(heads_come_first) {
    const Transition left{Move::merge_left}, right{Move::merge_right};
    const GoldArrays last{4, {4, 4, 4, 4, -1}, {Top}, {3}};
    CHECK((derived("ml-gap-lex", last) ==
           Transitions{sh, no, sh, no, sh, no, sh, no, right, no, right, no, right, is_top}));
    const GoldArrays second{4, {4, 4, 4, 4, -1}, {Top}, {1}};
    CHECK((derived("ml-gap-lex", second) ==
           Transitions{sh, no, sh, no, right, no, sh, no, left, no, sh, no, left, is_top}));
    CHECK((derived("ml-gap", last) ==
           Transitions{sh, no, sh, no, merge, no, sh, no, merge, no, sh, no, merge, is_top}));
}

// Along its own derivation, nothing is lost; after a mistake, the gold tree is out of reach.
TEST(mistakes_are_noticed) {
    for (const std::string_view name : candidate_names) {
        const auto system = open_system(name);
        const SpanOracle oracle(system, figure().spans(), Preference::eager);
        Walk walk(system, 5);
        while (!walk.is_final()) {
            CHECK(oracle.is_on_the_way(walk.forest, walk.at));
            const TransitionId best = oracle.best(walk.forest, walk.at);
            std::vector<TransitionId> optimal;
            oracle.optimal(walk.forest, walk.at, optimal);
            for (const TransitionId id : walk.legal()) {
                Walk other = walk;
                other.at = system->apply(other.forest, other.at, id);
                CHECK(oracle.is_on_the_way(other.forest, other.at) ==
                      (std::ranges::count(optimal, id) == 1));
            }
            walk.at = system->apply(walk.forest, walk.at, best);
        }
        CHECK(oracle.is_on_the_way(walk.forest, walk.at));
    }
}

TEST(gold_trees_that_are_none_are_refused) {
    const auto refuses = [](const GoldArrays& gold, const char* message) {
        return check::throws<std::invalid_argument>([&] { (void)gold.spans(); }, message);
    };
    CHECK(refuses({0, {-1}, {Top}, {}}, "no tokens"));
    CHECK(refuses({1, {1}, {}, {}}, "no nodes"));
    CHECK(refuses({1, {1, -1}, {Top, A}, {}}, "different lengths"));
    CHECK(refuses({1, {1, -1}, {Top}, {0, 0}}, "different lengths"));
    CHECK(refuses({1, {1, 0}, {Top}, {}}, "its root has a parent"));
    CHECK(refuses({1, {0, -1}, {Top}, {}}, "vertex 0 has the parent 0"));
    CHECK(refuses({1, {-1, -1}, {Top}, {}}, "vertex 0 has the parent -1"));
    CHECK(refuses({1, {9, -1}, {Top}, {}}, "vertex 0 has the parent 9"));
    CHECK(refuses({1, {2, -1, 2}, {Top, A}, {}}, "vertex 2 has the parent 2"));
    CHECK(refuses({1, {1, -1, 1}, {Top, A}, {}}, "node 2 has no tokens"));
    CHECK(refuses({1, {2, -1, 1}, {Top, A}, {}}, "the same tokens"));
    CHECK(refuses({2, {2, 2, -1}, {Top}, {2}}, "not one of its children"));
    CHECK(refuses({2, {2, 2, -1}, {Top}, {-1}}, "not one of its children"));
}

TEST(systems_that_cannot_build_a_tree_are_refused) {
    const auto refuses = [](std::string_view name, const GoldArrays& gold, const char* message) {
        return check::throws<std::invalid_argument>(
            [&] { SpanOracle(open_system(name), gold.spans(), Preference::eager); }, message);
    };
    CHECK(refuses("gap", figure(), "for ML-GAP and stack-free"));
    GoldArrays other = figure();
    other.labels = {A, A, B};
    CHECK(refuses("ml-gap", other, "cannot build a root with the label 0"));
    other.labels = {Top, Top, B};
    CHECK(refuses("ml-gap", other, "cannot build a node with the label 2"));
    other.labels = {Top, 7, B};
    CHECK(refuses("ml-gap", other, "cannot build a node with the label 7"));
    const SpanOracle oracle(open_system("ml-gap"), figure().spans(), Preference::eager);
    Forest forest;
    forest.reset(4);
    CHECK(check::throws<std::invalid_argument>([&] { (void)oracle.best(forest, {}); },
                                               "has 4 tokens, the gold tree 5"));
}

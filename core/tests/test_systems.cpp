#include "check.hpp"
#include "linear/beam_parser.hpp"
#include "walks.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

const Labels least = {{LabelKind::plain, LabelKind::root}, {0, 1}};

bool refuses(std::string_view name, const Labels& labels, const std::vector<Transition>& seen,
             const char* message) {
    return check::throws<std::invalid_argument>([&] { (void)make_system(name, labels, seen, {}); },
                                                message);
}

// At least one plain label and one root, and temporary ones for any of them.
Labels random_labels(std::mt19937_64& random) {
    Labels labels;
    const auto add = [&](LabelKind kind, Label base) {
        labels.kinds.push_back(kind);
        labels.bases.push_back(base);
    };
    for (std::size_t i = 1 + draw(random, 3); i > 0; --i)
        add(LabelKind::plain, labels.count());
    add(LabelKind::root, labels.count());
    if (draw(random, 2) == 0)  // perhaps with the name of a plain label
        add(LabelKind::root, draw(random, 2) == 0 ? 0 : labels.count());
    const auto bases = labels.bases;
    for (std::size_t i = draw(random, 5); i > 0; --i)
        add(LabelKind::temporary, bases[draw(random, bases.size())]);
    return labels;
}

bool is_continuous(const Walk& walk) {
    for (Vertex vertex = 0; vertex < walk.forest.node_count(); ++vertex)
        if (walk.forest.node(vertex).gap_length() > 0)
            return false;
    return true;
}

// Any few transitions of a system.
std::vector<Transition> random_transitions(std::mt19937_64& random, const Labels& labels,
                                           std::string_view name) {
    const std::size_t kept = draw(random, 4);
    std::vector<Transition> transitions;
    for (Label label = 0; label < labels.count(); ++label)
        for (const Move move : {Move::unary, Move::left, Move::right})
            if (draw(random, 3) < kept && (move != Move::unary || !labels.is_temporary(label)))
                transitions.push_back({move, label});
    if (is_compound(name) && kept > 0)
        transitions.push_back(
            {is_gap(name) ? Move::gap : Move::swap, static_cast<std::int32_t>(kept)});
    return transitions;
}

}  // namespace

TEST(labels_that_cannot_be_are_refused) {
    for (const std::string_view name : names) {
        CHECK(refuses(name, {}, {}, "a plain one and a root"));
        CHECK(refuses(name, {{LabelKind::root}, {0}}, {}, "a plain one and a root"));
        CHECK(refuses(name, {{LabelKind::plain}, {0}}, {}, "a plain one and a root"));
        CHECK(refuses(name, {least.kinds, {0}}, {}, "as many kinds as bases"));
        CHECK(refuses(name, {least.kinds, {0, 2}}, {}, "the base of a label"));
        CHECK(refuses(name, {least.kinds, {-1, 1}}, {}, "the base of a label"));
        const std::vector kinds = {LabelKind::plain, LabelKind::temporary, LabelKind::root};
        CHECK(refuses(name, {kinds, {0, 1, 2}}, {}, "the base of a label"));
    }
    CHECK(refuses("", least, {}, "no transition system"));
    CHECK(refuses("gaps", least, {}, "no transition system gaps"));
}

TEST(transitions_that_cannot_be_are_refused) {
    for (const std::string_view name : names) {
        for (const Move move : {Move::unary, Move::left, Move::right})
            for (const std::int32_t argument : {-1, 2, 1'000'000})
                CHECK(refuses(name, least, {{move, argument}}, "has the argument"));
        CHECK(refuses(name, least, {{Move::gap, -1}}, "has the argument -1"));
        CHECK(refuses(name, small_labels(), {{Move::unary, S_}}, "two children"));
    }
    CHECK(refuses("swap", least, {{Move::swap, 2}}, "swap moves one item"));
    CHECK(refuses("cswap", least, {{Move::swap, 0}}, "at least one item"));
    for (const std::int32_t amount : {0, 2})
        CHECK(refuses("gap", least, {{Move::gap, amount}}, "gap moves one item"));
    for (const Move move : {Move::shift, Move::ghost, Move::finish, Move::idle})
        CHECK(refuses("cgap", least, {{move, 1}}, "has the argument 1"));
    for (const std::int32_t amount : {65'535, 2'147'483'647})
        CHECK(refuses("cgap", least, {{Move::gap, amount}}, "has the argument"));
    CHECK(refuses("cgap", least, {{Move::gap, 65'534}}, "expected at most 65535"));
}

TEST(what_is_needed_is_added) {
    for (const std::string_view name : names) {
        const auto system = make_system(name, least, {}, {});
        for (const Transition needed : {Transition{Move::shift},
                                        {Move::unary, 1},
                                        {Move::left, 0},
                                        {Move::left, 1},
                                        {Move::right, 0},
                                        {Move::right, 1},
                                        {Move::idle}})
            CHECK(system->find(needed) >= 0);
        CHECK((system->find({Move::ghost}) >= 0) == (name == "cgap"));
        CHECK((system->find({Move::finish}) >= 0) == !is_gap(name));
        CHECK((system->find({Move::gap, 0}) >= 0) == (name == "cgap"));
        CHECK((system->find({Move::gap, 1}) >= 0) == (name == "gap"));
        CHECK((system->find({Move::swap, 1}) >= 0) == !is_gap(name));
        CHECK(system->find({Move::unary, 0}) == -1);
        CHECK(system->transition(system->idle()).move == Move::idle);
    }
    // What a temporary label stands for, in both directions.
    const Labels labels = {
        {LabelKind::plain, LabelKind::plain, LabelKind::temporary, LabelKind::root}, {0, 1, 1, 3}};
    CHECK(make_system("swap", labels, {}, {})->find({Move::left, 1}) >= 0);
    CHECK(make_system("swap", labels, {}, {})->find({Move::right, 1}) >= 0);
    CHECK(make_system("gap", labels, {}, {})->find({Move::left, 1}) == -1);
}

TEST(amounts_have_no_holes) {
    const auto gaps = make_system("cgap", least, {{Move::gap, 4}}, {});
    const auto swaps = make_system("cswap", least, {{Move::swap, 4}, {Move::swap, 2}}, {});
    for (const std::int32_t amount : {0, 1, 2, 3, 4, 5}) {
        CHECK((gaps->find({Move::gap, amount}) >= 0) == (amount <= 4));
        CHECK((swaps->find({Move::swap, amount}) >= 0) == (amount >= 1 && amount <= 4));
    }
}

TEST(every_transition_is_found_and_there_once) {
    for (const std::string_view name : names) {
        const auto system = small_system(name);
        const auto& all = system->transitions();
        for (std::size_t i = 0; i < all.size(); ++i) {
            CHECK(system->find(all[i]) == static_cast<TransitionId>(i));
            CHECK(std::ranges::count(all, all[i]) == 1);
        }
        // Giving them again, in another order, changes nothing.
        std::vector<Transition> seen(all.rbegin(), all.rend());
        seen.insert(seen.end(), all.begin(), all.end());
        CHECK(make_system(name, small_labels(), seen, {})->transitions() == all);
        CHECK(system->find({Move::left, -1}) == -1 && system->find({Move::left, 99}) == -1);
    }
}

TEST(every_walk_ends_in_a_tree_whatever_the_inventory) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 1'500; ++round) {
        const std::string_view name = names[draw(random, names.size())];
        const Labels labels = random_labels(random);
        const SystemOptions options = {static_cast<std::int32_t>(draw(random, 4)),
                                       draw(random, 2) == 0, draw(random, 2) == 0,
                                       draw(random, 4) == 0};
        const auto system =
            make_system(name, labels, random_transitions(random, labels, name), options);
        for (int times = 0; times < 4; ++times) {
            const std::size_t size = 1 + draw(random, 14);
            Walk walk(system, static_cast<std::int32_t>(size));
            // No more than the papers prove, with unary reductions after each of the other moves.
            const std::size_t longest =
                is_gap(name) ? (size * size + size) / 2 + 2 * size : 5 * (size * size + 2);
            const std::size_t steps = walk_to_the_end(walk, random, longest);
            CHECK(walk.is_final() && walk.is_whole() && is_whole(walk));
            CHECK(!options.is_continuous || is_continuous(walk));
            CHECK(name != "cgap" || size == 1 || steps == 4 * size - 2);
            CHECK(walk.legal() == std::vector{system->idle()});
        }
    }
}

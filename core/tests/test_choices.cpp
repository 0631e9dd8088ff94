#include <algorithm>

#include "check.hpp"
#include "gold_trees.hpp"
#include "transitions/choices.hpp"
#include "walks.hpp"

using namespace crossbranch;
using namespace walks;
using gold_trees::A, gold_trees::B, gold_trees::Top;
using gold_trees::GoldArrays, gold_trees::open_system;

namespace {

using Numbers = std::vector<std::int32_t>;
using Ways = std::vector<std::vector<TransitionId>>;
constexpr std::int32_t no = no_token;

// The tree of figures 3.24 and 4.3: S over B (tokens 0 and 4) and A (tokens 1 to 3).
GoldArrays figure() {
    return {5, {7, 6, 6, 6, 7, -1, 5, 5}, {Top, A, B}, {}};
}

SpanOracle oracle_of(const std::shared_ptr<const System>& system, const GoldArrays& gold,
                     Preference preference = Preference::eager) {
    return {system, gold.spans(), preference};
}

Choices derived(const ChoiceWriter& writer, const SpanOracle& oracle,
                std::vector<TransitionId> taken = {}) {
    const std::vector<const SpanOracle*> oracles = {&oracle};
    return derive_choices(writer, oracles, Ways{std::move(taken)});
}

// The choice of the walk's configuration.
Choices choice_at(const ChoiceWriter& writer, const Walk& walk) {
    Choices found;
    writer.add(walk.forest, walk.at, walk.ranges(), 0, 0, found);
    return found;
}

Walk& shift_all(Walk& walk, int times) {
    for (; times > 0; --times)
        walk.take(Move::shift).take(Move::unlabelled);
    return walk;
}

// The rows of some items, each with `size` numbers.
Numbers part(const Numbers& rows, std::size_t first, std::size_t count, std::size_t size = 4) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first * size);
    return {begin, begin + static_cast<std::ptrdiff_t>(count * size)};
}

// What happens on a way to the end, found step by step.
struct Way {
    std::vector<TransitionId> taken, right;
    std::vector<std::size_t> option_counts;  // of structural choices
    std::size_t label_count = 0, forced = 0;
};

// Chooses by chance; with no chance, as the oracle says.
Way walk_by_chance(const SpanOracle& oracle, Walk walk, std::mt19937_64& random, bool is_random) {
    Way way;
    while (!walk.is_final()) {
        const std::vector<TransitionId> legal = walk.legal();
        TransitionId next = legal[0];
        if (legal.size() == 1) {
            ++way.forced;
        } else {
            way.right.push_back(oracle.best(walk.forest, walk.at));
            next = is_random ? legal[draw(random, legal.size())] : way.right.back();
            way.taken.push_back(next);
            if (CandidateSystem::is_labelling(walk.at))
                ++way.label_count;
            else
                way.option_counts.push_back(legal.size());
        }
        walk.at = walk.system->apply(walk.forest, walk.at, next);
    }
    return way;
}

// The transitions that the targets stand for, in the order of the choices on this way.
std::vector<TransitionId> targets_of(const ChoiceWriter& writer, const Choices& found,
                                     const std::vector<TransitionId>& way) {
    std::vector<TransitionId> targets;
    std::size_t structure = 0, labels = 0;
    for (const TransitionId id : way) {
        const Move move = writer.system().transition(id).move;
        if (move == Move::label || move == Move::unlabelled) {
            const std::int32_t target = found.label_targets[labels++];
            targets.push_back(target == 0 ? writer.system().unlabelled()
                                          : writer.system().find({Move::label, target - 1}));
        } else {
            const auto target = static_cast<std::size_t>(found.targets[structure++]);
            targets.push_back(writer.has_candidates() ? found.transitions[target]
                                                      : writer.moves()[target]);
        }
    }
    CHECK(structure == found.targets.size() && labels == found.label_targets.size());
    return targets;
}

}  // namespace

TEST(the_choices_of_figure_4_3) {
    const auto system = open_system("stack-free");
    const ChoiceWriter writer(system, 1);
    CHECK(writer.has_candidates() && writer.items() == 2 && writer.places().count() == 4);
    CHECK(writer.moves().empty() && writer.output_count() == 4);
    const Choices found = derived(writer, oracle_of(system, figure()));
    CHECK((found.owners == Numbers{0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5}));
    CHECK((found.targets == Numbers{0, 3, 5, 8, 10, 13}));
    // The focus is d. SHIFT takes e, COMBINE-0 takes {b c}, COMBINE-1 takes a.
    CHECK((part(found.rows, 14, 6) == Numbers{4, 4, no, no, 3, 3, no, no,  //
                                              1, 2, no, no, 3, 3, no, no,  //
                                              0, 0, no, no, 3, 3, no, no}));
    CHECK(found.transitions[7] == writer.system().shift());
    CHECK(found.transitions[8] == system->find({Move::combine, 0}));
    CHECK(found.transitions[9] == system->find({Move::combine, 1}));
    // The labels of a, b, c, {b c}, d, {b c d}, e and {a e}; that of the root is no choice.
    CHECK((found.label_targets == Numbers{0, 0, 0, 0, 0, A + 1, 0, B + 1}));
    CHECK((part(found.label_rows, 5, 1) == Numbers{1, 3, no, no}));
    CHECK((part(found.label_rows, 7, 1) == Numbers{0, 4, 1, 3}));
    CHECK(std::ranges::count(found.label_is_root, 0) == 8 && found.label_is_root.size() == 8);
    CHECK(found.legal.empty());
}

TEST(the_choices_of_figure_3_24) {
    const auto system = open_system("ml-gap");
    const ChoiceWriter writer(system, 1);
    CHECK(!writer.has_candidates() && writer.items() == 5);
    const auto place = [&](Move move, std::int32_t argument = 0) {
        const auto& moves = writer.moves();
        const auto found = std::ranges::find(moves, system->find({move, argument}));
        CHECK(found != moves.end());
        return static_cast<std::int32_t>(found - moves.begin());
    };
    const std::int32_t shift = place(Move::shift), merge = place(Move::merge);
    const std::int32_t gap = place(Move::gap, 1);
    CHECK(writer.moves().size() == 3);
    const Choices found = derived(writer, oracle_of(system, figure()));
    CHECK((found.targets == Numbers{shift, merge, shift, merge, shift, gap}));
    // The second choice: the focus is c, b and a are on the stack, d comes next.
    CHECK((part(found.rows, 5, 5) ==
           Numbers{2, 2, no, no, 1, 1, no, no, 0, 0, no, no, no, no, no, no, 3, 3, no, no}));
    // The last one: the focus is e, {b c d} and a are on the stack.
    CHECK((part(found.rows, 25, 5) ==
           Numbers{4, 4, no, no, 1, 3, no, no, 0, 0, no, no, no, no, no, no, no, no, no, no}));
    const auto is_legal = [&](std::size_t choice, std::int32_t move) {
        return found.legal[choice * 3 + static_cast<std::size_t>(move)] == 1;
    };
    CHECK(is_legal(0, shift) && is_legal(0, merge) && !is_legal(0, gap));
    CHECK(is_legal(1, shift) && is_legal(1, merge) && is_legal(1, gap));
    CHECK(!is_legal(5, shift) && is_legal(5, merge) && is_legal(5, gap));
    CHECK((found.label_targets == Numbers{0, 0, 0, 0, 0, A + 1, 0, B + 1}));
    CHECK(found.owners.empty() && found.transitions.empty());
}

TEST(compound_gaps_name_the_items_that_they_lead_to) {
    const auto system = open_system("ml-cgap");
    const ChoiceWriter writer(system, 1);
    const Choices found = derived(writer, oracle_of(system, figure()));
    // At the end, COMPOUNDGAP_0 leads to {b c d} and COMPOUNDGAP_1 to a. The MERGE is no choice.
    const std::size_t last = found.transitions.size() - 2;
    CHECK((part(found.rows, 2 * last, 4) ==
           Numbers{1, 3, no, no, 4, 4, no, no, 0, 0, no, no, 4, 4, no, no}));
    CHECK(found.transitions[last + 1] == system->find({Move::gap, 1}));
    CHECK(found.targets.back() == static_cast<std::int32_t>(last) + 1);
    for (const TransitionId id : found.transitions)
        CHECK(system->transition(id).move != Move::merge);
}

TEST(items_that_were_set_aside_are_seen) {
    const auto system = open_system("ml-gap");
    const ChoiceWriter writer(system, 1);
    Walk walk(system, 6);
    shift_all(walk, 5).take(Move::gap, 1).take(Move::gap, 1);
    // The focus is token 4; 3 and 2 are aside, 1 and 0 on the stack, 5 comes next.
    CHECK((choice_at(writer, walk).rows ==
           Numbers{4, 4, no, no, 1, 1, no, no, 0, 0, no, no, 3, 3, no, no, 5, 5, no, no}));
}

TEST(heads_and_gaps_are_places_of_their_own) {
    const auto heads = open_system("ml-gap-lex");
    Walk walk(heads, 3);
    shift_all(walk, 2).take(Move::merge_right);
    CHECK((choice_at(ChoiceWriter(heads, 1), walk).label_rows == Numbers{0, 1, no, no, 1}));

    const auto system = open_system("stack-free");
    Walk far(system, 9);
    shift_all(far, 3).take(Move::combine, 1).take(Move::unlabelled);  // 0 and 2
    shift_all(far, 2).take(Move::combine, 1);                         // 0, 2 and 4
    CHECK((choice_at(ChoiceWriter(system, 1), far).label_rows == Numbers{0, 4, 1, 3}));
    CHECK((choice_at(ChoiceWriter(system, 2), far).label_rows == Numbers{0, 4, 1, 1, 3, 3}));
    CHECK(
        (choice_at(ChoiceWriter(system, 3), far).label_rows == Numbers{0, 4, 1, 1, 3, 3, no, no}));
    far.take(Move::unlabelled);
    shift_all(far, 2).take(Move::combine, 1);  // 0, 2, 4 and 6: the last gaps are one
    CHECK((choice_at(ChoiceWriter(system, 2), far).label_rows == Numbers{0, 6, 1, 1, 3, 5}));
}

TEST(tokens_of_later_sentences_have_later_numbers) {
    for (const std::string_view name : candidate_names) {
        const auto system = open_system(name);
        const ChoiceWriter writer(system, 1);
        const SpanOracle oracle = oracle_of(system, figure());
        const std::vector<const SpanOracle*> oracles = {&oracle, &oracle};
        const Choices alone = derived(writer, oracle);
        const Choices both = derive_choices(writer, oracles, Ways(2));
        const auto moved = [&](const Numbers& one, const Numbers& two) {
            CHECK(two.size() == 2 * one.size());
            for (std::size_t i = 0; i < one.size(); ++i)
                if (two[i] != one[i] || two[one.size() + i] != (one[i] < 0 ? no : one[i] + 5))
                    return false;
            return true;
        };
        CHECK(moved(alone.rows, both.rows) && moved(alone.label_rows, both.label_rows));
        CHECK(both.configurations.front() == 0 && both.configurations.back() == 1);
        CHECK(both.label_configurations.back() == 1);
        if (writer.has_candidates()) {
            const auto count = static_cast<std::int32_t>(alone.structure_count());
            CHECK(both.owners[alone.owners.size()] == count);
            CHECK(both.targets.back() == alone.targets.back() + std::ssize(alone.transitions));
        }
    }
}

TEST(targets_are_what_the_oracle_says_on_every_way) {
    std::mt19937_64 random(1);
    const auto trees = gold_trees::all_trees(5);
    for (const std::string_view name : candidate_names) {
        const auto system = open_system(name);
        const ChoiceWriter writer(system, 1);
        for (int round = 0; round < 150; ++round) {
            const GoldArrays gold = gold_trees::arrays_of(5, trees[draw(random, trees.size())]);
            const auto preference = round % 2 == 0 ? Preference::eager : Preference::next;
            const SpanOracle oracle = oracle_of(system, gold, preference);
            const bool explores = round % 3 > 0;
            const Way way = walk_by_chance(oracle, Walk(system, 5), random, explores);
            const Choices found = derived(writer, oracle, explores ? way.taken : Ways{{}}[0]);
            CHECK(targets_of(writer, found, way.taken) == way.right);
            // What is forced is no choice: each one has several options, and none is left out.
            CHECK(found.label_count() == way.label_count);
            CHECK(found.structure_count() == way.option_counts.size());
            for (std::size_t i = 0; i < way.option_counts.size(); ++i) {
                const std::size_t moves = writer.moves().size();
                const auto first = found.legal.begin() + static_cast<std::ptrdiff_t>(i * moves);
                const auto count =
                    writer.has_candidates()
                        ? std::ranges::count(found.owners, static_cast<std::int32_t>(i))
                        : std::count(first, first + static_cast<std::ptrdiff_t>(moves), 1);
                CHECK(count > 1 && static_cast<std::size_t>(count) == way.option_counts[i]);
            }
            if (name == "stack-free")
                CHECK(way.taken.size() + way.forced == 18);
        }
    }
}

TEST(after_the_end_of_a_way_the_oracle_goes_on) {
    const auto system = open_system("stack-free");
    const ChoiceWriter writer(system, 1);
    const SpanOracle oracle = oracle_of(system, figure());
    const TransitionId is_b = system->find({Move::label, B});
    const Choices found = derived(writer, oracle, {is_b});  // a mistake, then none
    CHECK((found.targets == Numbers{0, 3, 5, 8, 10, 13}));
    CHECK((found.label_targets == Numbers{0, 0, 0, 0, 0, A + 1, 0, B + 1}));
}

TEST(labels_of_roots_are_a_choice_if_there_are_several) {
    const Labels labels = {{LabelKind::plain, LabelKind::root, LabelKind::root}, {0, 1, 2}};
    const auto system = make_system("stack-free", labels,
                                    {{Move::label, 0}, {Move::label, 1}, {Move::label, 2}}, {});
    const ChoiceWriter writer(system, 1);
    const GoldArrays gold{2, {2, 2, -1}, {2}, {}};
    const Choices found = derived(writer, oracle_of(system, gold));
    CHECK((found.label_is_root == std::vector<std::uint8_t>{0, 0, 1}));
    CHECK((found.label_targets == Numbers{0, 0, 3}) && found.structure_count() == 0);
    const GoldArrays word{1, {1, -1}, {1}, {}};
    CHECK((derived(writer, oracle_of(system, word)).label_targets == Numbers{2}));
}

TEST(what_does_not_fit_is_refused) {
    const auto refuses = [](auto call, const char* message) {
        return check::throws<std::invalid_argument>(call, message);
    };
    CHECK(refuses([] { ChoiceWriter(open_system("gap"), 1); }, "are for ML-GAP and stack-free"));
    const auto system = open_system("stack-free");
    const ChoiceWriter writer(system, 1);
    const SpanOracle oracle = oracle_of(system, figure());
    const std::vector<const SpanOracle*> oracles = {&oracle};
    CHECK(refuses([&] { (void)derive_choices(writer, oracles, Ways(2)); }, "as many lists"));
    CHECK(refuses([&] { (void)derived(writer, oracle, {writer.system().shift()}); },
                  "is not legal here"));
    CHECK(refuses([&] { (void)derived(writer, oracle, {-1}); }, "transition -1 is not legal"));
    CHECK(refuses([&] { (void)derived(writer, oracle, {9'999}); }, "transition 9999"));
}

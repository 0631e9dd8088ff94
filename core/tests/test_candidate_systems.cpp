#include "check.hpp"
#include "transitions/batch.hpp"
#include "transitions/candidates.hpp"
#include "walks.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

using Vertices = std::vector<Vertex>;

enum PlainLabel : Label { A, B, Top };
const Labels three = {{LabelKind::plain, LabelKind::plain, LabelKind::root}, {A, B, Top}};

std::shared_ptr<const System> with_all_labels(std::string_view name) {
    return make_system(name, three, {{Move::label, A}, {Move::label, B}, {Move::label, Top}}, {});
}

const auto ml_gap = with_all_labels("ml-gap");
const auto lexicalised = with_all_labels("ml-gap-lex");
const auto compound = with_all_labels("ml-cgap");
const auto stack_free = with_all_labels("stack-free");

// SHIFT and NO-LABEL.
Walk& shift_all(Walk& walk, int times) {
    for (; times > 0; --times)
        walk.take(Move::shift).take(Move::unlabelled);
    return walk;
}

// The moves that are legal, each once.
std::vector<Move> legal_moves(const Walk& walk) {
    std::vector<Move> moves;
    for (const TransitionId id : walk.legal())
        if (moves.empty() || moves.back() != walk.system->transition(id).move)
            moves.push_back(walk.system->transition(id).move);
    return moves;
}

using Moves = std::vector<Move>;

// The tree of figures 3.24 and 4.3: S over B (tokens 0 and 4) and A (tokens 1 to 3).
const TreeCodes figure_tree = {0, 4, ~B, 2, 1, 2, 3, ~A, 3, ~Top, 2};

}  // namespace

TEST(label_transitions_follow_structural_ones) {
    for (const std::string_view name : candidate_names) {
        Walk walk(with_all_labels(name), 3);
        CHECK(legal_moves(walk) == Moves{Move::shift});
        walk.take(Move::shift);
        CHECK((legal_moves(walk) == Moves{Move::label, Move::unlabelled}));
        CHECK(walk.allows(Move::label, A) && !walk.allows(Move::label, Top));
        walk.take(Move::unlabelled);
        CHECK(walk.focus().is_token() && legal_moves(walk) == Moves{Move::shift});
    }
}

TEST(one_word_gets_a_root_label) {
    for (const std::string_view name : candidate_names) {
        Walk walk(with_all_labels(name), 1);
        walk.take(Move::shift);
        CHECK(walk.legal().size() == 1 && walk.allows(Move::label, Top) && !walk.is_final());
        walk.take(Move::label, Top);
        CHECK(walk.is_final() && legal_moves(walk) == Moves{Move::idle});
        CHECK((encode(walk.forest, walk.at.focus) == TreeCodes{0, ~Top, 1}));
        CHECK(walk.take(Move::idle).is_final());
    }
}

// Figure 3.24.
TEST(the_derivation_of_ml_gap) {
    Walk walk(ml_gap, 5);
    shift_all(walk, 3).take(Move::merge);
    CHECK(walk.focus().label == candidate_label && walk.focus().size == 2);
    shift_all(walk.take(Move::unlabelled), 1).take(Move::merge).take(Move::label, A);
    const Vertex a = walk.at.focus;
    CHECK(walk.focus().label == A && walk.focus().size == 3 && walk.stack() == Vertices{0});
    shift_all(walk, 1);
    CHECK((walk.stack() == Vertices{a, 0} && walk.aside().empty()));
    walk.take(Move::gap, 1);
    CHECK((legal_moves(walk) == Moves{Move::merge}));
    CHECK((walk.stack() == Vertices{0} && walk.aside() == Vertices{a}));
    walk.take(Move::merge).take(Move::label, B);
    CHECK(walk.stack() == Vertices{a} && walk.aside().empty() && walk.focus().block_count == 2);
    walk.take(Move::merge);
    CHECK(legal_moves(walk) == Moves{Move::label} && walk.legal().size() == 1);
    walk.take(Move::label, Top);
    CHECK(walk.is_final() && encode(walk.forest, walk.at.focus) == figure_tree);
}

// Figure 4.3.
TEST(the_derivation_of_stack_free) {
    Walk walk(stack_free, 5);
    shift_all(walk, 3).take(Move::combine, 0).take(Move::unlabelled);
    shift_all(walk, 1).take(Move::combine, 0).take(Move::label, A);
    const Vertex a = walk.at.focus;
    shift_all(walk, 1);
    CHECK((walk.stack() == Vertices{a, 0} && walk.count(Move::combine) == 2));
    walk.take(Move::combine, 1).take(Move::label, B);
    CHECK(walk.stack() == Vertices{a} && walk.focus().block_count == 2);
    walk.take(Move::combine, 0).take(Move::label, Top);
    CHECK(walk.is_final() && encode(walk.forest, walk.at.focus) == figure_tree);
}

TEST(compound_gaps_come_before_every_merge) {
    Walk walk(compound, 5);
    shift_all(walk, 3);
    CHECK((legal_moves(walk) == Moves{Move::shift, Move::gap} && walk.count(Move::gap) == 2));
    walk.take(Move::gap, 0);
    CHECK(legal_moves(walk) == Moves{Move::merge} && walk.aside().empty());
    shift_all(walk.take(Move::merge).take(Move::unlabelled), 1);
    walk.take(Move::gap, 0).take(Move::merge).take(Move::label, A);
    const Vertex a = walk.at.focus;
    shift_all(walk, 1).take(Move::gap, 1);
    CHECK(walk.aside() == Vertices{a} && walk.stack() == Vertices{0});
    walk.take(Move::merge).take(Move::label, B).take(Move::gap, 0).take(Move::merge);
    walk.take(Move::label, Top);
    CHECK(encode(walk.forest, walk.at.focus) == figure_tree);
}

TEST(several_gaps_reach_any_item_and_put_the_others_back) {
    Walk walk(ml_gap, 6);
    shift_all(walk, 5).take(Move::gap, 1).take(Move::gap, 1).take(Move::gap, 1);
    CHECK((walk.stack() == Vertices{0} && walk.aside() == Vertices{1, 2, 3}));
    CHECK(walk.at.gapped_first == 3 && walk.at.gapped_second == 2);
    walk.take(Move::merge).take(Move::unlabelled);
    CHECK((walk.stack() == Vertices{3, 2, 1} && walk.at.gapped_first == no_vertex));
    CHECK(walk.focus().first() == 0 && walk.focus().last() == 4);
}

TEST(merges_say_which_head_is_kept) {
    Walk walk(lexicalised, 3);
    shift_all(walk, 2);
    CHECK((legal_moves(walk) == Moves{Move::shift, Move::merge_left, Move::merge_right}));
    CHECK(Walk(walk).take(Move::merge_left).focus().head() == 0);
    walk.take(Move::merge_right).take(Move::label, A);
    CHECK(walk.focus().head() == 1);
    CHECK(lexicalised->find({Move::merge}) == -1 && ml_gap->find({Move::merge_left}) == -1);
}

TEST(the_open_move_has_no_limit) {
    CHECK(stack_free->open_move() == Move::combine && compound->open_move() == Move::gap);
    CHECK(!ml_gap->open_move() && ml_gap->id_count(7) == ml_gap->transitions().size());
    for (const auto& system : {stack_free, compound}) {
        const Move move = *system->open_move();
        for (const std::int32_t i : {0, 1, 17, 1'000'000}) {
            const TransitionId id = system->find({move, i});
            CHECK(id == system->first_open() + i && system->transition(id) == Transition{move, i});
        }
        CHECK(system->find({move, -1}) == -1);
        CHECK(system->id_count(4) == system->transitions().size() + 4);
        // Those that were given are no part of the list.
        std::vector<Transition> seen = system->transitions();
        seen.push_back({move, 3});
        CHECK(make_system(move == Move::gap ? "ml-cgap" : "stack-free", three, seen, {})
                  ->transitions() == system->transitions());
    }
    Walk walk(stack_free, 300);
    shift_all(walk, 300);
    CHECK(walk.count(Move::combine) == 299);
    CHECK(walk.take(Move::combine, 298).focus().first() == 0 && walk.stack().back() == 1);
}

TEST(impossible_labels_are_refused) {
    for (const std::string_view name : candidate_names) {
        const auto refuses = [&](Transition seen, const char* message) {
            return check::throws<std::invalid_argument>(
                [&] { (void)make_system(name, small_labels(), {seen}, {}); }, message);
        };
        CHECK(refuses({Move::label, S_}, "only binarization makes temporary labels"));
        CHECK(refuses({Move::label, 99}, "has the argument 99"));
        CHECK(refuses({Move::merge, 1}, "has the argument 1"));
        CHECK(refuses({Move::combine, -1}, "has the argument -1"));
        const auto least = make_system(name, small_labels(), {}, {});
        CHECK(least->find({Move::label, S}) >= 0 && least->find({Move::label, ROOT}) >= 0);
        CHECK(least->find({Move::label, NP}) == -1 && least->find({Move::left, S}) == -1);
        CHECK(make_system(name, small_labels(), least->transitions(), {})->transitions() ==
              least->transitions());
    }
    CHECK(check::throws<std::invalid_argument>(
        [] { (void)make_system("ml-gap", three, {{Move::gap, 2}}, {}); }, "gap moves one item"));
}

TEST(every_walk_ends_in_a_tree) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 1'200; ++round) {
        const std::string_view name = candidate_names[draw(random, candidate_names.size())];
        const auto system =
            round % 2 == 0 ? with_all_labels(name) : make_system(name, three, {}, {});
        const std::size_t size = 1 + draw(random, 14);
        Walk walk(system, static_cast<std::int32_t>(size));
        const std::size_t most = (size * size + 5 * size - 2) / 2;
        const std::size_t steps = walk_to_the_end(walk, random, std::max(most, 5 * size - 3));
        CHECK(walk.is_final() && is_whole(walk));
        CHECK(walk.legal() == std::vector{system->idle()});
        if (name == "stack-free")
            CHECK(steps == 4 * size - 2);
        else if (name == "ml-cgap")
            CHECK(steps == 5 * size - 3);
        else
            CHECK(steps <= most && steps >= 4 * size - 2);
    }
}

// Items are always ordered by their last tokens, and the focus has the largest.
TEST(items_are_ordered_by_their_last_tokens) {
    std::mt19937_64 random(4);
    for (int round = 0; round < 200; ++round) {
        Walk walk(with_all_labels(candidate_names[draw(random, 4)]), 9);
        while (!walk.is_final()) {
            const auto legal = walk.legal();
            walk.at = walk.system->apply(walk.forest, walk.at, legal[draw(random, legal.size())]);
            Vertices items = walk.aside();
            const Vertices below = walk.stack();
            std::ranges::reverse(items);
            items.insert(items.begin(), walk.at.focus);
            items.insert(items.end(), below.begin(), below.end());
            CHECK(std::ranges::is_sorted(items, std::greater{},
                                         [&](Vertex v) { return walk.forest.node(v).last(); }));
        }
    }
}

TEST(batches_make_room_for_the_open_move) {
    const std::vector<std::int32_t> sizes = {1, 3, 6};
    std::mt19937_64 random(5);
    for (const std::string_view name : candidate_names) {
        const auto system = with_all_labels(name);
        Batch batch(system, sizes);
        std::size_t steps = 0;
        for (; !batch.is_done(); ++steps) {
            const std::size_t width = batch.transition_count();
            CHECK(width == system->id_count(batch.deepest_stack()));
            std::vector<std::uint8_t> mask(batch.size() * width);
            batch.write_legal(mask);
            std::vector<TransitionId> chosen;
            for (std::size_t i = 0; i < batch.size(); ++i) {
                std::vector<TransitionId> legal;
                for (std::size_t id = 0; id < width; ++id)
                    if (mask[i * width + id] != 0)
                        legal.push_back(static_cast<TransitionId>(id));
                CHECK(!legal.empty());
                chosen.push_back(legal[draw(random, legal.size())]);
            }
            batch.apply(chosen);
            // As in a beam: some are dropped and others are copied.
            batch = batch.select(std::vector<std::int32_t>{0, 1, 2, 2})
                        .select(std::vector<std::int32_t>{3, 1, 0});
            batch = batch.select(std::vector<std::int32_t>{2, 1, 0});
        }
        for (const TreeCodes& codes : batch.codes())
            CHECK(codes.size() >= 3 && codes[codes.size() - 2] == ~Top);
    }
}

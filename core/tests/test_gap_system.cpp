#include "check.hpp"
#include "transitions/gap.hpp"
#include "walks.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

using Vertices = std::vector<Vertex>;

const auto gap = small_system("gap");
const auto cgap = small_system("cgap");

// Pairs of tokens that became temporary one after the other: the last is the focus.
Walk with_temporaries(std::int32_t token_count, int pairs) {
    Walk walk(gap, token_count);
    for (int pair = 0; pair < pairs; ++pair)
        walk.shift(2).take(Move::left, S_);
    return walk;
}

bool allows_both(const Walk& walk, Label label) {
    return walk.allows(Move::left, label) && walk.allows(Move::right, label);
}

bool allows_none(const Walk& walk, Label label) {
    return !walk.allows(Move::left, label) && !walk.allows(Move::right, label);
}

// SHIFT and GHOST.
Walk& shift_all(Walk& walk, int times) {
    for (; times > 0; --times)
        walk.take(Move::shift).take(Move::ghost);
    return walk;
}

}  // namespace

// Coavoux & Crabbé (2017), Table 7, row by row.

TEST(shift_needs_a_queue_and_does_not_follow_a_gap) {
    Walk walk(gap, 4);
    CHECK(walk.legal().size() == 1 && walk.allows(Move::shift));
    walk.shift(3);
    CHECK(walk.allows(Move::shift));
    CHECK(!Walk(walk).take(Move::gap, 1).allows(Move::shift));
    CHECK(Walk(walk).take(Move::gap, 1).take(Move::left, S).allows(Move::shift));
    CHECK(!walk.shift().allows(Move::shift));
}

TEST(gap_needs_two_items_on_the_stack) {
    Walk walk(gap, 5);
    CHECK(!walk.shift(2).allows(Move::gap, 1));
    CHECK(walk.shift().allows(Move::gap, 1));
    CHECK(!walk.take(Move::gap, 1).allows(Move::gap, 1));
}

TEST(gap_leads_a_temporary_item_to_one_that_is_not) {
    Walk walk = with_temporaries(8, 3);  // S = [temporary, temporary], d0 is temporary
    CHECK(walk.stack().size() == 2 && !walk.allows(Move::gap, 1));
    CHECK(walk.shift().allows(Move::gap, 1));  // d0 is a token

    Walk other(gap, 8);
    other.shift(3).take(Move::left, S_).shift(2).take(Move::left, S_);
    CHECK(other.stack().size() == 2 && !other.forest.is_firm(other.stack()[0]));
    CHECK(other.forest.is_firm(other.stack()[1]) && other.allows(Move::gap, 1));
    other.take(Move::gap, 1);
    CHECK(other.legal().size() == 5 && other.count(Move::right) == 5);  // all but the root
}

TEST(unary_reductions_follow_a_shift) {
    Walk walk(gap, 3);
    walk.shift();
    CHECK(walk.count(Move::unary) == 2 && !walk.allows(Move::unary, ROOT));
    CHECK(Walk(walk).take(Move::unary, NP).count(Move::unary) == 0);
    walk.shift().take(Move::left, S);
    CHECK(walk.count(Move::unary) == 0);
}

TEST(one_word_becomes_the_root) {
    Walk walk(gap, 1);
    walk.shift();
    CHECK(walk.legal().size() == 1 && walk.allows(Move::unary, ROOT));
    CHECK(walk.take(Move::unary, ROOT).is_final());
    CHECK(walk.focus().label == ROOT && walk.focus().left == 0);
}

TEST(binary_reductions_need_a_stack) {
    Walk walk(gap, 3);
    CHECK(walk.shift().count(Move::left) == 0 && walk.count(Move::right) == 0);
    CHECK(walk.shift().count(Move::left) == 5 && walk.count(Move::right) == 5);
}

TEST(the_root_comes_exactly_at_the_end) {
    Walk walk(gap, 3);
    CHECK(allows_none(walk.shift(2), ROOT));
    CHECK(allows_none(walk.shift(), ROOT));  // S has two items
    Walk gapped = walk;
    CHECK(allows_none(gapped.take(Move::gap, 1), ROOT) && allows_both(gapped, S));  // D has two
    walk.take(Move::right, S);
    CHECK(walk.legal().size() == 2 && allows_both(walk, ROOT));
}

TEST(a_temporary_label_finds_a_partner) {
    Walk walk(gap, 3);
    walk.shift(3);
    CHECK(allows_both(walk, S_));                           // S1 has a token
    CHECK(allows_both(Walk(walk).take(Move::gap, 1), S_));  // D1 has one
    walk = with_temporaries(4, 1).shift(2);                 // S1 is temporary, D1 empty, so is B
    CHECK(allows_none(walk, S_) && allows_both(walk, S));
    walk = with_temporaries(5, 1).shift(2);  // B is not empty
    CHECK(allows_both(walk, S_));
    walk = with_temporaries(4, 1).shift(2).take(Move::gap, 1);  // D1 is a token
    CHECK(walk.allows(Move::left, S_) && !walk.allows(Move::right, S_));
}

TEST(a_temporary_item_is_the_head) {
    Walk walk = with_temporaries(4, 1).shift();
    CHECK(walk.count(Move::left) == 5 && walk.count(Move::right) == 0);  // s0 is temporary
    Walk other(gap, 4);
    other.shift(3).take(Move::left, NP_);
    CHECK(other.count(Move::right) == 5 && other.count(Move::left) == 0);  // d0 is temporary
}

TEST(idle_is_for_final_configurations) {
    Walk walk(gap, 2);
    walk.shift(2);
    CHECK(!walk.is_final() && !walk.allows(Move::idle));
    walk.take(Move::left, ROOT);
    const Vertex root = walk.at.focus;
    for (int times = 0; times < 3; ++times) {
        CHECK(walk.is_final() && walk.legal() == std::vector{gap->idle()});
        walk.take(Move::idle);
    }
    CHECK(walk.at.focus == root && walk.stack().empty());
}

// What transitions do.

TEST(gaps_are_put_back_in_order) {
    Walk walk(gap, 6);
    walk.shift(5).take(Move::gap, 1);
    CHECK(walk.stack() == Vertices{2, 1, 0} && walk.aside() == Vertices{3});
    CHECK(walk.at.gapped_first == 3 && walk.at.gapped_second == no_vertex);
    walk.take(Move::gap, 1).take(Move::gap, 1);
    CHECK(walk.stack() == Vertices{0} && walk.aside() == Vertices{1, 2, 3});
    CHECK(walk.at.gapped_first == 3 && walk.at.gapped_second == 2 && walk.at.focus == 4);
    walk.take(Move::right, NP);
    CHECK(walk.stack() == Vertices{3, 2, 1} && walk.aside().empty());
    CHECK(walk.focus().left == 0 && walk.focus().right == 4 && walk.focus().head() == 4);
    CHECK(walk.at.gapped_first == no_vertex && walk.at.gapped_second == no_vertex);
    const Vertex made = walk.at.focus;
    walk.shift();
    CHECK(walk.stack() == Vertices{made, 3, 2, 1} && walk.at.focus == 5);
    CHECK(walk.take(Move::left, NP).focus().head() == 4);
}

TEST(the_queue_is_the_rest_of_the_sentence) {
    Walk walk(gap, 3);
    walk.shift();
    CHECK(gap->queue_item(walk.forest, walk.at, 0) == 1);
    CHECK(gap->queue_item(walk.forest, walk.at, 1) == 2);
    CHECK(gap->queue_item(walk.forest, walk.at, 2) == no_vertex);
}

// SR-CGAP.

TEST(compound_shifts_are_followed_by_a_unary_reduction_or_a_ghost) {
    Walk walk(cgap, 3);
    CHECK(walk.legal().size() == 1 && walk.allows(Move::shift));
    walk.shift();
    CHECK(walk.legal().size() == 3 && walk.count(Move::unary) == 2 && walk.allows(Move::ghost));
    CHECK(!walk.allows(Move::unary, ROOT));
    for (const Transition next : {Transition{Move::unary, S}, Transition{Move::ghost}}) {
        const Walk after = Walk(walk).take(next.move, next.argument);
        CHECK(after.legal().size() == 1 && after.allows(Move::shift));
        CHECK(after.focus().is_token() == (next.move == Move::ghost));
    }
    Walk alone(cgap, 1);
    alone.shift();
    CHECK(alone.legal().size() == 1 && alone.take(Move::unary, ROOT).is_final());
}

TEST(compound_gaps_come_before_each_reduction) {
    Walk walk(cgap, 7);
    shift_all(walk, 3);
    CHECK(walk.count(Move::left) == 0 && walk.count(Move::right) == 0);
    CHECK(walk.allows(Move::gap, 0) && walk.allows(Move::gap, 1) && walk.count(Move::gap) == 2);
    shift_all(walk, 3);
    CHECK(walk.count(Move::gap) == 4);  // 0 .. 3, though there are 5 items
    walk.take(Move::gap, 3);
    CHECK(walk.count(Move::left) == 5 && walk.count(Move::right) == 5);
    CHECK(walk.legal().size() == 10);
    CHECK(walk.stack() == Vertices{1, 0} && walk.aside() == Vertices{2, 3, 4});
    CHECK(walk.at.gapped_first == 4 && walk.at.gapped_second == 3);
    walk.take(Move::right, S);
    CHECK(walk.stack() == Vertices{4, 3, 2, 0} && walk.focus().left == 1);
    CHECK(walk.count(Move::gap) == 4 && walk.allows(Move::shift));
}

TEST(compound_gaps_never_end_at_two_temporary_items) {
    Walk walk(cgap, 8);
    shift_all(walk, 3).take(Move::gap, 0).take(Move::left, S_);  // 0 T
    shift_all(walk, 2).take(Move::gap, 0).take(Move::left, S_);  // 0 T T
    CHECK(!walk.allows(Move::gap, 0) && walk.allows(Move::gap, 1) && walk.allows(Move::shift));
    walk.take(Move::gap, 1);
    CHECK(walk.count(Move::left) == 0 && walk.count(Move::right) == 5);
}

TEST(compound_gaps_reach_the_partner_of_a_temporary_label) {
    // 0 T T T | 7 8 with nothing in the queue: a fourth temporary item needs GAP 3 to reach 0.
    for (const std::int32_t largest : {0, 1, 2, 3, 4}) {
        Walk walk(small_system("cgap", {}, largest), 9);
        shift_all(walk, 1);
        for (int pair = 0; pair < 3; ++pair)
            shift_all(walk, 2).take(Move::gap, 0).take(Move::left, S_);
        shift_all(walk, 2).take(Move::gap, 0);
        CHECK(walk.at.next == 9 && allows_both(walk, S));
        CHECK(allows_both(walk, NP_) == (largest >= 3));
        CHECK(allows_none(walk, NP_) == (largest < 3));
    }
    // What was gapped is on top of the stack afterwards.
    Walk walk(small_system("cgap", {}, 1), 4);
    shift_all(walk, 2).take(Move::gap, 0).take(Move::left, S_);
    shift_all(walk, 2).take(Move::gap, 1);
    CHECK(walk.allows(Move::left, S_) && !walk.allows(Move::right, S_));
}

TEST(the_compound_root_comes_at_the_end) {
    Walk walk(cgap, 3);
    shift_all(walk, 3);
    CHECK(allows_none(Walk(walk).take(Move::gap, 0), ROOT));
    CHECK(allows_none(Walk(walk).take(Move::gap, 1), ROOT));
    walk.take(Move::gap, 1).take(Move::right, NP).take(Move::gap, 0);
    CHECK(walk.legal().size() == 2 && allows_both(walk, ROOT));
    CHECK(walk.take(Move::left, ROOT).is_final());
    CHECK(walk.legal() == std::vector{cgap->idle()});
    CHECK(walk.focus().gap_type == GapType::gap);
}

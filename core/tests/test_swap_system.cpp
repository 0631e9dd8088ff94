#include "check.hpp"
#include "transitions/swap.hpp"
#include "walks.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

using Vertices = std::vector<Vertex>;

const auto swap = small_system("swap");
const auto swap_all = small_system("swap", {.swaps_nonterminals = true});
const auto cswap = small_system("cswap");
const auto cswap_all = small_system("cswap", {.swaps_nonterminals = true});

Vertices queue(const Walk& walk) {
    Vertices found;
    for (std::int32_t i = 0;; ++i) {
        found.push_back(walk.system->queue_item(walk.forest, walk.at, i));
        if (found.back() == no_vertex)
            return found;
    }
}

}  // namespace

TEST(shift_takes_the_first_queue_item) {
    Walk walk(swap, 3);
    CHECK(walk.legal().size() == 1 && queue(walk) == Vertices{0, 1, 2, no_vertex});
    walk.shift();
    CHECK(walk.at.focus == 0 && walk.stack().empty() && queue(walk) == Vertices{1, 2, no_vertex});
    walk.shift(2);
    CHECK(walk.at.focus == 2 && walk.stack() == Vertices{1, 0} && queue(walk) == Vertices{-1});
    CHECK(!walk.allows(Move::shift));
}

TEST(swapped_items_go_back_to_the_queue) {
    Walk walk(swap, 3);
    CHECK(!walk.shift().allows(Move::swap, 1));
    walk.shift().take(Move::swap, 1);
    CHECK(walk.at.focus == 1 && walk.stack().empty() && walk.aside() == Vertices{0});
    CHECK(queue(walk) == Vertices{0, 2, no_vertex});
    walk.shift();
    CHECK(walk.at.focus == 0 && walk.stack() == Vertices{1} && queue(walk) == Vertices{2, -1});
    CHECK(!walk.allows(Move::swap, 1));  // 1 comes later than 0: they were swapped before
    walk.shift();
    CHECK(walk.allows(Move::swap, 1));
}

TEST(only_tokens_are_swapped_unless_nonterminals_are_wanted) {
    for (const auto& system : {swap, swap_all, cswap, cswap_all}) {
        Walk walk(system, 4);
        walk.shift(2).take(Move::left, NP).shift();
        CHECK(walk.allows(Move::swap, 1) == (system == swap_all || system == cswap_all));
        walk.shift();
        CHECK(walk.allows(Move::swap, 1));
        CHECK(walk.allows(Move::swap, 2) == (system == cswap_all));
    }
}

TEST(compound_swaps_move_several_items_at_once) {
    Walk walk(cswap, 6);
    walk.shift(5);
    CHECK(walk.count(Move::swap) == 3 && !walk.allows(Move::swap, 4));
    walk.take(Move::swap, 3);
    CHECK(walk.at.focus == 4 && walk.stack() == Vertices{0});
    CHECK(queue(walk) == Vertices{1, 2, 3, 5, no_vertex});
    CHECK(walk.count(Move::swap) == 0);  // it could have been one larger swap
    CHECK(walk.take(Move::left, NP).count(Move::swap) == 0);
    CHECK(walk.shift().allows(Move::shift));
}

TEST(a_larger_swap_stops_at_an_item_that_comes_later) {
    Walk walk(cswap, 4);
    walk.shift(3).take(Move::swap, 1).shift();  // 0 2 1, then 3
    CHECK(walk.stack() == Vertices{2, 0} && walk.at.focus == 1);
    CHECK(walk.count(Move::swap) == 0);
    CHECK(walk.shift().count(Move::swap) == 3);
}

TEST(unary_reductions_are_limited) {
    Walk walk(swap, 2);
    walk.shift();
    CHECK(walk.count(Move::unary) == 2 && !walk.allows(Move::unary, ROOT));
    walk.take(Move::unary, NP);
    CHECK(walk.count(Move::unary) == 1 && walk.allows(Move::unary, S));
    walk.take(Move::unary, S).take(Move::unary, NP);
    CHECK(walk.count(Move::unary) == 0);  // three in a row
    CHECK(walk.shift().count(Move::unary) == 2);
    CHECK(walk.take(Move::left, NP).count(Move::unary) == 2);  // S and the root
    CHECK(walk.allows(Move::unary, S) && walk.allows(Move::unary, ROOT));

    Walk none(small_system("swap", {.unary_limit = 0}), 2);
    CHECK(none.shift().count(Move::unary) == 0);
    Walk again(small_system("swap", {.unary_limit = 9, .repeats_unaries = true}), 2);
    again.shift();
    for (int times = 0; times < 9; ++times)
        CHECK(again.count(Move::unary) == 2 && again.take(Move::unary, S).focus().label == S);
    CHECK(again.count(Move::unary) == 0);
}

TEST(long_chains_of_unary_reductions_come_to_an_end) {
    Walk walk(small_system("swap", {.unary_limit = 300, .repeats_unaries = true}), 2);
    walk.shift();
    for (int times = 0; times < 300; ++times)
        walk.take(Move::unary, S);
    CHECK(walk.count(Move::unary) == 0);
}

TEST(a_temporary_item_has_no_unary_reduction) {
    Walk walk(swap, 3);
    CHECK(walk.shift(2).take(Move::left, S_).count(Move::unary) == 0);
}

TEST(a_root_is_finished) {
    Walk walk(swap, 1);
    walk.shift();
    CHECK(walk.count(Move::unary) == 3 && walk.legal().size() == 3);
    walk.take(Move::unary, S).take(Move::unary, NP).take(Move::unary, S);
    CHECK(walk.legal().size() == 1 && !walk.is_whole());  // the root does not count
    walk.take(Move::unary, ROOT);
    CHECK(walk.is_whole() && !walk.is_final() && walk.legal().size() == 1);
    walk.take(Move::finish);
    CHECK(walk.is_whole() && walk.is_final() && walk.legal() == std::vector{swap->idle()});
    CHECK(walk.take(Move::idle).is_final() && walk.focus().label == ROOT);
}

TEST(the_root_comes_at_the_end_where_other_labels_may_come_too) {
    Walk walk(swap, 3);
    walk.shift(2);
    CHECK(walk.count(Move::left) == 5 && !walk.allows(Move::left, ROOT));
    walk.shift();
    CHECK(walk.count(Move::left) == 5 && !walk.allows(Move::right, ROOT));
    Walk swapped = walk;
    swapped.take(Move::swap, 1);
    CHECK(!swapped.allows(Move::left, ROOT));  // the queue is not empty
    walk.take(Move::right, S);
    CHECK(walk.count(Move::left) == 3 && walk.count(Move::right) == 3);
    CHECK(walk.allows(Move::left, ROOT) && walk.allows(Move::right, ROOT));
    CHECK(!walk.allows(Move::left, S_));  // nothing is left for it
    CHECK(walk.take(Move::left, S).allows(Move::unary, ROOT));
}

TEST(a_temporary_item_becomes_what_it_stands_for) {
    Walk walk(swap, 4);
    walk.shift(2).take(Move::left, S_).shift();
    CHECK(walk.count(Move::left) == 2 && walk.count(Move::right) == 0);
    CHECK(walk.allows(Move::left, S) && walk.allows(Move::left, S_));
    walk.shift().take(Move::left, NP);
    CHECK(walk.count(Move::left) == 1 && walk.count(Move::right) == 0);  // at the end
    CHECK(walk.allows(Move::left, S) && !walk.allows(Move::left, ROOT));
    CHECK(walk.take(Move::left, S).allows(Move::unary, ROOT));

    Walk mirrored(swap, 4);
    mirrored.shift(3).take(Move::right, NP_);
    CHECK(mirrored.count(Move::right) == 2 && mirrored.count(Move::left) == 0);
    CHECK(mirrored.allows(Move::right, NP) && mirrored.allows(Move::right, NP_));
}

TEST(what_stands_for_the_root_becomes_the_root_at_the_end) {
    Walk walk(swap, 4);
    walk.shift(2).take(Move::left, ROOT_).shift();
    CHECK(walk.count(Move::left) == 1 && walk.allows(Move::left, ROOT_));
    walk.take(Move::left, ROOT_).shift();
    CHECK(walk.count(Move::left) == 1 && walk.allows(Move::left, ROOT));
}

TEST(what_stands_for_the_root_becomes_anything_if_nothing_else_is_left_for_an_item_below) {
    Walk walk(swap, 5);
    walk.shift(2).take(Move::left, S_).shift(2).take(Move::left, ROOT_).shift();
    CHECK(walk.count(Move::left) == 2 && walk.allows(Move::left, S) && walk.allows(Move::left, NP));
    walk.take(Move::left, NP);
    CHECK(walk.count(Move::left) == 1 && walk.allows(Move::left, S));  // S_ and NP
}

// S as a root and S inside a tree have two numbers, and one temporary label.
TEST(a_root_may_have_the_name_of_a_plain_label) {
    enum : Label { plain, temporary, root, other };
    const Labels labels = {
        {LabelKind::plain, LabelKind::temporary, LabelKind::root, LabelKind::root},
        {plain, plain, plain, other}};
    Walk walk(make_system("swap", labels,
                          {{Move::left, temporary}, {Move::left, root}, {Move::left, other}}, {}),
              3);
    walk.shift(2).take(Move::left, temporary).shift();
    CHECK(walk.count(Move::left) == 2);
    CHECK(walk.allows(Move::left, plain) && walk.allows(Move::left, root));
}

TEST(a_temporary_item_is_not_left_alone) {
    // T and a queue of temporary items alone would never find a partner.
    Walk walk(swap_all, 3);
    walk.shift(2).take(Move::left, S_);
    CHECK(walk.allows(Move::shift));
    walk.shift().take(Move::swap, 1);
    CHECK(walk.at.focus == 2 && walk.aside().size() == 1 && walk.allows(Move::shift));
    walk.shift();
    CHECK(walk.stack() == Vertices{2} && walk.focus().label == S_);
    CHECK(!walk.allows(Move::shift) && !walk.allows(Move::swap, 1));
    CHECK(walk.count(Move::right) == 1 && walk.legal().size() == 1);  // S
}

TEST(temporary_labels_need_a_partner_that_can_be_reached) {
    for (const auto& system : {swap, swap_all, cswap, cswap_all}) {
        const bool reaches = system == swap_all || system == cswap_all;
        Walk walk(system, 5);
        walk.shift(3).take(Move::left, S_).shift(2);  // 0 T 3 | 4, nothing else
        CHECK(walk.allows(Move::left, NP_) == reaches && walk.allows(Move::left, NP));
        if (!reaches)
            continue;
        walk.take(Move::left, NP_);
        CHECK(walk.count(Move::swap) == walk.count(Move::idle) + (system == cswap_all ? 2 : 1));
        CHECK(!walk.allows(Move::shift) && walk.count(Move::left) + walk.count(Move::right) == 0);
        walk.take(Move::swap, 1);
        CHECK(walk.stack() == Vertices{0} && walk.count(Move::right) > 0);
    }
    // With a token in the queue, or right below, all is well.
    Walk queued(swap, 6);
    CHECK(queued.shift(3).take(Move::left, S_).shift(2).allows(Move::left, NP_));
    Walk below(swap, 3);
    CHECK(below.shift(3).allows(Move::left, NP_));
}

TEST(a_temporary_item_may_swap_again_to_reach_its_partner) {
    Walk walk(small_system("cswap", {.swaps_nonterminals = true}, 2), 9);
    walk.shift();
    for (int pair = 0; pair < 3; ++pair)
        walk.shift(2).take(Move::left, S_);
    walk.shift(2).take(Move::left, NP_);  // 0 T T T | T
    CHECK(walk.count(Move::swap) == 2);
    walk.take(Move::swap, 2);
    CHECK(walk.stack().size() == 2 && walk.allows(Move::swap, 1));
    CHECK(walk.legal().size() == 2);  // SWAP 1 and 2
    walk.take(Move::swap, 1);
    CHECK(walk.stack() == Vertices{0} && walk.allows(Move::right, NP));
}

TEST(heads_and_children_of_reductions) {
    Walk walk(swap, 4);
    walk.shift(3).take(Move::swap, 1).take(Move::right, NP);  // 0 and 2
    CHECK(walk.focus().left == 0 && walk.focus().right == 2 && walk.focus().head() == 2);
    CHECK(walk.focus().gap_length() == 1 && walk.stack().empty());
    const Vertex made = walk.at.focus;
    walk.shift().take(Move::left, S);
    CHECK(walk.focus().left == made && walk.focus().right == 1 && walk.focus().head() == 2);
    CHECK(walk.focus().gap_type == GapType::gap);
}

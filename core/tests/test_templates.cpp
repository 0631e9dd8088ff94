#include <algorithm>
#include <map>
#include <optional>

#include "check.hpp"
#include "linear/feature_reader.hpp"
#include "scores.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

constexpr Label label_count = 6;
constexpr std::uint32_t columns = 4;
constexpr int separator_column = 2;

// Word, tag, separator and one more column of six tokens.
const std::vector<std::uint32_t> rows = {
    11, 1, 0, 41,  //
    12, 2, 3, 42,  //
    13, 3, 0, 43,  //
    14, 4, 3, 44,  //
    15, 5, 5, 45,  //
    16, 6, 0, 46,
};

std::vector<Feature> extract(const Templates& templates, const Items& items, const Forest& forest,
                             const std::vector<std::uint32_t>& table) {
    return features_of(templates, label_count, table, items, forest);
}

// The features of a template that has exactly these values, one or two.
Feature feature_with(std::uint32_t first, std::optional<std::uint32_t> second = {}) {
    const Atom word = {slot_focus, no_step, at_head, 0};
    const Atom tag = {slot_focus, no_step, at_head, 1};
    const Templates templates({second ? Template{word, tag} : Template{word}}, 2, -1, false);
    return feature_of(templates, std::vector{first, second.value_or(0)});
}

// A forest, with all kinds of nodes for items.
struct Scene {
    Forest forest;
    Items items;
    Vertex pair, above, wide;

    Scene() {
        forest.reset(6);
        pair = forest.make(NP, false, 0, 2, Side::right);
        above = forest.make(S, false, pair, no_vertex, Side::left);
        wide = forest.make(S_, true, above, 4, Side::left);
        items.fill(no_vertex);
    }

    [[nodiscard]] Feature feature(const Atom& atom) const {
        const Templates templates({{atom}}, columns, separator_column, false);
        return extract(templates, items, forest, rows).at(0);
    }

    // The value of one atom; -1 if it is larger than any here.
    [[nodiscard]] int value(int slot, int steps, int place, int column) const {
        static const std::map<Feature, int> known = [] {
            std::map<Feature, int> found;
            for (std::uint32_t number = 0; number < 100; ++number)
                found[feature_with(number)] = static_cast<int>(number);
            return found;
        }();
        const auto small = [](int number) { return static_cast<std::uint8_t>(number); };
        const auto found =
            known.find(feature({small(slot), small(steps), small(place), small(column)}));
        return found == known.end() ? -1 : found->second;
    }

    [[nodiscard]] int own(Vertex item, int column, int steps = no_step) {
        items[slot_focus] = item;
        return value(slot_focus, steps, 0, column);
    }

    [[nodiscard]] int word(Vertex item, int place, int steps = no_step) {
        items[slot_focus] = item;
        return value(slot_focus, steps, place, 0);
    }
};

bool refuses(const std::vector<Template>& templates, const char* message,
             std::uint32_t column_count = columns, int separator = separator_column) {
    return check::throws<std::invalid_argument>(
        [&] { Templates(templates, column_count, separator, false); }, message);
}

std::vector<Feature> sorted(std::vector<Feature> features) {
    std::ranges::sort(features);
    return features;
}

}  // namespace

TEST(every_slot_has_its_item) {
    Scene scene;
    for (int slot = 0; slot < slot_count; ++slot) {
        scene.items.fill(no_vertex);
        for (int other = 0; other < slot_count; ++other)
            CHECK(scene.value(other, no_step, at_head, 0) == 0);
        scene.items.fill(5);
        scene.items[static_cast<std::size_t>(slot)] = 3;
        for (int other = 0; other < slot_count; ++other)
            CHECK(scene.value(other, no_step, at_head, 0) == (other == slot ? 14 : 16));
    }
}

TEST(every_column_of_a_token_is_read) {
    Scene scene;
    scene.items[slot_stack] = 4;
    for (int column = 0; column < static_cast<int>(columns); ++column)
        CHECK(scene.value(slot_stack, no_step, at_head, column) ==
              static_cast<int>(rows[4 * columns + static_cast<std::size_t>(column)]));
}

TEST(every_place_is_found) {
    Scene scene;  // `wide` has tokens 0, 2 and 4
    const std::map<int, int> expected = {{at_head, 13},     {at_first, 11},   {at_last, 15},
                                         {before_first, 0}, {after_last, 16}, {gap_before, 11},
                                         {gap_first, 12},   {gap_last, 12},   {gap_after, 13}};
    CHECK(expected.size() == place_count - 1);
    for (const auto& [place, word] : expected)
        CHECK(scene.word(scene.wide, place) == word);
    for (const int place : {gap_before, gap_first, gap_last, gap_after})
        CHECK(scene.word(3, place) == 0);
    CHECK(scene.word(3, before_first) == 13 && scene.word(5, after_last) == 0);
}

TEST(a_long_gap_has_a_first_and_a_last_token) {
    Scene scene;
    const Vertex open = scene.forest.make(S, false, 5, 1, Side::left);
    CHECK(scene.word(open, gap_before) == 12 && scene.word(open, gap_first) == 13);
    CHECK(scene.word(open, gap_last) == 15 && scene.word(open, gap_after) == 16);
}

TEST(nodes_have_values_of_their_own) {
    Scene scene;
    CHECK(scene.own(no_vertex, own_label) == 0);
    CHECK(scene.own(scene.above, own_label) == S + 1 && scene.own(scene.wide, own_label) == S_ + 1);
    CHECK(scene.own(2, own_label) == 3 + label_count + 1);  // its tag, behind all labels
    CHECK(scene.own(2, own_gap_type) == static_cast<int>(GapType::none));
    CHECK(scene.own(scene.wide, own_gap_type) == static_cast<int>(GapType::pass));
    CHECK(scene.own(2, own_gap_length) == 1 && scene.own(scene.pair, own_gap_length) == 2);
    CHECK(scene.own(scene.wide, own_gap_length) == 3);
    CHECK(scene.own(2, own_size) == 1 && scene.own(scene.wide, own_size) == 3);
    CHECK(scene.own(no_vertex, own_size) == 0 && scene.own(no_vertex, own_gap_length) == 0);
}

TEST(steps_lead_to_children_and_grandchildren) {
    Scene scene;
    const auto then = [](int first, int second) { return first | second << step_bits; };
    CHECK(scene.own(scene.wide, own_label, to_left) == S + 1);
    CHECK(scene.word(scene.wide, at_head, to_right) == 15);
    CHECK(scene.own(scene.wide, own_label, to_only_child) == 0);  // it has two
    CHECK(scene.own(scene.above, own_label, to_only_child) == NP + 1);
    CHECK(scene.own(scene.above, own_label, to_left) == 0);  // it has one
    CHECK(scene.own(scene.above, own_label, to_left_or_only_child) == NP + 1);
    CHECK(scene.own(scene.wide, own_label, to_left_or_only_child) == S + 1);
    CHECK(scene.own(scene.above, own_label, to_right) == 0);
    CHECK(scene.own(scene.wide, own_label, then(to_left, to_only_child)) == NP + 1);
    CHECK(scene.word(scene.above, at_head, then(to_only_child, to_right)) == 13);
    CHECK(scene.word(scene.above, at_last, then(to_only_child, to_left)) == 11);
    CHECK(scene.word(scene.wide, at_head, then(to_right, to_left)) == 0);  // below a token
    for (const int step : {to_left, to_right, to_only_child, to_left_or_only_child})
        CHECK(scene.word(3, at_head, step) == 0 && scene.word(no_vertex, at_head, step) == 0);
}

TEST(children_are_in_the_order_of_the_sentence) {
    Scene scene;  // after a GAP, the left item of a reduction may begin after the right one
    const Vertex reversed = scene.forest.make(NP, false, 3, scene.pair, Side::right);
    CHECK(scene.own(reversed, own_label, to_left) == NP + 1);
    CHECK(scene.own(reversed, own_label, to_left_or_only_child) == NP + 1);
    CHECK(scene.word(reversed, at_head, to_right) == 14);
    CHECK(scene.word(reversed, at_head, to_left | to_right << step_bits) == 13);
}

TEST(separators_between_two_heads) {
    Scene scene;  // separators: 3 at 1, 3 at 3, 5 at 4
    const auto pair = [&](Vertex stack, Vertex focus) {
        scene.items[slot_stack] = stack;
        scene.items[slot_focus] = focus;
        return std::pair(scene.value(slot_pair, 0, 0, pair_separator),
                         scene.value(slot_pair, 0, 0, pair_separators));
    };
    CHECK(pair(0, 2) == std::pair(4, 2));  // which one, how many; both one more than that
    CHECK(pair(2, 0) == std::pair(4, 2));
    CHECK(pair(0, 4) == std::pair(4, 3));  // twice the same; 4 itself is not between
    CHECK(pair(0, 5) == std::pair(1, 4));  // different ones
    CHECK(pair(2, 5) == std::pair(1, 3));
    CHECK(pair(1, 3) == std::pair(1, 1));           // none
    CHECK(pair(scene.wide, 5) == std::pair(1, 3));  // the head of `wide` is 2
    CHECK(pair(no_vertex, 5) == std::pair(0, 0) && pair(5, no_vertex) == std::pair(0, 0));
}

TEST(order_of_two_items) {
    Scene scene;  // pair: 0 2, wide: 0 2 4
    const auto order = [&](Vertex stack, Vertex focus) {
        scene.items[slot_stack] = stack;
        scene.items[slot_focus] = focus;
        return scene.value(slot_pair, 0, 0, pair_order);
    };
    CHECK(order(0, 1) == next_to && order(1, 0) == order_count + next_to);
    CHECK(order(0, 2) == apart && order(2, 0) == order_count + apart);
    CHECK(order(scene.pair, 3) == next_to && order(scene.pair, 4) == apart);
    CHECK(order(scene.pair, 1) == fills_gap && order(1, scene.pair) == order_count + fills_gap);
    CHECK(order(scene.wide, 1) == in_gap);  // there is a second gap
    CHECK(order(scene.wide, 3) == mixed);   // only the first gap is looked at
    const Vertex around = scene.forest.make(NP, false, 0, 4, Side::left);
    CHECK(order(around, 2) == in_gap && order(around, 5) == next_to);
    const Vertex crossing = scene.forest.make(NP, false, 1, 3, Side::left);
    CHECK(order(scene.pair, crossing) == mixed);
    CHECK(order(crossing, scene.pair) == order_count + mixed);
    CHECK(order(no_vertex, 5) == no_order && order(5, no_vertex) == no_order);
}

TEST(order_needs_no_separators) {
    const Atom order{slot_pair, 0, 0, pair_order};
    CHECK(Templates({{order}}, columns, -1, false).groups().size() == 1);
}

TEST(values_and_their_order_matter) {
    Scene scene;
    scene.items[slot_focus] = scene.wide;
    scene.items[slot_stack] = 3;
    const Templates templates({{{slot_stack, 0, at_head, 0}, {slot_focus, 0, at_last, 1}}}, columns,
                              separator_column, false);
    const Feature found = extract(templates, scene.items, scene.forest, rows).at(0);
    CHECK(found == feature_with(14, 5));
    CHECK(found != feature_with(5, 14) && found != feature_with(14) &&
          found != feature_with(14, 0));
}

TEST(templates_never_share_features) {
    Scene scene;
    const Template words = {{slot_focus, 0, at_head, 0}};
    const Templates templates({words, words, {{slot_stack, 0, at_head, 0}}}, columns, -1, false);
    scene.items[slot_focus] = scene.items[slot_stack] = 3;
    const auto features = sorted(extract(templates, scene.items, scene.forest, rows));
    CHECK(features.size() == 3 && std::ranges::adjacent_find(features) == features.end());
}

TEST(many_values_give_many_features) {
    std::vector<Feature> features;
    for (std::uint32_t first = 0; first < 300; ++first)
        for (std::uint32_t second = 0; second < 30; ++second)
            features.push_back(feature_with(first, second));
    features = sorted(features);
    CHECK(std::ranges::adjacent_find(features) == features.end());
}

TEST(templates_are_grouped_by_their_items) {
    const auto at = [](int slot) { return Atom{static_cast<std::uint8_t>(slot), 0, at_head, 0}; };
    const std::vector<Template> templates = {
        {at(slot_focus)},
        {at(slot_focus), {slot_focus, to_left, 0, own_label}},
        {at(slot_queue)},
        {at(slot_queue + 3), at(slot_queue)},
        {at(slot_focus), at(slot_stack)},
        {{slot_pair, 0, 0, pair_separator}},
        {at(slot_focus), at(slot_stack), at(slot_queue)},
        {at(slot_focus), at(slot_stack), at(slot_stack + 3)},
    };
    using Slots = std::vector<std::vector<std::uint8_t>>;
    const auto slots = [&](bool fixed_queue) {
        Slots found;
        const Templates made(templates, 3, 2, fixed_queue);
        for (const auto& group : made.groups())
            found.push_back(group.slots);
        return found;
    };
    // Three items and more are taken together, and so is a queue that its first item determines.
    CHECK(slots(true) == Slots{{0}, {7}, {0, 1}, {0, 1, 4, 7}});
    CHECK(slots(false) == Slots{{0}, {7}, {7, 10}, {0, 1}, {0, 1, 4, 7}});
}

TEST(groups_do_not_change_features) {
    const auto system = small_system("gap");
    std::mt19937_64 random(3);
    const auto table = random_rows(random, 9, 3);
    const auto one = some_templates("gap");
    const auto other = some_templates("swap");
    CHECK(one->groups().size() < other->groups().size());
    Walk walk(system, 9);
    while (!walk.is_final()) {
        const Items items = one->items(*system, walk.forest, walk.at);
        CHECK(items == other->items(*system, walk.forest, walk.at));
        const auto features = extract(*one, items, walk.forest, table);
        CHECK(features.size() == 17);
        CHECK(sorted(features) == sorted(extract(*other, items, walk.forest, table)));
        const auto legal = walk.legal();
        walk.at = system->apply(walk.forest, walk.at, legal[draw(random, legal.size())]);
    }
}

TEST(items_of_gap) {
    const auto system = small_system("gap");
    const Templates all({{{slot_stack + 3, 0, 1, 0}, {slot_queue + 3, 0, 1, 0}}}, 2, -1, true);
    Walk walk(system, 9);
    walk.shift(6).take(Move::gap, 1).take(Move::gap, 1).take(Move::gap, 1);
    const Items items = all.items(*system, walk.forest, walk.at);
    CHECK(items == Items{5, 1, 0, no_vertex, no_vertex, 4, 3, 6, 7, 8, no_vertex});
    const Templates few({{{slot_focus, 0, 1, 0}, {slot_queue, 0, 1, 0}}}, 2, -1, true);
    CHECK(few.items(*system, walk.forest, walk.at) ==
          Items{5, -1, -1, -1, -1, 4, 3, 6, -1, -1, -1});  // only as far as templates look
    const Templates pair({{{slot_pair, 0, 0, pair_separator}}}, 3, 2, true);
    CHECK(pair.items(*system, walk.forest, walk.at)[slot_stack] == 1);
}

TEST(items_of_swap) {
    const auto system = small_system("cswap");
    const Templates all({{{slot_stack + 3, 0, 1, 0}, {slot_queue + 3, 0, 1, 0}}}, 2, -1, false);
    Walk walk(system, 7);
    walk.shift(5).take(Move::swap, 2);
    CHECK(all.items(*system, walk.forest, walk.at) == Items{4, 1, 0, -1, -1, -1, -1, 2, 3, 5, 6});
    CHECK(all.items(*system, Walk(system, 7).forest, {})[slot_focus] == no_vertex);
}

TEST(what_cannot_be_is_refused) {
    const char* atom = "no place of a configuration";
    CHECK(refuses({{}}, "between 1 and 16 atoms"));
    CHECK(refuses({Template(17, {slot_focus, 0, 1, 0})}, "between 1 and 16 atoms"));
    CHECK(!refuses({Template(16, {slot_focus, 0, 1, 0})}, ""));
    CHECK(refuses({{{slot_pair + 1, 0, 0, 0}}}, atom));
    CHECK(refuses({{{slot_focus, step_count, 0, 0}}}, atom));
    CHECK(refuses({{{slot_focus, to_left | step_count << step_bits, 0, 0}}}, atom));
    CHECK(refuses({{{slot_focus, to_left << step_bits, 0, 0}}},
                  atom));  // a second step without a first
    CHECK(refuses({{{slot_focus, 0, place_count, 0}}}, atom));
    CHECK(refuses({{{slot_focus, 0, at_head, columns}}}, atom));
    CHECK(refuses({{{slot_focus, 0, 0, own_count}}}, "(0, 0, 0, 4)"));
    CHECK(refuses({{{slot_pair, 0, 0, pair_count}}}, atom));
    CHECK(refuses({{{slot_pair, 0, 0, pair_separator}}}, atom, columns, -1));
    CHECK(refuses({}, "words, tags", 1, -1));
    CHECK(refuses({}, "words, tags", 2, 2));
}

TEST(a_group_has_no_more_atoms_than_can_be_counted) {
    std::vector<Template> templates;
    for (int place = 1; place < place_count; ++place)
        for (int column = 0; column < 29; ++column)
            templates.push_back({{slot_focus, 0, static_cast<std::uint8_t>(place),
                                  static_cast<std::uint8_t>(column)}});
    CHECK(refuses(templates, "too many places", 30, -1));  // 261
    templates.resize(Templates::most_values);
    CHECK(!refuses(templates, "", 30, -1));
    Scene scene;
    std::vector<std::uint32_t> wide(6 * 30);
    for (std::uint32_t i = 0; i < wide.size(); ++i)
        wide[i] = i;
    scene.items[slot_focus] = scene.wide;
    const Templates all(templates, 30, -1, false);
    const auto features = extract(all, scene.items, scene.forest, wide);
    // The last of the templates looks at the last of the places.
    std::vector<Template> same(Templates::most_values - 1, templates[0]);
    same.push_back(templates.back());
    const Templates other(same, 30, -1, false);
    CHECK(features.back() == extract(other, scene.items, scene.forest, wide).back());
}

#include "check.hpp"
#include "transitions/batch.hpp"
#include "walks.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

using Mask = std::vector<std::uint8_t>;
using Numbers = std::vector<std::int32_t>;

Mask mask_of(Batch& batch) {
    Mask mask(batch.size() * batch.transition_count(), 7);
    batch.write_legal(mask);
    return mask;
}

Numbers items_of(const Batch& batch, const ItemWidths& widths) {
    Numbers items(batch.size() * widths.item_count() * widths.item_size(), 7);
    batch.write_items(widths, items);
    return items;
}

// The item of one configuration, by the description alone.
Numbers item_of(const Walk& walk, Vertex vertex, std::size_t blocks) {
    Numbers item(4 + 2 * blocks, -1);
    if (vertex == no_vertex)
        return item;
    const ForestNode& node = walk.forest.node(vertex);
    item[0] = vertex;
    item[1] = node.label;
    item[2] = node.head();
    item[3] = static_cast<std::int32_t>(node.block_count);
    item[4] = node.first();
    if (node.block_count <= blocks) {
        for (std::uint32_t i = 0; i < node.block_count; ++i) {
            item[4 + 2 * i] = walk.forest.block(node, i).start;
            item[5 + 2 * i] = walk.forest.block(node, i).stop;
        }
    } else {
        for (std::uint32_t i = 0; i + 1 < blocks; ++i) {
            item[4 + 2 * i] = walk.forest.block(node, i).start;
            item[5 + 2 * i] = walk.forest.block(node, i).stop;
        }
        const BlockRange last = walk.forest.block(node, node.block_count - 1);
        if (blocks > 1)
            item[2 + 2 * blocks] = last.start;
        item[3 + 2 * blocks] = last.stop;
    }
    return item;
}

Numbers expected_items(const Walk& walk, const ItemWidths& widths) {
    std::vector<Vertex> vertices{walk.at.focus};
    const auto add = [&](const std::vector<Vertex>& found, std::size_t width) {
        for (std::size_t i = 0; i < width; ++i)
            vertices.push_back(i < found.size() ? found[i] : no_vertex);
    };
    add(walk.stack(), widths.stack);
    std::vector<Vertex> aside = walk.aside();
    std::ranges::reverse(aside);
    add(aside, widths.aside);
    std::vector<Vertex> queue;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(widths.queue); ++i)
        queue.push_back(walk.system->queue_item(walk.forest, walk.at, i));
    add(queue, widths.queue);
    Numbers items;
    for (const Vertex vertex : vertices) {
        const Numbers item = item_of(walk, vertex, widths.blocks);
        items.insert(items.end(), item.begin(), item.end());
    }
    return items;
}

}  // namespace

TEST(a_batch_steps_as_each_configuration_does_alone) {
    std::mt19937_64 random(7);
    for (const std::string_view name : names) {
        const auto system = small_system(name, {.swaps_nonterminals = true});
        for (int round = 0; round < 20; ++round) {
            Numbers sizes;
            std::vector<Walk> alone;
            for (std::size_t i = draw(random, 6); i > 0; --i) {
                sizes.push_back(static_cast<std::int32_t>(1 + draw(random, 9)));
                alone.emplace_back(system, sizes.back());
            }
            Batch batch(system, sizes);
            CHECK(batch.size() == sizes.size());
            for (int step = 0; step < 4000 && !batch.is_done(); ++step) {
                const Mask mask = mask_of(batch);
                const ItemWidths widths{1 + draw(random, 3), draw(random, 3), draw(random, 3),
                                        1 + draw(random, 3)};
                const Numbers items = items_of(batch, widths);
                const std::size_t width = widths.item_count() * widths.item_size();
                Mask is_final(batch.size(), 7);
                batch.write_final(is_final);
                Numbers chosen;
                for (std::size_t i = 0; i < alone.size(); ++i) {
                    Walk& walk = alone[i];
                    const std::vector<TransitionId> legal = walk.legal();
                    Mask row(batch.transition_count(), 0);
                    for (const TransitionId id : legal)
                        row[static_cast<std::size_t>(id)] = 1;
                    CHECK(std::ranges::equal(row,
                                             std::span(mask).subspan(i * row.size(), row.size())));
                    CHECK(std::ranges::equal(expected_items(walk, widths),
                                             std::span(items).subspan(i * width, width)));
                    CHECK(is_final[i] == (walk.is_final() ? 1 : 0));
                    if (walk.is_final()) {
                        chosen.push_back(-5);  // does not matter
                        continue;
                    }
                    chosen.push_back(legal[draw(random, legal.size())]);
                    walk.at = system->apply(walk.forest, walk.at, chosen.back());
                }
                batch.apply(chosen);
            }
            const auto codes = batch.codes();
            for (std::size_t i = 0; i < alone.size(); ++i)
                CHECK(codes[i] == (alone[i].is_final() ? encode(alone[i].forest, alone[i].at.focus)
                                                       : TreeCodes{}));
        }
    }
}

TEST(a_choice_that_is_not_legal_changes_nothing) {
    const auto system = small_system("gap");
    Batch batch(system, Numbers{2, 3});
    const TransitionId shift = system->find({Move::shift});
    const TransitionId gap = system->find({Move::gap, 1});
    const Mask before = mask_of(batch);
    CHECK(check::throws<std::invalid_argument>([&] { batch.apply(Numbers{shift, gap}); },
                                               "configuration 1: transition"));
    CHECK(check::throws<std::invalid_argument>([&] { batch.apply(Numbers{shift, -1}); },
                                               "configuration 1: transition -1 is not legal"));
    CHECK(mask_of(batch) == before);
    CHECK(batch.stepper(0).at().next == 0);
    batch.apply(Numbers{shift, shift});
    CHECK(batch.stepper(0).at().next == 1);
    CHECK(batch.deepest_stack() == 0);
    batch.apply(Numbers{shift, shift});
    CHECK(batch.deepest_stack() == 1);
}

TEST(selected_configurations_go_their_own_ways) {
    const auto system = small_system("gap");
    Batch batch(system, Numbers{2, 3});
    const TransitionId shift = system->find({Move::shift});
    batch.apply(Numbers{shift, shift});
    Batch beam = batch.select(Numbers{1, 0, 1});
    CHECK(beam.size() == 3 && beam.transition_count() == batch.transition_count());
    CHECK(beam.stepper(1).forest().token_count() == 2);
    beam.apply(Numbers{shift, shift, system->find({Move::unary, NP})});
    CHECK(beam.stepper(0).at().next == 2 && beam.stepper(0).forest().node_count() == 3);
    CHECK(beam.stepper(2).at().next == 1 && beam.stepper(2).forest().node_count() == 4);
    CHECK(batch.stepper(1).at().next == 1 && batch.stepper(1).forest().node_count() == 3);
    CHECK(batch.select(Numbers{}).size() == 0 && batch.select(Numbers{}).is_done());
    for (const std::int32_t number : {-1, 2})
        CHECK(check::throws<std::invalid_argument>([&] { (void)batch.select(Numbers{0, number}); },
                                                   "there is no configuration"));
}

TEST(arrays_of_the_wrong_size_are_refused) {
    const auto system = small_system("cswap");
    Batch batch(system, Numbers{2, 3});
    Mask mask(3);
    Numbers items(5);
    const auto refuses = [](auto call, const char* message) {
        return check::throws<std::invalid_argument>(call, message);
    };
    CHECK(refuses([&] { batch.write_legal(mask); }, "the mask has 3 numbers, expected"));
    CHECK(refuses([&] { batch.write_final(mask); }, "the array has 3 numbers, expected 2"));
    CHECK(refuses([&] { batch.apply(Numbers{0}); }, "the choice has 1 numbers, expected 2"));
    CHECK(refuses([&] { batch.write_items({}, items); }, "the array has 5 numbers, expected 64"));
    CHECK(refuses([&] { batch.write_items({.blocks = 0}, items); }, "at least one block"));
    CHECK(refuses([&] { const Batch empty(system, Numbers{2, 0}); }, "at least one token"));
}

TEST(the_tree_of_an_unfinished_configuration_is_refused) {
    const Stepper stepper(small_system("gap"), 2);
    CHECK(check::throws<std::invalid_argument>([&] { (void)stepper.codes(); }, "not finished"));
}

#include <numeric>
#include <random>

#include "check.hpp"
#include "functions/labeller.hpp"
#include "linear/learned_weights.hpp"
#include "tagging/trainer.hpp"

using namespace crossbranch;

namespace {

using Codes = std::vector<std::int32_t>;
using Cells = std::vector<std::uint32_t>;

// Labels: 0 S, 1 NP, 2 VP; tags: 3 noun, 4 verb, 5 comma. Functions: 0 empty, 1 head, 2 subject.
constexpr std::size_t label_count = 6;
constexpr std::size_t function_count = 3;
constexpr std::uint32_t column_count = child_columns.size();

HeadPattern labelled(std::vector<std::uint32_t> labels, std::vector<std::uint8_t> functions = {}) {
    std::vector<std::uint8_t> set(label_count);
    for (const std::uint32_t label : labels)
        set[label] = 1;
    return {{set, std::move(functions)}};
}

HeadPattern any(std::vector<std::uint8_t> functions = {}) {
    return {{std::vector<std::uint8_t>(label_count, 1), std::move(functions)}};
}

std::shared_ptr<const HeadRules> rules() {
    return std::make_shared<HeadRules>(
        std::vector<HeadRule>{{any(), Which::first, {any({0, 1, 0})}},
                              {labelled({1}), Which::across, {labelled({2})}},
                              {labelled({0}), Which::first, {labelled({2}), labelled({4})}},
                              {any(), Which::last, {labelled({3}), labelled({4})}}},
        label_count, function_count);
}

std::shared_ptr<const TagTemplates> templates() {
    return std::make_shared<TagTemplates>(
        std::vector<TagTemplate>{{TagHistory::none, {{0, 0}, {0, 13}}},
                                 {TagHistory::none, {{0, 21}}},
                                 {TagHistory::none, {{0, 19}, {0, 0}}},
                                 {TagHistory::last, {{0, 0}}}},
        column_count);
}

Cells table(const std::vector<std::uint32_t>& tags) {
    Cells cells;
    for (std::uint32_t i = 0; i < tags.size(); ++i)
        cells.insert(cells.end(),
                     {tags[i], tags[i] == 5 ? 1U : 0U, i + 10, i + 20, i + 30, i + 40});
    return cells;
}

HeadedTree read(const Codes& codes, const Cells& cells) {
    HeadedTree tree;
    tree.read(codes, cells, *rules(), 0);
    return tree;
}

// A random tree over some tokens: neighbours in a random order are joined.
Codes random_codes(std::mt19937_64& random, std::size_t count) {
    std::vector<Codes> parts;
    for (std::size_t i = 0; i < count; ++i)
        parts.push_back({static_cast<std::int32_t>(i)});
    do {
        const std::size_t start = random() % parts.size();
        const std::size_t size = 1 + random() % (parts.size() - start);
        Codes joined;
        for (std::size_t i = start; i < start + size; ++i)
            joined.insert(joined.end(), parts[i].begin(), parts[i].end());
        joined.push_back(~static_cast<std::int32_t>(random() % 3));
        joined.push_back(static_cast<std::int32_t>(size));
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(start),
                    parts.begin() + static_cast<std::ptrdiff_t>(start + size));
        parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(start), joined);
    } while (parts.size() > 1);
    if (parts[0].size() == 1)
        parts[0].insert(parts[0].end(), {~0, 1});
    return parts[0];
}

struct Batch {
    Codes codes;
    std::vector<std::size_t> code_offsets{0};
    Cells tokens;
    std::vector<std::size_t> token_offsets{0};
    std::vector<Tag> functions;

    [[nodiscard]] TreeBatch view() const { return {codes, code_offsets, tokens, token_offsets}; }
};

Batch random_batch(std::size_t count) {
    std::mt19937_64 random(7);
    Batch batch;
    for (std::size_t tree = 0; tree < count; ++tree) {
        const std::size_t size = 1 + random() % 9;
        std::vector<std::uint32_t> tags(size);
        for (auto& tag : tags)
            tag = static_cast<std::uint32_t>(3 + random() % 3);
        const Cells cells = table(tags);
        const Codes codes = random_codes(random, size);
        const HeadedTree read_tree = read(codes, cells);
        batch.codes.insert(batch.codes.end(), codes.begin(), codes.end());
        batch.code_offsets.push_back(batch.codes.size());
        batch.tokens.insert(batch.tokens.end(), cells.begin(), cells.end());
        batch.token_offsets.push_back(batch.token_offsets.back() + size);
        for (std::uint32_t vertex = 0; vertex < read_tree.size(); ++vertex)
            batch.functions.push_back(read_tree[vertex].label == 3 ? 2 : 0);
    }
    return batch;
}

}  // namespace

TEST(rules_are_tried_in_order) {
    const auto found = [&](HeadItem node, std::vector<HeadItem> children) {
        return rules()->find(node, children);
    };
    CHECK(found({0, 0}, {{1, 0}, {4, 0}, {2, 0}}) == 2);  // a VP before a verb
    CHECK(found({0, 0}, {{1, 0}, {4, 0}}) == 1);          // then a verb
    CHECK(found({0, 0}, {{1, 1}, {4, 0}, {2, 0}}) == 0);  // the function first of all
    CHECK(found({1, 0}, {{3, 0}, {3, 0}, {4, 0}}) == 1);  // the last noun
    CHECK(found({1, 0}, {{3, 0}, {2, 0}, {3, 0}}) == 0);  // across what is between conjuncts
    CHECK(found({2, 0}, {{5, 0, true}, {1, 0}}) == std::nullopt);  // no rule
    CHECK(found({2, 0}, {{4, 0, true}, {1, 0}}) == std::nullopt);  // punctuation is not looked at
    CHECK(found({2, 0}, {{4, 0, true}}) == 0);                     // unless there is nothing else
    CHECK(found({2, 0}, {}) == std::nullopt);
}

TEST(rules_for_marks_see_punctuation_only) {
    const HeadRules marks({{labelled({0}), Which::last_mark, {labelled({5})}},
                           {labelled({1}), Which::first_mark, {any()}},
                           {any(), Which::first, {any()}}},
                          label_count, function_count);
    const std::vector<HeadItem> children = {{4, 0}, {5, 0, true}, {5, 0}, {5, 0, true}, {4, 0}};
    CHECK(marks.find({0, 0}, children) == 3);
    CHECK(marks.find({1, 0}, children) == 1);
    CHECK(marks.find({2, 0}, children) == 0);
    CHECK(marks.find({0, 0}, std::vector<HeadItem>{{4, 0}, {5, 0}}) == 0);
}

TEST(a_tree_knows_heads_and_second_parts) {
    // (S 0 (VP (NP 1) 2 (NP 3 5)) 4): discontinuous.
    const Cells cells = table({3, 3, 4, 3, 5, 3});
    const HeadedTree tree = read({0, 1, ~1, 1, 2, 3, 5, ~1, 2, ~2, 3, 4, ~0, 3}, cells);
    CHECK(tree.token_count() == 6 && tree.node_count() == 4);
    const auto& root = tree[9];
    const auto& phrase = tree[8];
    CHECK(root.head == 2 && root.head_child == 8 && root.parent == nowhere && root.size == 6);
    CHECK(phrase.head == 2 && phrase.head_child == 2 && phrase.second == 7);
    CHECK(phrase.first == 1 && phrase.last == 5 && phrase.size == 4);
    CHECK(tree[7].parent == 8 && tree[7].head == 5 && tree[6].head == 1);
    CHECK(root.second == nowhere);  // the only node below it is its head
    const std::vector<Tag> functions = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    CHECK(tree.find_head(9, *rules(), functions) == 0);
    CHECK(tree.find_head(8, *rules(), functions) == 1);
    CHECK(tree.find_head(6, *rules(), functions) == -1);  // a single child
}

TEST(rows_describe_children) {
    const Cells cells = table({3, 3, 4, 3, 5, 3});
    const HeadedTree tree = read({0, 1, ~1, 1, 2, 3, 5, ~1, 2, ~2, 3, 4, ~0, 3}, cells);
    ChildRows all(true);
    all.make(tree, 9, 0);
    CHECK(all.members() == std::vector<std::uint32_t>({0, 8, 4}));
    CHECK(all.cells().size() == 3 * column_count);
    const auto cell = [&](const ChildRows& rows, std::size_t row, std::string_view name) {
        const auto place = std::ranges::find(child_columns, name) - child_columns.begin();
        return rows.cells()[row * column_count + static_cast<std::size_t>(place)];
    };
    CHECK(cell(all, 0, "label") == 4 && cell(all, 0, "word") == 10 && cell(all, 0, "left") == 0);
    CHECK(cell(all, 0, "place") == 3 && cell(all, 1, "place") == 4 && cell(all, 2, "place") == 5);
    CHECK(cell(all, 1, "word") == 12 && cell(all, 1, "second") == 15);
    CHECK(cell(all, 1, "secondlabel") == 2 && cell(all, 0, "secondtag") == 0);
    CHECK(cell(all, 1, "left") == 4 && cell(all, 1, "right") == 6 &&
          cell(all, 1, "lastword") == 15);
    CHECK(cell(all, 0, "grandparent") == 0 && cell(all, 0, "parentfunction") == 0);
    ChildRows nodes(false);
    nodes.make(tree, 8, 2);
    CHECK(nodes.members() == std::vector<std::uint32_t>({6, 7}));
    CHECK(cell(nodes, 0, "order") != cell(nodes, 1, "order"));
    CHECK(cell(nodes, 0, "shape") != cell(nodes, 1, "shape"));  // the second one has a gap
    CHECK(cell(nodes, 0, "grandparent") == 1 && cell(nodes, 0, "parentfunction") == 3);
    nodes.make(tree, 9, 0);
    CHECK(nodes.members() == std::vector<std::uint32_t>({8}));
    nodes.make(tree, 6, 0);
    CHECK(nodes.members().empty() && nodes.cells().empty());
}

TEST(functions_are_learned_and_threads_do_not_matter) {
    const Batch batch = random_batch(60);
    const FunctionLabeller heads_only(rules(), templates(), nullptr, 4, true, 0);
    const ChildSequences lessons = heads_only.sequences(batch.view(), batch.functions);
    CHECK(lessons.offsets.back() == lessons.functions.size());
    CHECK(lessons.rows.size() == lessons.functions.size() * column_count);
    TagTrainer trainer(templates(), function_count, {});
    for (int epoch = 0; epoch < 6; ++epoch)
        trainer.train(lessons.rows, lessons.offsets, lessons.functions, 1);
    const auto weights = std::make_shared<Weights>(trainer.average(0));
    const FunctionLabeller labeller(rules(), templates(), weights, 4, true, 0);
    const Labelled found = labeller.label(batch.view(), 1);
    CHECK(found.functions == batch.functions);
    for (const std::size_t threads : {2U, 3U, 100U}) {
        const Labelled other = labeller.label(batch.view(), threads);
        CHECK(other.functions == found.functions && other.heads == found.heads);
    }
    const Labelled bare = heads_only.label(batch.view(), 2);
    CHECK(std::ranges::all_of(bare.functions, [](Tag tag) { return tag == 0; }));
    CHECK(bare.heads.size() == found.heads.size());
    const FunctionLabeller of_nodes(rules(), templates(), weights, 4, false, 0);
    const Labelled partly = of_nodes.label(batch.view(), 1);
    CHECK(
        std::all_of(partly.functions.begin(),
                    partly.functions.begin() + static_cast<std::ptrdiff_t>(batch.token_offsets[1]),
                    [](Tag tag) { return tag == 0; }));
}

TEST(what_does_not_fit_is_refused) {
    using Error = std::invalid_argument;
    const auto made = [](std::size_t beam, Tag empty) {
        return FunctionLabeller(rules(), templates(), nullptr, beam, true, empty);
    };
    CHECK(check::throws<Error>([&] { made(0, 0); }, "a beam"));
    CHECK(check::throws<Error>([&] { made(1, 3); }, "a function that is not there"));
    const Batch batch = random_batch(3);
    std::vector<Tag> functions = batch.functions;
    functions.pop_back();
    CHECK(check::throws<Error>([&] { (void)made(1, 0).sequences(batch.view(), functions); },
                               "every vertex"));
    functions.resize(functions.size() + 2);
    CHECK(check::throws<Error>([&] { (void)made(1, 0).sequences(batch.view(), functions); },
                               "every vertex"));
    TreeBatch wrong = batch.view();
    wrong.tokens = wrong.tokens.subspan(1);
    CHECK(check::throws<Error>([&] { (void)made(1, 0).label(wrong, 1); }, "a token table"));
}

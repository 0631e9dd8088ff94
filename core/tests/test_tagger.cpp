#include <limits>

#include "check.hpp"
#include "scores.hpp"
#include "tagging/tagger.hpp"
#include "tagging/trainer.hpp"
#include "walks.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

constexpr std::size_t tag_count = 3;
constexpr std::size_t exact_beam = (tag_count + 1) * (tag_count + 1);  // all pairs of last tags

using Rows = std::vector<std::uint32_t>;

// Two columns; with no tags, one tag and two tags.
std::shared_ptr<const TagTemplates> templates() {
    return std::make_shared<TagTemplates>(
        std::vector<TagTemplate>{{TagHistory::none, {{0, 0}}},
                                 {TagHistory::none, {{-1, 0}, {1, 1}}},
                                 {TagHistory::last, {}},
                                 {TagHistory::last, {{0, 1}}},
                                 {TagHistory::last_two, {{2, 0}}}},
        2);
}

Rows random_rows(std::mt19937_64& random, std::size_t size) {
    Rows rows(2 * size);
    for (auto& cell : rows)
        cell = static_cast<std::uint32_t>(draw(random, 4));
    return rows;
}

std::vector<Feature> features_of(const TagTemplates& made, const Rows& rows, std::size_t token,
                                 std::uint32_t last, std::uint32_t last_but_one) {
    std::vector<Feature> features(made.size());
    made.read(rows, token, features);
    features[2] = TagTemplates::with_tags(features[2], last, 0);
    features[3] = TagTemplates::with_tags(features[3], last, 0);
    features[4] = TagTemplates::with_tags(features[4], last, last_but_one);
    return features;
}

std::int64_t score(const TagTemplates& made, const Weights& weights, const Rows& rows,
                   const std::vector<Tag>& tags) {
    std::int64_t sum = 0;
    for (std::size_t token = 0; token < tags.size(); ++token) {
        const std::uint32_t last = token > 0 ? tags[token - 1] + 1U : 0;
        const std::uint32_t last_but_one = token > 1 ? tags[token - 2] + 1U : 0;
        const auto features = features_of(made, rows, token, last, last_but_one);
        sum += scores_of(weights, features, tag_count)[tags[token]];
    }
    return sum;
}

// Some weight for every feature of these rows, whatever the tags.
std::shared_ptr<Weights> random_weights(std::mt19937_64& random, const TagTemplates& made,
                                        const Rows& rows) {
    LearnedWeights learned;
    for (std::size_t token = 0; token < rows.size() / 2; ++token)
        for (std::uint32_t last = 0; last <= tag_count; ++last)
            for (std::uint32_t last_but_one = 0; last_but_one <= tag_count; ++last_but_one)
                for (const Feature feature : features_of(made, rows, token, last, last_but_one))
                    learned.update(feature, static_cast<std::int32_t>(draw(random, tag_count)),
                                   static_cast<std::int32_t>(draw(random, 200)) - 100, 1);
    return std::make_shared<Weights>(learned.average(1, 0, tag_count));
}

std::int64_t best_score(const TagTemplates& made, const Weights& weights, const Rows& rows) {
    std::vector<Tag> tags(rows.size() / 2);
    std::int64_t best = std::numeric_limits<std::int64_t>::min();
    for (;;) {
        best = std::max(best, score(made, weights, rows, tags));
        std::size_t place = 0;
        while (place < tags.size() && ++tags[place] == tag_count)
            tags[place++] = 0;
        if (place == tags.size())
            return best;
    }
}

std::vector<std::size_t> ends(std::initializer_list<std::size_t> sizes) {
    std::vector<std::size_t> offsets{0};
    for (const std::size_t size : sizes)
        offsets.push_back(offsets.back() + size);
    return offsets;
}

}  // namespace

TEST(a_wide_beam_finds_the_best_of_all_tags) {
    std::mt19937_64 random(1);
    const auto made = templates();
    for (std::size_t round = 0; round < 60; ++round) {
        const std::size_t size = 1 + draw(random, 6);
        const Rows rows = random_rows(random, size);
        const auto weights = random_weights(random, *made, rows);
        const Tagger tagger(made, weights, exact_beam);
        const auto tags = tagger.tag(rows, ends({size}), 1);
        CHECK(score(*made, *weights, rows, tags) == best_score(*made, *weights, rows));
    }
}

TEST(sentences_do_not_see_each_other) {
    std::mt19937_64 random(2);
    const auto made = templates();
    const Rows rows = random_rows(random, 9);
    const auto weights = random_weights(random, *made, rows);
    for (const std::size_t beam : {1, 2, 4}) {
        const Tagger tagger(made, weights, beam);
        const auto together = tagger.tag(rows, ends({4, 0, 5, 0}), 1);
        const auto first = tagger.tag(std::span(rows).first(8), ends({4}), 1);
        const auto second = tagger.tag(std::span(rows).subspan(8), ends({5}), 1);
        CHECK(std::equal(first.begin(), first.end(), together.begin()));
        CHECK(std::equal(second.begin(), second.end(), together.begin() + 4));
        CHECK(tagger.tag(rows, ends({4, 0, 5, 0}), 3) == together);
    }
}

TEST(nothing_gives_nothing) {
    std::mt19937_64 random(3);
    const auto made = templates();
    const Tagger tagger(made, random_weights(random, *made, random_rows(random, 2)), 4);
    CHECK(tagger.tag({}, ends({}), 1).empty());
    CHECK(tagger.tag({}, ends({0, 0}), 2).empty());
}

TEST(long_sentences_are_tagged) {
    std::mt19937_64 random(4);
    const auto made = templates();
    const Rows rows = random_rows(random, 50'000);
    const Tagger tagger(made, random_weights(random, *made, random_rows(random, 20)), 4);
    const auto tags = tagger.tag(rows, ends({50'000}), 1);
    CHECK(tags.size() == 50'000);
    CHECK(std::ranges::all_of(tags, [](Tag tag) { return tag < tag_count; }));
}

TEST(what_can_be_learned_is_learned_whatever_the_threads) {
    std::mt19937_64 random(5);
    const auto made = templates();
    const Rows rows = random_rows(random, 120);
    std::vector<std::size_t> offsets(41);
    for (std::size_t i = 0; i < offsets.size(); ++i)
        offsets[i] = 3 * i;
    std::vector<Tag> tags(120);  // a tag follows from the word, and from the tag before
    for (std::size_t i = 0; i < tags.size(); ++i)
        tags[i] = static_cast<Tag>((rows[2 * i + 1] + (i % 3 == 0 ? 0 : tags[i - 1])) % tag_count);
    std::vector<std::vector<std::uint16_t>> found;
    for (const std::size_t threads : {1, 2, 5}) {
        TagTrainer trainer(made, tag_count, {.beam = 4, .margin = 2, .batch = 4});
        std::size_t updates = 1;
        for (std::size_t epoch = 0; epoch < 60 && updates > 0; ++epoch)
            updates = trainer.train(rows, offsets, tags, threads);
        CHECK(updates == 0);
        const auto weights = std::make_shared<Weights>(trainer.average(0));
        CHECK(Tagger(made, weights, 4).tag(rows, offsets, 1) == tags);
        found.emplace_back(weights->data().begin(), weights->data().end());
    }
    CHECK(found[0] == found[1]);
    CHECK(found[0] == found[2]);
}

TEST(what_cannot_be_is_refused) {
    std::mt19937_64 random(6);
    const auto made = templates();
    const Rows rows = random_rows(random, 4);
    const auto weights = random_weights(random, *made, rows);
    const auto refuses = [](auto call, const char* message) {
        return check::throws<std::invalid_argument>(call, message);
    };
    const Tagger tagger(made, weights, 4);
    CHECK(refuses([&] { (void)tagger.tag(rows, ends({5}), 1); }, "all tokens"));
    CHECK(refuses([&] { (void)tagger.tag(rows, ends({3}), 1); }, "all tokens"));
    CHECK(refuses([&] { (void)tagger.tag(rows, std::vector<std::size_t>{}, 1); }, "all tokens"));
    CHECK(refuses([&] { (void)tagger.tag(rows, std::vector<std::size_t>{0, 3, 2, 4}, 1); },
                  "all tokens"));
    CHECK(refuses([&] { (void)tagger.tag(std::span(rows).first(7), ends({3}), 1); }, "2 columns"));
    CHECK(refuses([&] { Tagger(made, weights, 0); }, "a beam"));
    CHECK(refuses([&] { TagTemplates({{TagHistory::none, {{0, 2}}}}, 2); }, "not there"));
    CHECK(refuses([&] { TagTemplates({{TagHistory::none, {{-5, 0}}}}, 2); }, "not there"));
    CHECK(refuses([&] { TagTemplates({{TagHistory::last, {}}, {TagHistory::none, {}}}, 2); },
                  "come first"));
    CHECK(refuses([&] { TagTemplates({}, 0); }, "one column"));
    CHECK(refuses([&] { TagTrainer(made, 0, {}); }, "tags"));
    CHECK(refuses([&] { TagTrainer(made, tag_count, {.margin = -1}); }, "margin"));
    CHECK(refuses([&] { TagTrainer(made, tag_count, {.batch = 0}); }, "batch"));
    TagTrainer trainer(made, tag_count, {});
    const std::vector<Tag> zeros(4);
    const std::vector<std::size_t> none{0};
    CHECK(refuses([&] { trainer.train(rows, ends({4}), zeros, 1, none); }, "source"));
    TagTrainer two(made, tag_count, {.sources = 2});
    CHECK(refuses([&] { two.train(rows, ends({4}), zeros, 1, std::vector<std::size_t>{2}); },
                  "source"));
    CHECK(refuses([&] { (void)two.average(0, 0, std::vector<const TagTrainer*>{&trainer}); },
                  "same"));
    CHECK(refuses([&] { trainer.train(rows, ends({4}), std::vector<Tag>(3), 1); }, "has a tag"));
    CHECK(refuses([&] { trainer.train(rows, ends({4}), std::vector<Tag>(4, 3), 1); },
                  "a tag that is not there"));
}

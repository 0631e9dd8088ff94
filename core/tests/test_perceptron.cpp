#include <algorithm>
#include <map>

#include "check.hpp"
#include "linear/perceptron.hpp"
#include "naive_perceptron.hpp"
#include "scores.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

using Order = std::vector<std::uint32_t>;

constexpr std::array rules = {UpdateRule::early, UpdateRule::restart, UpdateRule::max_violation};

// Four words 1 2 3 4, one template: the word of the head of d0. With labels S and ROOT alone.
struct ByHand {
    std::shared_ptr<const System> system =
        make_system("gap", {{LabelKind::plain, LabelKind::root}, {0, 1}}, {}, {});
    std::shared_ptr<const Templates> templates = std::make_shared<Templates>(
        std::vector<Template>{{{slot_focus, 0, at_head, 0}}}, 2, -1, true);
    TransitionId shift = system->find({Move::shift});
    TransitionId reduce = system->find({Move::left, 0});
    TransitionId finish = system->find({Move::left, 1});
    std::vector<std::uint32_t> rows = {1, 0, 2, 0, 3, 0, 4, 0};
    std::vector<TransitionId> derivation = {shift, shift, reduce, shift, reduce, shift, finish};

    [[nodiscard]] Feature feature(std::uint32_t word) const {
        return feature_of(*templates, std::vector<std::uint32_t>{word, 0});
    }

    // The weights that are not 0 after one sentence: word, transition, weight.
    using Learned = std::map<std::pair<std::uint32_t, TransitionId>, std::int32_t>;
    [[nodiscard]] Learned learn(const PerceptronOptions& options) const {
        Perceptron perceptron(system, templates, options);
        perceptron.add(rows, derivation);
        CHECK(perceptron.train(Order{0}, 1, 1).updates == 1);
        const Weights weights = perceptron.average(0);
        Learned learned;
        for (std::uint32_t word = 1; word <= 4; ++word) {
            const auto scores = scores_of(weights, {feature(word)}, system->transitions().size());
            for (std::size_t id = 0; id < scores.size(); ++id)
                if (scores[id] != 0)
                    learned[{word, static_cast<TransitionId>(id)}] =
                        scores[id] / static_cast<std::int32_t>(weights.scale());
        }
        return learned;
    }
};

bool is_same(const Weights& one, const Weights& other) {
    return std::ranges::equal(one.starts(), other.starts()) &&
           std::ranges::equal(one.data(), other.data()) && one.scale() == other.scale();
}

// A trainer with some sentences.
std::unique_ptr<Perceptron> trainer(std::string_view name, const PerceptronOptions& options) {
    const auto system = small_system(name);
    auto made = std::make_unique<Perceptron>(system, some_templates(name), options);
    std::mt19937_64 random(11);
    for (const std::size_t size : {5, 2, 1, 7, 4, 6, 3, 5, 2, 6}) {
        const Sentence sentence = random_sentence(system, random, size);
        made->add(sentence.rows, sentence.derivation);
    }
    return made;
}

const Order all = {3, 1, 4, 0, 5, 9, 2, 6, 8, 7};

}  // namespace

// Without weights a beam of one takes the first legal transition: it shifts all words.

TEST(an_early_update_stops_where_the_right_derivation_falls_off) {
    const ByHand hand;
    CHECK(hand.learn({.beam = 1, .rule = UpdateRule::early}) ==
          ByHand::Learned{{{2, hand.reduce}, 1}, {{2, hand.shift}, -1}});
}

TEST(a_restart_goes_on_from_the_right_derivation) {
    const ByHand hand;
    CHECK(hand.learn({.beam = 1, .rule = UpdateRule::restart}) ==
          ByHand::Learned{{{2, hand.reduce}, 1},
                          {{2, hand.shift}, -1},
                          {{3, hand.reduce}, 1},
                          {{3, hand.shift}, -1}});
}

TEST(all_violations_being_equal_the_whole_derivation_counts) {
    const ByHand hand;
    // Right:     2 reduce, 1 shift, 3 reduce, 1 shift, 4 finish.
    // Predicted: 2 shift, 3 shift, 4 reduce, 3 reduce, 2 finish.
    CHECK(hand.learn({.beam = 1, .rule = UpdateRule::max_violation}) ==
          ByHand::Learned{{{2, hand.reduce}, 1},
                          {{1, hand.shift}, 2},
                          {{4, hand.finish}, 1},
                          {{2, hand.shift}, -1},
                          {{3, hand.shift}, -1},
                          {{4, hand.reduce}, -1},
                          {{2, hand.finish}, -1}});
}

TEST(a_beam_that_holds_everything_updates_at_the_end) {
    const ByHand hand;
    const auto learned = hand.learn({.beam = 10'000, .rule = UpdateRule::early});
    CHECK(learned == hand.learn({.beam = 10'000, .rule = UpdateRule::restart}));
    CHECK(learned == hand.learn({.beam = 1, .rule = UpdateRule::max_violation}));
}

TEST(gaps_count_more) {
    ByHand hand;
    const TransitionId gap = hand.system->find({Move::gap, 1});
    hand.rows = {1, 0, 2, 0, 3, 0};
    hand.derivation = {hand.shift, hand.shift, hand.shift, gap, hand.reduce, hand.finish};
    const auto learned = hand.learn({.beam = 1, .importance = 5});
    CHECK(learned == ByHand::Learned{{{3, gap}, 5}, {{3, hand.reduce}, -1}});
}

TEST(learned_weights_are_those_of_a_naive_perceptron) {
    std::mt19937_64 random(5);
    const auto compare = [&](std::string_view name, const PerceptronOptions& options) {
        const auto system = small_system(name);
        const auto templates = some_templates(name);
        Perceptron perceptron(system, templates, options);
        NaivePerceptron naive(system, templates, options);
        std::vector<Sentence> sentences;
        for (const std::size_t size : {3, 1, 5, 4}) {
            sentences.push_back(random_sentence(system, random, size));
            perceptron.add(sentences.back().rows, sentences.back().derivation);
        }
        for (int round = 0; round < 4; ++round) {
            for (const std::uint32_t number : {2U, 0U, 3U, 1U}) {
                (void)perceptron.train(Order{number}, 1, 1);
                naive.learn(sentences[number]);
            }
            CHECK(naive.agrees(perceptron.average(0)));
        }
    };
    for (const std::string_view name : names)
        for (const UpdateRule rule : rules)
            for (const Stop stop : {Stop::all, Stop::first})
                for (const std::size_t beam : {1, 2, 5})
                    compare(name, {.beam = beam,
                                   .rule = rule,
                                   .importance = static_cast<std::int32_t>(beam),
                                   .stop = stop});
}

TEST(the_number_of_threads_does_not_matter) {
    for (const std::string_view name : names)
        for (const UpdateRule rule : rules)
            for (const std::size_t batch : {1, 3, 10}) {
                const auto alone = trainer(name, {.beam = 3, .rule = rule});
                const auto several = trainer(name, {.beam = 3, .rule = rule});
                for (int round = 0; round < 3; ++round) {
                    const TrainingCounts one = alone->train(all, batch, 1);
                    const TrainingCounts other = several->train(all, batch, 4);
                    CHECK(one.sentences == 10 && other.sentences == 10);
                    CHECK(one.updates == other.updates && one.transitions == other.transitions);
                }
                CHECK(is_same(alone->average(0), several->average(0)));
                CHECK(alone->state() == several->state());
            }
}

TEST(training_learns_its_sentences) {
    for (const std::string_view name : names)
        for (const UpdateRule rule : rules) {
            const auto perceptron = trainer(name, {.beam = 8, .rule = rule});
            CHECK(perceptron->train(all, 1, 1).updates > 5);
            std::size_t updates = 1;
            for (int round = 0; round < 200 && updates > 0; ++round)
                updates = perceptron->train(all, 1, 1).updates;
            CHECK(updates == 0);
        }
}

TEST(a_restored_training_goes_on_as_if_nothing_had_happened) {
    for (const UpdateRule rule : rules) {
        const PerceptronOptions options{.beam = 2, .rule = rule, .min_update = 3};
        const auto whole = trainer("cgap", options);
        const auto resumed = trainer("cgap", options);
        (void)resumed->train(all, 2, 2);  // to be forgotten
        (void)whole->train(all, 1, 1);
        resumed->restore(whole->state());
        for (const auto& some : {whole.get(), resumed.get()})
            (void)some->train(Order{1, 2, 3, 4, 5}, 2, 1);
        CHECK(is_same(whole->average(0), resumed->average(0)));
        CHECK(check::throws<std::invalid_argument>([&] { resumed->restore("1234567"); },
                                                   "too early"));
        CHECK(whole->state() == resumed->state());
    }
}

TEST(batches_may_be_larger_than_the_training_data) {
    const auto one = trainer("gap", {});
    const auto other = trainer("gap", {});
    (void)one->train(all, 10, 1);
    (void)other->train(all, ~std::size_t{0}, 1'000'000);
    CHECK(one->state() == other->state());
}

TEST(no_training_gives_no_weights) {
    const auto perceptron = trainer("gap", {});
    CHECK(perceptron->average(0).feature_count() == 0 && perceptron->sentence_count() == 10);
    const auto [sentences, updates, transitions] = perceptron->train(Order{}, 4, 2);
    CHECK(sentences == 0 && updates == 0 && transitions == 0);
}

TEST(what_cannot_be_is_refused) {
    using Error = std::invalid_argument;
    const ByHand hand;
    const auto make = [&](const PerceptronOptions& options) {
        Perceptron(hand.system, hand.templates, options);
    };
    CHECK(check::throws<Error>([&] { make({.beam = 0}); }, "at least one item"));
    CHECK(check::throws<Error>([&] { make({.importance = 0}); }, "importance"));
    Perceptron perceptron(hand.system, hand.templates, {});
    const auto refuses = [&](const std::vector<std::uint32_t>& rows,
                             const std::vector<TransitionId>& derivation, const char* message) {
        return check::throws<Error>([&] { perceptron.add(rows, derivation); }, message);
    };
    CHECK(refuses({}, {}, "2 columns") && refuses({1, 2, 3}, {}, "2 columns"));
    CHECK(refuses(hand.rows, {}, "does not end in a tree"));
    CHECK(refuses(hand.rows, {hand.shift, hand.reduce}, "not legal"));
    for (const TransitionId id : {-1, 8, 1'000})
        CHECK(refuses(hand.rows, {id}, "not legal"));
    const std::vector shorter(hand.derivation.begin(), hand.derivation.end() - 1);
    CHECK(refuses(hand.rows, shorter, "a tree") && perceptron.sentence_count() == 0);
    CHECK(check::throws<Error>([&] { (void)perceptron.train(Order{0}, 1, 1); }, "no sentence 0"));
}

TEST(one_mistake_is_one_update_of_a_feature) {
    const ByHand hand;  // it changes two weights, or more
    CHECK(hand.learn({.beam = 1, .min_update = 1}).size() == 2);
    for (const UpdateRule rule : rules)
        CHECK(hand.learn({1, rule, 1, 2}).empty());
}

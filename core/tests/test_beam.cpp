#include <algorithm>
#include <map>

#include "check.hpp"
#include "linear/beam.hpp"
#include "linear/beam_parser.hpp"
#include "scores.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

using Sentences = std::vector<std::vector<std::uint32_t>>;

Sentences random_sentences(std::mt19937_64& random, std::initializer_list<std::size_t> sizes) {
    Sentences sentences;
    for (const std::size_t size : sizes)
        sentences.push_back(random_rows(random, size, 3));
    return sentences;
}

struct Choice {
    std::int64_t score;
    std::int32_t parent;
    TransitionId transition;

    bool operator==(const Choice&) const = default;
};

// What a beam should hold after items first .. last-1: every legal transition, scored without a
// cache.
template <typename WeightsType>
std::vector<Choice> choices_after(const Beam<WeightsType>& beam, const System& system,
                                  const WeightsType& weights, std::size_t size, std::int32_t first,
                                  std::int32_t last) {
    std::vector<Choice> choices;
    Legal legal;
    for (std::int32_t item = first; item < last; ++item) {
        std::vector<Feature> features;
        beam.extract(item, features);
        const auto scores = scores_of(weights, features, system.transitions().size());
        system.find_legal(beam.forest(), beam.item(item).at, legal);
        for (const auto& [begin, end] : legal)
            for (TransitionId id = begin; id < end; ++id)
                choices.push_back(
                    {beam.item(item).score + scores[static_cast<std::size_t>(id)], item, id});
    }
    std::ranges::stable_sort(choices, std::ranges::greater{}, &Choice::score);
    choices.resize(std::min(choices.size(), size));
    return choices;
}

template <typename WeightsType>
std::vector<Choice> current_choices(const Beam<WeightsType>& beam) {
    std::vector<Choice> choices;
    for (const BeamItem& item : beam.current())
        choices.push_back({item.score, item.parent, item.transition});
    return choices;
}

// Whether all steps of a search are what they should be.
template <typename WeightsType>
bool is_exact(Beam<WeightsType>& beam, const System& system, const WeightsType& weights,
              const std::vector<std::uint32_t>& rows, std::size_t size) {
    beam.reset(rows, size);
    while (!beam.is_done()) {
        const std::int32_t first = beam.first();
        const auto last = first + static_cast<std::int32_t>(beam.current().size());
        beam.advance();
        const auto expected = choices_after(beam, system, weights, size, first, last);
        if (current_choices(beam) != expected || expected.empty())
            return false;
    }
    return true;
}

// Tokens in the leaves of a tree in postfix form, each exactly once.
bool covers(const TreeCodes& codes, std::size_t tokens) {
    std::vector<int> seen(tokens);
    for (std::size_t i = 0; i < codes.size(); ++i) {
        if (codes[i] < 0)
            ++i;  // a label, and the number of its children
        else if (static_cast<std::size_t>(codes[i]) >= tokens)
            return false;
        else
            ++seen[static_cast<std::size_t>(codes[i])];
    }
    return std::ranges::all_of(seen, [](int times) { return times == 1; });
}

}  // namespace

// The cache of scores is right if every score is the one that is computed from scratch.
TEST(every_step_of_a_search_is_what_it_would_be_without_a_cache) {
    std::mt19937_64 random(1);
    for (const std::string_view name : names) {
        const auto system = small_system(name, {.swaps_nonterminals = true});
        const auto templates = some_templates(name);
        const Sentences sentences = random_sentences(random, {1, 2, 5, 9, 14});
        LearnedWeights weights;
        learn_at_random(weights, *system, *templates, sentences, random);
        const Weights average = weights.average(15, 0, system->transitions().size());
        Beam<LearnedWeights> learning(*system, *templates, weights);
        Beam<Weights> parsing(*system, *templates, average);
        for (const auto& rows : sentences)
            for (const std::size_t size : {1, 2, 3, 8, 64}) {
                CHECK(is_exact(learning, *system, weights, rows, size));
                CHECK(is_exact(parsing, *system, average, rows, size));
            }
    }
}

TEST(weights_that_changed_count_from_the_next_sentence_on) {
    std::mt19937_64 random(2);
    const auto system = small_system("gap");
    const auto templates = some_templates("gap");
    const Sentences sentences = random_sentences(random, {7});
    LearnedWeights weights;
    Beam<LearnedWeights> beam(*system, *templates, weights);
    for (int round = 0; round < 5; ++round) {
        CHECK(is_exact(beam, *system, weights, sentences[0], 4));
        learn_at_random(weights, *system, *templates, sentences, random, 1);
    }
}

TEST(without_weights_the_first_transitions_win) {
    const auto system = small_system("gap");
    const auto templates = some_templates("gap");
    const LearnedWeights weights;
    Beam<LearnedWeights> beam(*system, *templates, weights);
    beam.reset(std::vector<std::uint32_t>(9), 2);
    beam.advance();
    CHECK(beam.current().size() == 1 && beam.item(beam.first()).transition == 0);
    beam.advance();
    CHECK(beam.current().size() == 2 && beam.item(beam.first() + 1).transition == 1);
    CHECK(beam.item(beam.first()).score == 0 && beam.item(beam.first()).parent == 1);
}

TEST(the_right_derivation_is_followed) {
    const auto system = small_system("gap");
    const auto templates = some_templates("gap");
    const LearnedWeights weights;
    Beam<LearnedWeights> beam(*system, *templates, weights);
    beam.reset(std::vector<std::uint32_t>(9), 2);
    const TransitionId shift = system->find({Move::shift});
    const TransitionId right = system->find({Move::right, NP});
    beam.advance(shift);
    CHECK(beam.item(beam.first()).is_gold);
    const std::int32_t gold = beam.first();
    beam.advance(right);  // not among the best
    CHECK(std::ranges::none_of(beam.current(), &BeamItem::is_gold));
    const std::int32_t next = beam.follow_alone(gold, shift);
    CHECK(beam.item(next).is_gold && beam.item(next).parent == gold);
    CHECK(beam.item(next).at.focus == 1 && beam.current().size() == 2);
    const std::int32_t after = beam.follow_alone(next, right);
    CHECK(beam.item(after).parent == next &&
          beam.forest().node(beam.item(after).at.focus).label == NP);
    beam.restart(after);
    CHECK(beam.current().size() == 1 && beam.first() == after);
    beam.advance(shift);
    CHECK(beam.item(beam.first()).is_gold && beam.item(beam.first()).parent == after);
}

TEST(a_score_followed_alone_is_exact_too) {
    std::mt19937_64 random(3);
    for (const std::string_view name : names) {
        const auto system = small_system(name);
        const auto templates = some_templates(name);
        const Sentences sentences = random_sentences(random, {6, 6});
        LearnedWeights weights;
        learn_at_random(weights, *system, *templates, sentences, random);
        Beam<LearnedWeights> beam(*system, *templates, weights);
        beam.reset(sentences[0], 3);
        std::int32_t at = beam.first();
        Legal legal;
        std::int64_t expected = 0;
        while (!beam.item(at).is_final) {
            system->find_legal(beam.forest(), beam.item(at).at, legal);
            const TransitionId id = legal[draw(random, legal.size())].begin;
            const std::int32_t next = beam.follow_alone(at, id);
            std::vector<Feature> features;
            beam.extract(at, features);
            expected += scores_of(weights, features,
                                  system->transitions().size())[static_cast<std::size_t>(id)];
            at = next;
            CHECK(beam.item(at).score == expected);
        }
    }
}

TEST(adversarial_weights_still_lead_to_whole_trees) {
    std::mt19937_64 random(4);
    for (const std::string_view name : names) {
        const auto templates = some_templates(name);
        for (int round = 0; round < 12; ++round) {
            const auto system = small_system(name, {.swaps_nonterminals = round % 2 == 0});
            const Sentences sentences = random_sentences(random, {1, 3, 8, 13});
            LearnedWeights weights;
            learn_at_random(weights, *system, *templates, sentences, random, 2);
            // One transition that is always wanted, or never.
            const auto wanted =
                static_cast<TransitionId>(draw(random, system->transitions().size()));
            std::vector<Feature> features;
            Beam<LearnedWeights> beam(*system, *templates, weights);
            for (const auto& rows : sentences) {
                beam.reset(rows, 2);
                for (int step = 0; step < 30 && !beam.is_done(); ++step) {
                    const std::int32_t best = beam.first();
                    beam.advance();
                    beam.extract(best, features);
                }
            }
            for (const Feature feature : features)
                weights.update(feature, wanted, round % 3 == 0 ? -100'000 : 100'000, 1);
            for (const auto& rows : sentences)
                for (const std::size_t size : {1, 2, 5, 32}) {
                    beam.reset(rows, size);
                    while (!beam.is_done())
                        beam.advance();
                    CHECK(!beam.current().empty());
                    for (const BeamItem& item : beam.current())
                        CHECK(covers(encode(beam.forest(), item.at.focus), rows.size() / 3));
                }
        }
    }
}

TEST(a_search_may_end_when_the_best_item_is_a_whole_tree) {
    const auto system = small_system("swap");
    const auto templates = some_templates("swap");
    std::mt19937_64 random(6);
    bool is_earlier = false;
    for (const auto& rows : random_sentences(random, {1, 3, 6, 8, 8})) {
        LearnedWeights weights;
        learn_at_random(weights, *system, *templates, {rows}, random);
        Beam<LearnedWeights> all(*system, *templates, weights);
        Beam<LearnedWeights> first(*system, *templates, weights, Stop::first);
        all.reset(rows, 8);
        first.reset(rows, 8);
        while (!first.is_done()) {
            CHECK(!all.is_done() && !system->is_whole(first.forest(), first.current()[0].at));
            all.advance();
            first.advance();
        }
        const BeamItem& best = first.current()[0];
        CHECK(system->is_whole(first.forest(), best.at));
        CHECK(!best.is_final);  // FINISH would come next
        is_earlier = is_earlier || !all.is_done();
    }
    CHECK(is_earlier);
}

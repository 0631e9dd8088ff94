#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "gold_trees.hpp"
#include "transitions/choice_beam.hpp"
#include "walks.hpp"

using namespace crossbranch;
using namespace walks;
using gold_trees::GoldArrays, gold_trees::open_system;

namespace {

using Scores = std::vector<float>;

std::shared_ptr<const ChoiceWriter> writer_of(std::string_view name, std::size_t gaps = 1) {
    return std::make_shared<const ChoiceWriter>(open_system(name), gaps);
}

std::shared_ptr<const System> shared(const ChoiceWriter& writer) {
    return {std::shared_ptr<void>(), &writer.system()};
}

TreeCodes codes_of(const std::shared_ptr<const System>& system, std::int32_t tokens,
                   const std::vector<TransitionId>& taken) {
    Walk walk(system, tokens);
    for (const TransitionId id : taken)
        walk.at = system->apply(walk.forest, walk.at, id);
    return encode(walk.forest, walk.at.focus);
}

// A sentence that is parsed beside the beam.
struct Guided {
    Walk walk;
    SpanOracle oracle;

    // Takes what is forced; whether there is a choice then.
    bool settle() {
        while (!walk.is_final()) {
            const auto legal = walk.legal();
            if (legal.size() > 1)
                return true;
            walk.at = walk.system->apply(walk.forest, walk.at, legal[0]);
        }
        return false;
    }
};

// Scores of a choice that do not depend on anything but its rows.
float score_of(std::span<const std::int32_t> row, std::size_t output) {
    std::uint32_t hash = 17U + static_cast<std::uint32_t>(output) * 40'503U;
    for (const std::int32_t token : row)
        hash = (hash ^ static_cast<std::uint32_t>(token + 2)) * 2'654'435'761U;
    return static_cast<float>((hash >> 8U) % 1'000U) / 400.0F;
}

Scores scores_of(const std::vector<std::int32_t>& rows, std::size_t width, std::size_t outputs) {
    Scores scores;
    for (std::size_t start = 0; start < rows.size(); start += width)
        for (std::size_t output = 0; output < outputs; ++output)
            scores.push_back(score_of(std::span(rows).subspan(start, width), output));
    return scores;
}

Scores structure_scores(const ChoiceWriter& writer, const Choices& at) {
    return scores_of(at.rows, writer.items() * writer.places().count(),
                     writer.has_candidates() ? 1 : writer.moves().size());
}

Scores label_scores(const ChoiceWriter& writer, const Choices& at) {
    return scores_of(at.label_rows, writer.places().count(), writer.output_count());
}

std::vector<std::vector<FoundTree>> search(const std::shared_ptr<const ChoiceWriter>& writer,
                                           const std::vector<std::int32_t>& sizes,
                                           std::size_t beam) {
    ChoiceBeam found(writer, sizes, beam);
    while (true) {
        const Choices at = found.choices();
        if (at.structure_count() + at.label_count() == 0)
            return found.trees();
        CHECK(found.choices().rows == at.rows);  // they wait for their scores
        found.advance(structure_scores(*writer, at), label_scores(*writer, at));
    }
}

// All derivations of a sentence: the log-probability and the tree of each.
void enumerate(const ChoiceWriter& writer, const Walk& walk, double score,
               std::vector<FoundTree>& found) {
    if (walk.is_final()) {
        found.push_back({score, encode(walk.forest, walk.at.focus)});
        return;
    }
    const auto legal = walk.legal();
    std::vector<double> scores(legal.size(), 0.0);
    if (legal.size() > 1) {
        Choices at;
        writer.add(walk.forest, walk.at, walk.ranges(), 0, 0, at);
        const bool is_label = CandidateSystem::is_labelling(walk.at);
        const Scores all = is_label ? label_scores(writer, at) : structure_scores(writer, at);
        double sum = 0;
        for (std::size_t i = 0; i < legal.size(); ++i) {
            const auto place = static_cast<std::size_t>(writer.score_of(legal[i], at, 0));
            scores[i] = static_cast<double>(all.at(place));
            sum += std::exp(scores[i]);
        }
        for (double& one : scores)
            one -= std::log(sum);
    }
    for (std::size_t i = 0; i < legal.size(); ++i) {
        Walk next = walk;
        next.at = next.system->apply(next.forest, next.at, legal[i]);
        enumerate(writer, next, score + scores[i], found);
    }
}

std::vector<FoundTree> all_derivations(const ChoiceWriter& writer, std::int32_t tokens) {
    std::vector<FoundTree> found;
    enumerate(writer, Walk(shared(writer), tokens), 0, found);
    std::ranges::stable_sort(found, std::greater{}, &FoundTree::score);
    return found;
}

// Sentences of different lengths with their oracles.
struct Bank {
    std::shared_ptr<const ChoiceWriter> writer;
    std::vector<std::int32_t> sizes;
    std::vector<GoldArrays> gold;
    std::vector<SpanOracle> oracles;

    Bank(std::string_view name, const std::vector<std::int32_t>& given, std::mt19937_64& random)
        : writer(writer_of(name)), sizes(given) {
        for (const std::int32_t size : sizes) {
            const auto count = static_cast<unsigned>(size);
            gold.push_back(gold_trees::arrays_of(count, gold_trees::random_tree(count, random)));
            oracles.emplace_back(open_system(name), gold.back().spans(), Preference::next);
        }
    }

    [[nodiscard]] std::vector<const SpanOracle*> guides() const {
        std::vector<const SpanOracle*> found;
        for (const SpanOracle& oracle : oracles)
            found.push_back(&oracle);
        return found;
    }

    [[nodiscard]] std::vector<std::vector<TransitionId>> explored(double chance, std::uint64_t seed,
                                                                  float strength = 1) const {
        ChoiceBeam beam(writer, sizes, 1);
        std::mt19937_64 random(seed);
        while (true) {
            const Choices at = beam.choices();
            if (at.structure_count() + at.label_count() == 0)
                return beam.taken();
            Scores structure = structure_scores(*writer, at);
            for (float& score : structure)
                score *= strength;
            beam.explore(structure, label_scores(*writer, at), guides(), chance, random);
        }
    }
};

bool is_structural(const ChoiceWriter& writer, TransitionId id) {
    const Move move = writer.system().transition(id).move;
    return move != Move::label && move != Move::unlabelled;
}

}  // namespace

// Scores that favour the oracle's transitions build the gold trees.
TEST(gold_trees_are_found_again) {
    std::mt19937_64 random(2);
    for (const std::string_view name : candidate_names)
        for (int round = 0; round < 12; ++round) {
            const Bank bank(name, {1, 7, 2, 12, 1, 5}, random);
            const ChoiceWriter& writer = *bank.writer;
            std::vector<Guided> guided;
            for (std::size_t i = 0; i < bank.sizes.size(); ++i)
                guided.push_back({Walk(shared(writer), bank.sizes[i]), bank.oracles[i]});
            ChoiceBeam beam(bank.writer, bank.sizes, 1);
            std::vector<std::vector<TransitionId>> taken(bank.sizes.size());
            for (Choices at = beam.choices(); at.structure_count() + at.label_count() > 0;
                 at = beam.choices()) {
                Scores structure(writer.has_candidates()
                                     ? at.transitions.size()
                                     : at.structure_count() * writer.moves().size());
                Scores labels(at.label_count() * writer.output_count());
                std::size_t row = 0, choice = 0, label = 0;
                for (std::size_t i = 0; i < guided.size(); ++i) {
                    Walk& walk = guided[i].walk;
                    if (!guided[i].settle())
                        continue;
                    const TransitionId right = guided[i].oracle.best(walk.forest, walk.at);
                    const auto score = static_cast<std::size_t>(writer.score_of(right, at, row));
                    if (CandidateSystem::is_labelling(walk.at)) {
                        labels.at(label++ * writer.output_count() + score) = 9;
                    } else if (writer.has_candidates()) {
                        structure.at(score) = 9;
                        row += walk.legal().size();
                    } else {
                        structure.at(choice++ * writer.moves().size() + score) = 9;
                    }
                    taken[i].push_back(right);
                    walk.at = walk.system->apply(walk.forest, walk.at, right);
                }
                beam.advance(structure, labels);
            }
            CHECK(beam.taken() == taken);
            const auto trees = beam.trees();
            for (std::size_t i = 0; i < trees.size(); ++i) {
                Forest forest;
                const auto derivation = bank.oracles[i].derive(forest);
                CHECK(trees[i].size() == 1 && trees[i][0].score <= 0);
                CHECK(trees[i][0].codes == codes_of(shared(writer), bank.sizes[i], derivation));
            }
        }
}

TEST(a_beam_with_room_for_all_finds_all_derivations) {
    for (const std::string_view name : candidate_names) {
        const auto writer = writer_of(name);
        const auto expected = all_derivations(*writer, 3);
        CHECK(expected.size() > 100);
        const auto found = search(writer, {3}, 20'000)[0];
        CHECK(found.size() == expected.size());
        double sum = 0;
        for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
            CHECK(std::abs(found[i].score - expected[i].score) < 1e-9);
            sum += std::exp(found[i].score);
        }
        CHECK(std::abs(sum - 1) < 1e-9);
        CHECK(found[0].codes == expected[0].codes);
    }
}

TEST(beams_keep_the_best_ones) {
    for (const std::string_view name : candidate_names) {
        const auto writer = writer_of(name, 2);
        const auto all = all_derivations(*writer, 3);
        double last = -INFINITY;
        for (const std::size_t beam : {1U, 2U, 8U, 64U}) {
            const auto found = search(writer, {3}, beam)[0];
            CHECK(!found.empty() && found.size() <= beam);
            CHECK(std::ranges::is_sorted(found, std::greater{}, &FoundTree::score));
            for (const FoundTree& tree : found)
                CHECK(std::ranges::any_of(all, [&](const FoundTree& one) {
                    return std::abs(one.score - tree.score) < 1e-9 && one.codes == tree.codes;
                }));
            last = found[0].score;
        }
        CHECK(std::abs(last - all[0].score) < 1e-9);
    }
}

TEST(sentences_do_not_change_each_other) {
    const std::vector<std::int32_t> sizes = {4, 1, 9, 2, 9};
    for (const std::string_view name : candidate_names)
        for (const std::size_t beam : {1U, 3U}) {
            const auto writer = writer_of(name);
            // Rows have other numbers in a longer list of tokens: so scores must not see them.
            ChoiceBeam all(writer, sizes, beam);
            std::vector<ChoiceBeam> alone;
            for (const std::int32_t size : sizes)
                alone.emplace_back(writer, std::vector<std::int32_t>{size}, beam);
            const auto go_on = [&](ChoiceBeam& one) {
                while (true) {
                    const Choices at = one.choices();
                    if (at.structure_count() + at.label_count() == 0)
                        return;
                    Scores structure(writer->has_candidates()
                                         ? at.transitions.size()
                                         : at.structure_count() * writer->moves().size());
                    const std::size_t width = writer->has_candidates() ? 1 : writer->moves().size();
                    for (std::size_t i = 0; i < structure.size(); ++i)
                        structure[i] = static_cast<float>(
                            writer->has_candidates() ? at.transitions[i] % 3 : i % width);
                    Scores labels(at.label_count() * writer->output_count());
                    for (std::size_t i = 0; i < labels.size(); ++i)
                        labels[i] = static_cast<float>(i % writer->output_count() * 7 % 3);
                    one.advance(structure, labels);
                }
            };
            go_on(all);
            const auto together = all.trees();
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                go_on(alone[i]);
                const auto found = alone[i].trees()[0];
                CHECK(found.size() == together[i].size());
                for (std::size_t k = 0; k < found.size(); ++k)
                    CHECK(found[k].codes == together[i][k].codes &&
                          found[k].score == together[i][k].score);
            }
        }
}

TEST(exploring_without_a_chance_follows_the_oracle) {
    std::mt19937_64 random(3);
    for (const std::string_view name : candidate_names) {
        const Bank bank(name, {6, 1, 9, 14}, random);
        const auto guides = bank.guides();
        const auto ways = bank.explored(0, 1);
        // Labels are the best by their scores, so the ways leave those of the gold trees.
        const Choices found = derive_choices(*bank.writer, guides, ways);
        std::size_t structure = 0;
        for (const auto& way : ways)
            for (const TransitionId id : way)
                if (is_structural(*bank.writer, id)) {
                    const auto target = static_cast<std::size_t>(found.targets[structure++]);
                    CHECK(id == (bank.writer->has_candidates() ? found.transitions[target]
                                                               : bank.writer->moves()[target]));
                }
        CHECK(structure == found.targets.size() && structure > 10);
    }
}

TEST(exploring_depends_on_the_seed_alone) {
    std::mt19937_64 random(4);
    for (const std::string_view name : candidate_names) {
        const Bank bank(name, {12, 9, 14}, random);
        CHECK(bank.explored(1, 7) == bank.explored(1, 7));
        CHECK(bank.explored(1, 7) != bank.explored(1, 8));
        CHECK(bank.explored(0.5, 7) != bank.explored(1, 7));
        // With scores far apart, what is drawn is the best one.
        CHECK(bank.explored(1, 7, 4'000) == bank.explored(1, 8, 4'000));
    }
}

TEST(probabilities_decide_what_is_drawn) {
    std::mt19937_64 random(5);
    const Bank three("stack-free", std::vector<std::int32_t>(2'000, 3), random);
    ChoiceBeam beam(three.writer, three.sizes, 1);
    std::size_t shifts = 0;
    while (true) {
        const Choices at = beam.choices();
        if (at.structure_count() + at.label_count() == 0)
            break;
        Scores structure(at.transitions.size());
        for (std::size_t i = 0; i < structure.size(); ++i)  // SHIFT: three of four
            structure[i] = at.transitions[i] == three.writer->system().shift() ? 1.0986123F : 0;
        beam.explore(structure, Scores(at.label_count() * three.writer->output_count()),
                     three.guides(), 1, random);
    }
    for (const auto& way : beam.taken())
        shifts += static_cast<std::size_t>(std::ranges::count(way, three.writer->system().shift()));
    CHECK(shifts > 1'400 && shifts < 1'600);
}

TEST(wrong_numbers_of_scores_are_refused) {
    const auto refuses = [](auto call, const char* message) {
        return check::throws<std::invalid_argument>(call, message);
    };
    std::mt19937_64 random(6);
    for (const std::string_view name : candidate_names) {
        const auto writer = writer_of(name);
        const std::vector<std::int32_t> sizes = {4, 3};
        CHECK(refuses([&] { ChoiceBeam(writer, sizes, 0); }, "at least one place"));
        const std::vector<std::int32_t> empty = {4, 0};
        CHECK(refuses([&] { ChoiceBeam(writer, empty, 1); }, "at least one token"));
        const Bank bank(name, sizes, random);
        const auto guides = bank.guides();
        for (const std::size_t size : {1U, 2U}) {
            ChoiceBeam beam(writer, sizes, size);
            Choices at = beam.choices();
            while (at.structure_count() == 0) {
                const Scores labels = label_scores(*writer, at);
                CHECK(refuses([&] { beam.advance({}, std::span(labels).subspan(1)); },
                              "scores of labels, expected"));
                beam.advance({}, labels);
                at = beam.choices();
            }
            const Scores structure = structure_scores(*writer, at);
            const Scores labels = label_scores(*writer, at);
            Scores more = structure;
            more.push_back(0);
            CHECK(refuses([&] { beam.advance(more, labels); }, "scores of structure, expected"));
            CHECK(refuses([&] { beam.explore(more, labels, guides, 0, random); },
                          "scores of structure, expected"));
            const auto first = std::span(guides).first(1);
            CHECK(refuses([&] { beam.explore(structure, labels, first, 0, random); },
                          "a beam of 1, and an oracle for each sentence"));
            if (size == 2)
                CHECK(refuses([&] { beam.explore(structure, labels, guides, 0, random); },
                              "a beam of 1"));
            beam.advance(structure, labels);
        }
    }
}

TEST(single_tokens_need_no_choice) {
    for (const std::string_view name : candidate_names) {
        ChoiceBeam beam(writer_of(name), std::vector<std::int32_t>{1, 1}, 4);
        const Choices& at = beam.choices();
        CHECK(at.structure_count() + at.label_count() == 0);
        for (const auto& found : beam.trees())
            CHECK((found.size() == 1 && found[0].score == 0 &&
                   found[0].codes == TreeCodes{0, ~gold_trees::Top, 1}));
    }
}

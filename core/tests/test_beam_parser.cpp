#include "check.hpp"
#include "linear/beam_parser.hpp"
#include "scores.hpp"
#include "transitions/stepper.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

using Offsets = std::vector<std::size_t>;

// A parser with random weights, and sentences that it has seen.
struct Scene {
    std::shared_ptr<const System> system;
    std::shared_ptr<const Templates> templates;
    std::shared_ptr<const Weights> weights;
    std::vector<std::uint32_t> rows;
    Offsets offsets = {0};

    Scene(std::string_view name, std::size_t sentences, std::uint64_t seed)
        : system(small_system(name)), templates(some_templates(name)) {
        std::mt19937_64 random(seed);
        std::vector<std::vector<std::uint32_t>> some;
        for (std::size_t i = 0; i < sentences; ++i) {
            some.push_back(random_rows(random, 1 + draw(random, 12), 3));
            rows.insert(rows.end(), some.back().begin(), some.back().end());
            offsets.push_back(rows.size() / 3);
        }
        LearnedWeights learned;
        learn_at_random(learned, *system, *templates, some, random, 2);
        weights = std::make_shared<Weights>(learned.average(
            static_cast<std::int64_t>(2 * sentences), 0, system->transitions().size()));
    }

    [[nodiscard]] auto parse(const ParseOptions& options, Stop stop = Stop::all) const {
        return BeamParser(system, templates, weights, stop).parse(rows, offsets, options);
    }
};

bool is_same(const std::vector<std::vector<Parse>>& one,
             const std::vector<std::vector<Parse>>& other) {
    const auto equal = [](const Parse& a, const Parse& b) {
        return a.score == b.score && a.codes == b.codes;
    };
    return std::ranges::equal(
        one, other, [&](const auto& a, const auto& b) { return std::ranges::equal(a, b, equal); });
}

bool refuses(const Scene& scene, const Offsets& offsets, const ParseOptions& options,
             const char* message) {
    const BeamParser parser(scene.system, scene.templates, scene.weights);
    return check::throws<std::invalid_argument>(
        [&] { (void)parser.parse(scene.rows, offsets, options); }, message);
}

// The steps of the best parses: they are legal, and build the same trees with the same scores.
void check_steps(const Scene& scene, std::size_t beam, Stop stop) {
    const BeamParser parser(scene.system, scene.templates, scene.weights, stop);
    const auto parses = scene.parse({beam}, stop);
    for (std::size_t i = 0; i < parses.size(); ++i) {
        const std::size_t begin = scene.offsets[i], end = scene.offsets[i + 1];
        const auto found =
            parser.trace(std::span(scene.rows).subspan(3 * begin, 3 * (end - begin)), beam);
        CHECK(found.score == parses[i][0].score);
        Stepper at(scene.system, static_cast<std::int32_t>(end - begin));
        double sum = 0;
        for (const TracedStep& step : found.steps) {
            for (const auto& [transition, score] : step.legal) {
                CHECK(at.is_legal(transition));
                sum += transition == step.taken ? score : 0;
            }
            at.apply(step.taken);
        }
        CHECK(at.codes() == parses[i][0].codes);
        CHECK(std::abs(sum - found.score) < 1e-6);
    }
}

}  // namespace

TEST(trees_are_encoded_without_temporary_nodes) {
    Forest forest;
    forest.reset(5);
    CHECK(encode(forest, 3) == TreeCodes{3});
    // ROOT(S(NP(0 3) 1 4) 2): S is binarized from its last child on.
    const Vertex noun = forest.make(NP, false, 3, 0, Side::left);
    const Vertex part = forest.make(S_, true, 4, noun, Side::right);
    const Vertex more = forest.make(S_, true, part, 1, Side::left);
    const Vertex whole = forest.make(S, false, more, no_vertex, Side::left);
    const Vertex root = forest.make(ROOT, false, 2, whole, Side::left);
    CHECK(encode(forest, noun) == TreeCodes{0, 3, ~NP, 2});
    CHECK(encode(forest, whole) == TreeCodes{0, 3, ~NP, 2, 1, 4, ~S, 3});
    CHECK(encode(forest, root) == TreeCodes{0, 3, ~NP, 2, 1, 4, ~S, 3, 2, ~ROOT, 2});
}

TEST(deep_trees_are_encoded) {
    constexpr std::int32_t count = 5'000;
    Forest forest;
    forest.reset(count);
    for (const bool is_temporary : {false, true}) {
        Vertex vertex = 0;
        for (Vertex token = 1; token < count; ++token)
            vertex = forest.make(is_temporary ? S_ : S, is_temporary, vertex, token, Side::left);
        const TreeCodes codes =
            encode(forest, forest.make(ROOT, false, vertex, no_vertex, Side::left));
        CHECK(codes.size() == (is_temporary ? count + 2 : 3 * count));
        CHECK(codes.back() == (is_temporary ? count : 1));
    }
}

TEST(the_number_of_threads_does_not_matter) {
    for (const std::string_view name : names) {
        const Scene scene(name, 20, 1);
        for (const std::size_t beam : {1, 2, 3, 5, 16, 64}) {
            const auto alone = scene.parse({beam, 1, 2});
            for (const std::size_t threads : {0, 2, 3, 8, 100})
                CHECK(is_same(scene.parse({beam, threads, 2}), alone));
        }
    }
}

TEST(the_best_parses_come_first) {
    for (const std::string_view name : names) {
        const Scene scene(name, 10, 2);
        const auto one = scene.parse({.beam = 8});
        const auto many = scene.parse({.beam = 8, .k_best = 100});
        CHECK(one.size() == 10 && many.size() == 10);
        for (std::size_t i = 0; i < 10; ++i) {
            CHECK(one[i].size() == 1 && !many[i].empty() && many[i].size() <= 8);
            CHECK(one[i][0].score == many[i][0].score && one[i][0].codes == many[i][0].codes);
            CHECK(std::ranges::is_sorted(many[i], std::ranges::greater{}, &Parse::score));
        }
    }
}

TEST(scores_are_those_of_weights_before_they_were_quantised) {
    // One feature, SHIFT +1.5 wherever the queue has a word, nothing else.
    const auto system = small_system("gap");
    const std::vector<Template> template_list = {{{slot_queue, 0, at_head, 0}}};
    const auto templates = std::make_shared<Templates>(template_list, 2, -1, true);
    const std::vector<std::uint32_t> row = {5, 1};
    LearnedWeights learned;
    learned.update(feature_of(*templates, row), system->find({Move::shift}), 3, 2);
    const auto weights =
        std::make_shared<Weights>(learned.average(2, 0, system->transitions().size()));
    const BeamParser parser(system, templates, weights);
    const std::vector<std::uint32_t> rows = {5, 1, 5, 1, 5, 1};
    const auto parses = parser.parse(rows, Offsets{0, 3}, {.beam = 1});
    CHECK(parses[0][0].score == 4.5);
    CHECK(parses[0][0].codes.size() == 9 && parses[0][0].codes.back() == 2);
}

TEST(no_sentences_are_parsed_to_no_trees) {
    const Scene scene("gap", 2, 3);
    const BeamParser parser(scene.system, scene.templates, scene.weights);
    CHECK(parser.parse({}, {}, {}).empty() && parser.parse({}, Offsets{0}, {}).empty());
}

TEST(weights_fit_the_system) {
    const Scene scene("gap", 2, 5);
    CHECK(check::throws<std::invalid_argument>(
        [&] { BeamParser(small_system("cgap"), scene.templates, scene.weights); },
        "transitions, expected"));
}

TEST(what_cannot_be_is_refused) {
    const Scene scene("gap", 3, 4);
    const std::size_t end = scene.offsets.back();
    for (const Offsets& offsets : {Offsets{0, 0},
                                   {0, 1, 1},
                                   {2, 1},
                                   {0, end + 1},
                                   {end, end + 1},
                                   {~std::size_t{0} / 3 * 2, ~std::size_t{0} / 3 * 2 + 2}})
        CHECK(refuses(scene, offsets, {}, "at least one token"));
    CHECK(refuses(scene, scene.offsets, {.beam = 0}, "at least one item"));
    CHECK(refuses(scene, scene.offsets, {.k_best = 0}, "at least one item"));
}

TEST(the_steps_of_a_parse_add_up_to_its_score) {
    for (const auto* name : {"gap", "cgap", "swap", "cswap"})
        for (const Stop stop : {Stop::all, Stop::first})
            for (const std::size_t beam : {1U, 4U})
                check_steps(Scene(name, 12, 5), beam, stop);
}

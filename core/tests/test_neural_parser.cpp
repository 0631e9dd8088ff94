#include <algorithm>
#include <map>

#include "check.hpp"
#include "networks.hpp"
#include "neural/parser.hpp"
#include "transitions/stepper.hpp"

using namespace crossbranch;
using namespace crossbranch::neural;

namespace {

constexpr std::size_t units = 3, word_size = 4, hidden = 5, size = 2 * units;
enum PlainLabel : Label { A, B, Top };

struct Network {
    std::size_t gaps;
    std::shared_ptr<const System> system;
    std::shared_ptr<const ChoiceWriter> writer;
    RandomTensors random{11};

    Network(const std::string& name, std::size_t shown_gaps) : gaps(shown_gaps) {
        system =
            make_system(name, {{LabelKind::plain, LabelKind::plain, LabelKind::root}, {A, B, Top}},
                        {{Move::label, A}, {Move::label, B}, {Move::label, Top}}, {});
        writer = std::make_shared<ChoiceWriter>(system, gaps);
        random.add("encoder.words.weight", {6, word_size});
        random.add_lstm("encoder.levels.0.lstm.", word_size, units);
        random.add_linear("encoder.tasks.pos", 3, size);
        add_scorer("structure.", system->open_move() ? 2 : 5,
                   std::max<std::size_t>(writer->moves().size(), 1));
        add_scorer("label.", 1, 4);
    }

    [[nodiscard]] ItemPlaces places() const { return {gaps, writer->system().has_heads()}; }

    void add_scorer(const std::string& prefix, std::size_t items, std::size_t outputs) {
        random.add(prefix + "absent", {places().count(), size});
        random.add_linear(prefix + "layers.0", hidden, items * places().count() * size);
        random.add_linear(prefix + "layers.1", hidden, hidden);
        random.add_linear(prefix + "output", outputs, hidden, false);
    }

    [[nodiscard]] Parser parser() const {
        return {random.tensors, "", {Residual::none}, {{"pos", 0}}, writer};
    }

    [[nodiscard]] std::vector<Vector> encode(std::span<const std::uint32_t> words) const {
        std::vector<Vector> tokens;
        for (const std::uint32_t word : words) {
            Vector& token = tokens.emplace_back();
            for (std::size_t i = 0; i < word_size; ++i)
                token.push_back(random.at("encoder.words.weight", word * word_size + i));
        }
        return random.bi_lstm("encoder.levels.0.lstm.", tokens, units);
    }

    // The tokens of an item, found one by one.
    [[nodiscard]] Vector item(const std::vector<Vector>& tokens, const std::string& prefix,
                              const Forest& forest, Vertex vertex) const {
        std::vector<std::int32_t> tokens_of(places().count(), -1);
        std::vector<bool> covered(tokens.size());
        std::vector<Vertex> open;
        if (vertex != no_vertex)
            open.push_back(vertex);
        while (!open.empty()) {
            const ForestNode node = forest.node(open.back());
            if (node.is_token())
                covered[static_cast<std::size_t>(open.back())] = true;
            open.pop_back();
            for (const Vertex child : {node.left, node.right})
                if (child != no_vertex)
                    open.push_back(child);
        }
        std::size_t gap = 0;
        for (std::int32_t token = 0; token < static_cast<std::int32_t>(tokens.size()); ++token) {
            if (!covered[static_cast<std::size_t>(token)])
                continue;
            if (tokens_of[0] < 0) {
                tokens_of[0] = token;
            } else if (tokens_of[1] + 1 < token) {
                gap = std::min(gap + 1, gaps);
                if (tokens_of[2 * gap] < 0)
                    tokens_of[2 * gap] = tokens_of[1] + 1;
                tokens_of[2 * gap + 1] = token - 1;
            }
            tokens_of[1] = token;
        }
        if (places().has_head && vertex != no_vertex)
            tokens_of.back() = forest.node(vertex).head();
        Vector vector;
        for (std::size_t i = 0; i < tokens_of.size(); ++i)
            for (std::size_t j = 0; j < size; ++j)
                vector.push_back(tokens_of[i] < 0
                                     ? random.at(prefix + "absent", i * size + j)
                                     : tokens[static_cast<std::size_t>(tokens_of[i])][j]);
        return vector;
    }

    [[nodiscard]] Vector network(const std::string& prefix, Vector in, std::size_t outputs) const {
        for (const std::string name : {"layers.0", "layers.1"}) {
            in = random.linear(prefix + name, in, hidden);
            for (double& value : in)
                value = std::tanh(value);
        }
        return random.linear(prefix + "output", in, outputs);
    }

    // The logarithm of the probability of each legal transition.
    [[nodiscard]] std::map<TransitionId, double> scores(const std::vector<Vector>& tokens,
                                                        Stepper& stepper) const {
        std::map<TransitionId, double> found;
        for (const auto& [begin, end] : stepper.legal())
            for (TransitionId id = begin; id < end; ++id)
                found[id] = 0;
        if (found.size() == 1)
            return found;
        const auto item_of = [&](const std::string& prefix, Vertex vertex) {
            return item(tokens, prefix, stepper.forest(), vertex);
        };
        const Vertex focus = stepper.at().focus;
        if (CandidateSystem::is_labelling(stepper.at())) {
            const Vector out = network("label.", item_of("label.", focus), 4);
            for (auto& [id, score] : found) {
                const Transition taken = system->transition(id);
                score = out[taken.move == Move::label ? static_cast<std::size_t>(taken.argument) + 1
                                                      : 0];
            }
        } else if (writer->has_candidates()) {
            for (auto& [id, score] : found) {
                const Vertex candidate = id < system->first_open()
                                             ? stepper.at().next
                                             : stepper.stack_item(id - system->first_open());
                score = network(
                    "structure.",
                    joined(item_of("structure.", candidate), item_of("structure.", focus)), 1)[0];
            }
        } else {
            const std::vector<Vertex> aside = stepper.items(stepper.at().aside);
            Vector row;
            for (const Vertex vertex :
                 {focus, stepper.stack_item(0), stepper.stack_item(1),
                  aside.empty() ? no_vertex : aside.back(), stepper.queue_item(0)})
                row = joined(row, item_of("structure.", vertex));
            const Vector out = network("structure.", row, writer->moves().size());
            for (std::size_t i = 0; i < out.size(); ++i)
                if (found.contains(writer->moves()[i]))
                    found[writer->moves()[i]] = out[i];
        }
        double sum = 0;
        for (const auto& [id, score] : found)
            sum += std::exp(score);
        for (auto& [id, score] : found)
            score -= std::log(sum);
        return found;
    }

    [[nodiscard]] FoundTree greedy(std::span<const std::uint32_t> words) const {
        const std::vector<Vector> tokens = encode(words);
        Stepper stepper(system, static_cast<std::int32_t>(words.size()));
        double score = 0;
        while (!stepper.is_final()) {
            const auto all = scores(tokens, stepper);
            const auto best = std::ranges::max_element(
                all, [](const auto& a, const auto& b) { return a.second < b.second; });
            score += best->second;
            stepper.apply(best->first);
        }
        return {score, stepper.codes()};
    }

    // The best derivation of each tree, found by trying everything.
    void explore(const std::vector<Vector>& tokens, Stepper& stepper, double score,
                 std::map<TreeCodes, double>& best) const {
        if (stepper.is_final()) {
            const auto [entry, is_new] = best.emplace(stepper.codes(), score);
            entry->second = std::max(entry->second, score);
            return;
        }
        for (const auto& [id, added] : scores(tokens, stepper)) {
            Stepper next = stepper;
            next.apply(id);
            explore(tokens, next, score + added, best);
        }
    }
};

const std::vector<std::uint32_t> starts = {0, 4, 5, 12, 14, 22};
const std::vector<std::uint32_t> words = {1, 2, 3, 0, 4, 5, 5, 1, 2, 4, 0,
                                          3, 3, 1, 2, 2, 5, 4, 3, 0, 1, 1};

}  // namespace

TEST(greedy_search_takes_the_best_transition_at_every_step) {
    for (const auto& [name, gaps] :
         std::vector<std::pair<std::string, std::size_t>>{{"stack-free", 1},
                                                          {"stack-free", 2},
                                                          {"ml-cgap", 1},
                                                          {"ml-gap", 1},
                                                          {"ml-gap-lex", 2}}) {
        const Network network(name, gaps);
        const ParseResult result = network.parser().parse({starts, words, {}, {}, {}}, {1, 1, 1});
        for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
            const auto own = std::span(words).subspan(starts[i], starts[i + 1] - starts[i]);
            const FoundTree expected = network.greedy(own);
            CHECK(result.trees[i].size() == 1);
            CHECK(result.trees[i][0].codes == expected.codes);
            CHECK(std::abs(result.trees[i][0].score - expected.score) < 1e-4);
            const std::vector<Vector> tokens = network.encode(own);
            for (std::size_t j = 0; j < own.size(); ++j) {
                const Vector classes = network.random.linear("encoder.tasks.pos", tokens[j], 3);
                CHECK(
                    result.classes[0][starts[i] + j] ==
                    static_cast<std::size_t>(std::ranges::max_element(classes) - classes.begin()));
            }
        }
    }
}

TEST(a_beam_that_is_wide_enough_finds_all_trees_in_order) {
    for (const std::string name : {"stack-free", "ml-gap"}) {
        const Network network(name, 1);
        const std::vector<std::uint32_t> three = {0, 3};
        const auto own = std::span(words).first(3);
        const ParseResult result =
            network.parser().parse({three, own, {}, {}, {}}, {100'000, 50, 1});
        std::map<TreeCodes, double> best;
        Stepper stepper(network.system, 3);
        network.explore(network.encode(own), stepper, 0, best);
        CHECK(result.trees[0].size() == std::min<std::size_t>(50, best.size()));
        std::vector<double> scores;
        for (const auto& [codes, score] : best)
            scores.push_back(score);
        std::ranges::sort(scores, std::greater<>());
        for (std::size_t i = 0; i < result.trees[0].size(); ++i) {
            CHECK(std::abs(result.trees[0][i].score - scores[i]) < 1e-4);
            CHECK(std::abs(best.at(result.trees[0][i].codes) - scores[i]) < 1e-4);
        }
    }
}

TEST(trees_do_not_depend_on_threads_or_batches) {
    const Network network("stack-free", 1);
    const Parser parser = network.parser();
    std::vector<std::uint32_t> many_starts = {0}, many_words;
    std::mt19937_64 random(5);
    for (int i = 0; i < 150; ++i) {
        const std::size_t count = 1 + random() % 30;
        for (std::size_t j = 0; j < count; ++j)
            many_words.push_back(static_cast<std::uint32_t>(random() % 6));
        many_starts.push_back(static_cast<std::uint32_t>(many_words.size()));
    }
    for (const std::size_t beam : {1U, 3U}) {
        const TokenBatch batch{many_starts, many_words, {}, {}, {}};
        const ParseResult one = parser.parse(batch, {beam, beam, 1});
        const ParseResult three = parser.parse(batch, {beam, beam, 3});
        CHECK(one.classes == three.classes);
        for (std::size_t i = 0; i + 1 < many_starts.size(); ++i) {
            const std::uint32_t length = many_starts[i + 1] - many_starts[i];
            const std::vector<std::uint32_t> alone_starts = {0, length};
            const auto own = std::span(many_words).subspan(many_starts[i], length);
            const auto alone =
                parser.parse({alone_starts, own, {}, {}, {}}, {beam, beam, 1}).trees[0];
            for (const auto* other : {&three.trees[i], &alone}) {
                CHECK(other->size() == one.trees[i].size());
                for (std::size_t j = 0; j < other->size(); ++j)
                    CHECK((*other)[j].codes == one.trees[i][j].codes &&
                          (*other)[j].score == one.trees[i][j].score);
            }
        }
    }
}

TEST(networks_that_do_not_fit_the_system_are_refused) {
    const auto refuses = [](const Network& network, std::string_view text) {
        return check::throws<std::invalid_argument>([&] { const Parser parser = network.parser(); },
                                                    text);
    };
    Network network("stack-free", 1);
    network.writer = std::make_shared<ChoiceWriter>(network.system, 2);
    CHECK(refuses(network, "structure.layers.0.weight has the shape [5, 48], expected [any, 72]"));
    const auto one_label = make_system("stack-free", {{LabelKind::plain, LabelKind::root}, {0, 1}},
                                       {{Move::label, 0}, {Move::label, 1}}, {});
    network.writer = std::make_shared<ChoiceWriter>(one_label, 1);
    CHECK(refuses(network, "labels has 4 outputs, expected 3"));
    network.writer = std::make_shared<ChoiceWriter>(Network("ml-cgap", 1).system, 1);
    (void)network.parser();  // it has the same rows and scores
    Network other("ml-gap", 1);
    other.writer = network.writer;
    CHECK(refuses(other, "structure.layers.0.weight"));
    const Network good("stack-free", 1);
    CHECK(check::throws<std::invalid_argument>(
        [&] { (void)good.parser().parse({starts, words, {}, {}, {}}, {0, 1, 1}); },
        "at least one place"));
    const std::vector<std::uint32_t> none = {0};
    CHECK(good.parser().parse({none, {}, {}, {}, {}}, {1, 1, 1}).trees.empty());
}

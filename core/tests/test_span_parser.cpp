// The scores of spans as plain sums, and trees that charts find with them.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "check.hpp"
#include "networks.hpp"
#include "neural/padded_scores.hpp"
#include "neural/span_parser.hpp"

using namespace crossbranch::neural;
using crossbranch::spans::Rules;

namespace {

constexpr std::size_t units = 3, word_size = 4, size = 2 * units, label_size = 5, span_size = 2;

struct Network {
    RandomTensors random{5};
    std::size_t continuous_labels, discontinuous_labels;

    Network(std::size_t continuous, std::size_t discontinuous)
        : continuous_labels(continuous), discontinuous_labels(discontinuous) {
        random.add("encoder.words.weight", {6, word_size});
        random.add_lstm("encoder.levels.0.lstm.", word_size, units);
        random.add_linear("encoder.tasks.pos", 3, size);
        add("scorer.continuous.", continuous);
        if (discontinuous > 0) {
            add("scorer.outer.", discontinuous);
            add("scorer.gap.", discontinuous);
        }
    }

    void add(const std::string& prefix, std::size_t labels) {
        for (const std::string side : {"left", "right"}) {
            random.add_linear(prefix + "label." + side, label_size, size);
            random.add_linear(prefix + "span." + side, span_size, size);
        }
        random.add(prefix + "label.tensor", {labels, label_size + 1, label_size + 1});
        random.add(prefix + "span.tensor", {1, span_size + 1, span_size + 1});
    }

    [[nodiscard]] std::vector<bool> is_root() const {
        std::vector<bool> found(continuous_labels, false);
        found.back() = true;
        return found;
    }
    [[nodiscard]] SpanParser parser() const {
        return {random.tensors, "", {Residual::none}, {{"pos", 0}}, is_root()};
    }

    [[nodiscard]] Vector side(const std::string& name, const Vector& token,
                              std::size_t width) const {
        Vector found = random.linear(name, token, width);
        for (double& value : found)
            value = value > 0 ? value : 0.1 * value;
        found.push_back(1);
        return found;
    }
    [[nodiscard]] double pair(const std::string& name, std::size_t label, const Vector& first,
                              const Vector& last, std::size_t width) const {
        const Vector left = side(name + "left", first, width);
        const Vector right = side(name + "right", last, width);
        double sum = 0;
        for (std::size_t a = 0; a <= width; ++a)
            for (std::size_t b = 0; b <= width; ++b)
                sum += left[a] * right[b] *
                       random.at(name + "tensor", (label * (width + 1) + a) * (width + 1) + b);
        return sum;
    }
    [[nodiscard]] double score(const std::string& part, std::size_t label, const Vector& first,
                               const Vector& last) const {
        return pair(part + "label.", label, first, last, label_size) +
               pair(part + "span.", 0, first, last, span_size);
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
};

const std::vector<std::uint32_t> words{1, 2, 3, 4, 5, 0, 1, 3, 2, 2, 5, 1, 4};
const std::vector<std::uint32_t> starts{0, 7, 8, 13};

TokenBatch batch() {
    return {starts, words, {}, {}, {}};
}

bool are_near(const Network& network, const std::string& part, std::size_t labels,
              const std::vector<Vector>& tokens, const std::vector<float>& found) {
    const std::size_t count = tokens.size();
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i; j < count; ++j)
            for (std::size_t label = 0; label < labels; ++label)
                if (std::abs(static_cast<double>(found.at((i * count + j) * labels + label)) -
                             network.score(part, label, tokens[i], tokens[j])) > 1e-4)
                    return false;
    return true;
}

// The number of nodes of a tree, if its tokens are 0 .. count - 1, each of them once.
std::size_t nodes_of(const crossbranch::TreeCodes& codes, std::size_t count) {
    std::vector<std::int32_t> tokens;
    std::size_t nodes = 0, open = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        if (codes[i] >= 0) {
            tokens.push_back(codes[i]);
            ++open;
        } else {
            ++nodes;
            open -= static_cast<std::size_t>(codes[++i]) - 1;
        }
    }
    std::ranges::sort(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i] != static_cast<std::int32_t>(i))
            return 0;
    return tokens.size() == count && open == 1 ? nodes : 0;
}

}  // namespace

TEST(spans_are_scored_like_sums) {
    for (const std::size_t labels : {2U, 19U, 40U}) {
        const Network network(labels, labels / 2);
        const auto found = network.parser().score(batch());
        CHECK(found.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto tokens =
                network.encode(std::span(words).subspan(starts[i], starts[i + 1] - starts[i]));
            CHECK(are_near(network, "scorer.continuous.", labels, tokens, found[i].continuous));
            CHECK(are_near(network, "scorer.outer.", labels / 2, tokens, found[i].outer));
            CHECK(are_near(network, "scorer.gap.", labels / 2, tokens, found[i].gap));
        }
    }
}

TEST(all_trees_have_a_root_and_all_tokens) {
    for (const std::size_t discontinuous : {0U, 3U}) {
        const Network network(4, discontinuous);
        const SpanParser parser = network.parser();
        for (const Rules rules :
             {Rules::continuous, Rules::cubic, Rules::quartic, Rules::quintic, Rules::sextic}) {
            SpanParseOptions options{{3, {rules, rules >= Rules::quintic}}, 1, false, 1};
            const SpanParseResult best = parser.parse(batch(), options);
            options.k_best = 4;
            options.has_probabilities = true;
            options.threads = 2;
            const SpanParseResult many = parser.parse(batch(), options);
            CHECK(best.classes == many.classes);
            for (std::size_t i = 0; i < 3; ++i) {
                CHECK(best.trees[i].at(0).codes == many.trees[i].at(0).codes);
                for (const DecodedTree& tree : many.trees[i]) {
                    const std::size_t nodes = nodes_of(tree.codes, starts[i + 1] - starts[i]);
                    CHECK(nodes > 0);
                    CHECK(nodes == tree.probabilities.size());
                    CHECK(tree.codes[tree.codes.size() - 2] == ~3);  // the only label of roots
                    CHECK(tree.probability > 0 && tree.probability <= 1);
                    for (const double probability : tree.probabilities)
                        CHECK(probability > 0 && probability < 1.0001);
                }
            }
        }
    }
}

TEST(classes_need_no_trees) {
    const SpanParseResult found = Network(3, 2).parser().parse(batch(), {});
    CHECK(found.classes.at(0).size() == words.size());
    CHECK(found.trees.at(0).empty());
}

TEST(padded_scores_give_the_same_trees) {
    const Network network(5, 2);
    const SpanParser parser = network.parser();
    const std::vector<crossbranch::spans::SearchSpace> spaces(3, {Rules::quintic, true});
    const auto scores = parser.score(batch());
    const std::vector<std::int32_t> counts{7, 1, 5};
    std::vector<float> parts[3];
    for (std::size_t part = 0; part < 3; ++part) {
        const std::size_t labels = part == 0 ? 5 : 2;
        parts[part].resize(3 * 49 * labels, 1e9F);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto count = static_cast<std::size_t>(counts[i]);
            const std::vector<float>* const all[] = {&scores[i].continuous, &scores[i].outer,
                                                     &scores[i].gap};
            for (std::size_t first = 0; first < count; ++first)
                std::copy_n(all[part]->data() + first * count * labels, count * labels,
                            parts[part].data() + (i * 7 + first) * 7 * labels);
        }
    }
    const PaddedScores padded{counts, 7, parts[0], parts[1], parts[2], 2, network.is_root(),
                              spaces, 2};
    padded.check();
    const SpanParseResult expected = parser.parse(batch(), {spaces, 1, false, 1});
    const auto found = decode_all(padded, {.space = {}});
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(found[i].at(0).codes == expected.trees[i].at(0).codes);
    std::vector<float> slopes[3] = {parts[0], parts[1], parts[2]};
    const auto partitions = log_partitions(padded, slopes[0], slopes[1], slopes[2]);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(partitions[i] > found[i].at(0).score - 1e-4);  // equal if there is one tree
    double roots = 0;
    for (std::size_t i = 0; i < 3; ++i)
        roots += static_cast<double>(
            slopes[0][(i * 49 + static_cast<std::size_t>(counts[i]) - 1) * 5 + 4]);
    CHECK(std::abs(roots - 3) < 1e-4);
}

TEST(what_does_not_fit_is_refused) {
    const Network network(3, 2);
    CHECK(check::throws<std::invalid_argument>(
        [&] { (void)SpanParser(network.random.tensors, "", {Residual::none}, {}, {false, true}); },
        "scores 3 labels of continuous constituents, expected 2"));
    CHECK(check::throws<std::invalid_argument>(
        [&] { (void)network.parser().parse(batch(), {{{Rules::cubic, false}}, 1, false, 1}); },
        "each sentence has one search space"));
}

#include <cstring>
#include <thread>

#include "check.hpp"
#include "networks.hpp"
#include "neural/encoder.hpp"

using namespace crossbranch::neural;

namespace {

constexpr std::size_t units = 5, embedded = 3, word_size = 4, tag_size = 2, filters = 6;

// Four sentences of different lengths, with forms that occur twice and one that does not occur.
struct Example {
    std::vector<std::uint32_t> sentences = {0, 2, 7, 8, 11};
    std::vector<std::uint32_t> words = {1, 0, 2, 3, 4, 1, 1, 2, 0, 4, 3};
    std::vector<std::uint32_t> tags = {0, 1, 2, 2, 1, 0, 1, 2, 1, 0, 2};
    std::vector<std::uint32_t> forms = {0, 1, 2, 2, 4, 5, 1, 0, 6, 6, 2};
    std::vector<std::uint32_t> characters = {1, 3, 4, 2, 1, 5, 2, 1, 6, 3, 4, 2, 1, 0,
                                             2, 5, 1, 5, 5, 6, 4, 3, 3, 2, 2, 1, 1, 2};
    std::vector<std::uint32_t> starts = {0, 4, 7, 12, 15, 16, 24, 28};
    std::vector<float> features;

    [[nodiscard]] TokenBatch batch() const {
        return {sentences, words, tags, {forms, characters, starts}, features};
    }
    [[nodiscard]] TokenBatch sentence(std::size_t i, std::vector<std::uint32_t>& own_starts) const {
        const std::uint32_t begin = sentences[i], size = sentences[i + 1] - begin;
        const std::size_t width = features.size() / words.size();
        own_starts = {0, size};
        return {own_starts,
                std::span(words).subspan(begin, size),
                std::span(tags).subspan(begin, size),
                {std::span(forms).subspan(begin, size), characters, starts},
                std::span(features).subspan(begin * width, size * width)};
    }
};

enum class Characters : std::uint8_t { lstm, convolution };

void add_characters(RandomTensors& random, Characters kind) {
    random.add("characters.embedding.weight", {7, embedded});
    if (kind == Characters::lstm) {
        random.add_lstm("characters.lstm.", embedded, filters / 2);
    } else {
        random.add("characters.convolution.weight", {filters, embedded, 3});
        random.add("characters.convolution.bias", {filters});
    }
}

Vector row_of(const RandomTensors& random, const std::string& name, std::size_t row,
              std::size_t size) {
    Vector values;
    for (std::size_t i = 0; i < size; ++i)
        values.push_back(random.at(name, row * size + i));
    return values;
}

Vector form_vector(const RandomTensors& random, Characters kind, const Example& example,
                   std::size_t token) {
    std::vector<Vector> vectors;
    const std::size_t form = example.forms[token];
    for (std::size_t i = example.starts[form]; i < example.starts[form + 1]; ++i)
        vectors.push_back(
            row_of(random, "characters.embedding.weight", example.characters[i], embedded));
    if (kind == Characters::lstm)
        return joined(random.lstm("characters.lstm.", "_l0", vectors, filters / 2).back(),
                      random.lstm("characters.lstm.", "_l0_reverse", vectors, filters / 2).front());
    Vector best(filters);
    for (std::size_t middle = 0; middle < vectors.size(); ++middle) {
        for (std::size_t filter = 0; filter < filters; ++filter) {
            double sum = random.at("characters.convolution.bias", filter);
            for (std::size_t offset = 0; offset < 3; ++offset)
                for (std::size_t i = 0; i < embedded; ++i)
                    if (middle + offset >= 1 && middle + offset <= vectors.size())
                        sum += vectors[middle + offset - 1][i] *
                               random.at("characters.convolution.weight",
                                         (filter * embedded + i) * 3 + offset);
            best[filter] = std::max(best[filter], sum);
        }
    }
    return best;
}

}  // namespace

TEST(inputs_are_joined_and_encoded) {
    for (const Characters kind : {Characters::lstm, Characters::convolution}) {
        RandomTensors random(1);
        add_characters(random, kind);
        random.add("words.weight", {5, word_size});
        random.add("tags.weight", {3, tag_size});
        random.add_lstm("levels.0.lstm.", filters + word_size + tag_size, units);
        random.add_linear("tasks.pos", 4, 2 * units, false);
        const Encoder encoder(random.tensors, {"", {Residual::none}, {{"pos", 0}}});
        const Example example;
        EncoderMemory memory;
        encoder.encode(example.batch(), memory);
        Matrix scores;
        encoder.score_task(0, memory, scores);
        const std::vector<std::uint32_t> best = encoder.best_classes(0, memory);
        for (std::size_t i = 0; i + 1 < example.sentences.size(); ++i) {
            std::vector<Vector> tokens;
            for (std::size_t token = example.sentences[i]; token < example.sentences[i + 1];
                 ++token)
                tokens.push_back(
                    joined(joined(form_vector(random, kind, example, token),
                                  row_of(random, "words.weight", example.words[token], word_size)),
                           row_of(random, "tags.weight", example.tags[token], tag_size)));
            const std::vector<Vector> expected = random.bi_lstm("levels.0.lstm.", tokens, units);
            for (std::size_t j = 0; j < tokens.size(); ++j) {
                const std::size_t token = example.sentences[i] + j;
                CHECK(is_near(memory.levels[0].row(token), expected[j]));
                const Vector classes = random.linear("tasks.pos", expected[j], 4);
                CHECK(is_near(scores.row(token), classes));
                CHECK(best[token] == static_cast<std::size_t>(std::ranges::max_element(classes) -
                                                              classes.begin()));
            }
        }
    }
}

TEST(layers_have_residual_connections_features_and_a_projection) {
    RandomTensors random(2);
    random.add("words.weight", {5, word_size});
    random.add_linear("features.first", 3, 2);
    random.add_linear("features.second", 3, 3);
    random.add_linear("projection", 2 * units, word_size + 3);
    for (std::size_t level = 0; level < 3; ++level)
        random.add_lstm("levels." + std::to_string(level) + ".lstm.", 2 * units, units);
    random.add_linear("levels.1.gate", 2 * units, 4 * units);
    const Encoder encoder(random.tensors,
                          {"", {Residual::add, Residual::gated, Residual::none}, {}});
    Example example;
    std::mt19937_64 numbers(3);
    example.features = random_floats(numbers, 2 * example.words.size());
    EncoderMemory memory;
    encoder.encode(example.batch(), memory);
    for (std::size_t i = 0; i + 1 < example.sentences.size(); ++i) {
        std::vector<Vector> in;
        for (std::size_t token = example.sentences[i]; token < example.sentences[i + 1]; ++token) {
            Vector features = random.linear("features.first",
                                            {static_cast<double>(example.features[2 * token]),
                                             static_cast<double>(example.features[2 * token + 1])},
                                            3);
            for (double& value : features)
                value = std::tanh(value);
            in.push_back(random.linear(
                "projection",
                joined(row_of(random, "words.weight", example.words[token], word_size),
                       random.linear("features.second", features, 3)),
                2 * units));
        }
        for (std::size_t level = 0; level < 3; ++level) {
            const std::string name = "levels." + std::to_string(level);
            std::vector<Vector> out = random.bi_lstm(name + ".lstm.", in, units);
            for (std::size_t j = 0; j < out.size(); ++j) {
                const Vector gates =
                    level == 1 ? random.linear(name + ".gate", joined(out[j], in[j]), 2 * units)
                               : Vector(2 * units);
                for (std::size_t k = 0; k < 2 * units; ++k)
                    out[j][k] += in[j][k] * (level == 0   ? 1
                                             : level == 1 ? 1 / (1 + std::exp(-gates[k]))
                                                          : 0);
                CHECK(is_near(memory.levels[level].row(example.sentences[i] + j), out[j]));
            }
            in = std::move(out);
        }
    }
}

TEST(a_sentence_has_the_same_vectors_alone_and_in_a_batch) {
    RandomTensors random(4);
    add_characters(random, Characters::lstm);
    random.add_lstm("levels.0.lstm.", filters, units);
    const Encoder encoder(random.tensors, {"", {Residual::none}, {}});
    const Example example;
    EncoderMemory together;
    encoder.encode(example.batch(), together);
    const auto compare = [&] {
        EncoderMemory alone;
        std::vector<std::uint32_t> starts;
        for (std::size_t i = 0; i + 1 < example.sentences.size(); ++i) {
            encoder.encode(example.sentence(i, starts), alone);
            CHECK(std::memcmp(alone.levels[0].data(), together.levels[0].row(example.sentences[i]),
                              alone.levels[0].values().size_bytes()) == 0);
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back(compare);
    for (std::thread& thread : threads)
        thread.join();
}

TEST(the_cache_of_forms_is_bounded) {
    FormCache cache(2, 3);
    float vector[2], found[2];
    for (int round = 0; round < 3; ++round) {
        for (char form = 'a'; form <= 'z'; ++form) {
            vector[0] = static_cast<float>(form);
            vector[1] = -1;
            const std::string_view key(&form, 1);
            cache.add(key, vector);
            CHECK(cache.find(key, found) && found[0] == vector[0] && found[1] == -1);
            CHECK(cache.size() <= 6);
            if (form > 'a' && cache.find("a", found))
                CHECK(found[0] == static_cast<float>('a'));
        }
    }
    CHECK(cache.find("a", found));  // it was asked for again and again
    CHECK(!cache.find("k", found));
}

TEST(batches_and_tensors_that_do_not_fit_are_refused) {
    RandomTensors random(5);
    random.add("words.weight", {5, word_size});
    random.add_lstm("levels.0.lstm.", word_size, units);
    random.add_lstm("levels.1.lstm.", word_size, units);
    const auto refuses = [&](const EncoderDescription& description, std::string_view text) {
        return check::throws<std::invalid_argument>(
            [&] { const Encoder made(random.tensors, description); }, text);
    };
    CHECK(refuses({"", {}, {}}, "at least one"));
    CHECK(refuses({"", {Residual::add}, {}}, "same"));
    CHECK(refuses({"", {Residual::none, Residual::none}, {}},
                  "levels.1.lstm.weight_ih_l0 has the shape [20, 4], expected [any, 10]"));
    CHECK(refuses({"", {Residual::none}, {{"pos", 1}}}, "level 1"));
    CHECK(refuses({"", {Residual::none}, {{"pos", 0}}}, "no tensor tasks.pos.weight"));
    const Encoder encoder(random.tensors, {"", {Residual::none}, {}});
    const auto refuses_batch = [&](const std::vector<std::uint32_t>& sentences,
                                   const std::vector<std::uint32_t>& words, std::string_view text) {
        return check::throws<std::invalid_argument>(
            [&] { encoder.check({sentences, words, {}, {}, {}}); }, text);
    };
    CHECK(refuses_batch({0, 2, 2}, {1, 1}, "sentence 1 has no tokens"));
    CHECK(refuses_batch({1, 2}, {1, 1}, "token 0"));
    CHECK(refuses_batch({0, 2}, {1}, "1 words, expected 2"));
    CHECK(refuses_batch({0, 2}, {1, 5}, "no row 5 for words"));
}

TEST(forms_that_do_not_fit_are_refused) {
    RandomTensors random(6);
    add_characters(random, Characters::convolution);
    random.add_lstm("levels.0.lstm.", filters, units);
    const Encoder encoder(random.tensors, {"", {Residual::none}, {}});
    const auto refuses = [&](const Example& example, std::string_view text) {
        return check::throws<std::invalid_argument>([&] { encoder.check(example.batch()); }, text);
    };
    encoder.check(Example().batch());
    Example example;
    example.forms[3] = 7;
    CHECK(refuses(example, "no form 7"));
    example = Example();
    example.forms.pop_back();
    CHECK(refuses(example, "10 numbers of forms, expected 11"));
    example = Example();
    example.characters[4] = 7;
    CHECK(refuses(example, "no character 7"));
    example = Example();
    example.characters.pop_back();
    CHECK(refuses(example, "lengths of forms"));
    example = Example();
    example.starts[2] = 4;
    CHECK(refuses(example, "form 1 has no characters"));
}

TEST(shapes_with_more_numbers_than_can_be_counted_are_refused) {
    Tensors tensors;
    const std::size_t huge = std::size_t{1} << 32;
    CHECK(check::throws<std::invalid_argument>([&] { tensors.add("a", {{huge, huge}, {}}); },
                                               "has the shape"));
    tensors.add("b", {{0, huge, huge}, {}});
}

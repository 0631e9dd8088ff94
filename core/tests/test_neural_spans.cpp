#include "check.hpp"
#include "networks.hpp"
#include "neural/span_scorer.hpp"

using namespace crossbranch::neural;

namespace {

constexpr std::size_t size = 6, places = 4, hidden = 9, tokens = 5;

struct Example {
    explicit Example(std::size_t items, std::size_t outputs, std::size_t layers)
        : random(7 * items + outputs), items_(items), outputs_(outputs), layers_(layers) {
        random.add("absent", {places, size});
        random.add_linear("layers.0", hidden, items * places * size);
        for (std::size_t i = 1; i < layers; ++i)
            random.add_linear("layers." + std::to_string(i), hidden, hidden);
        random.add_linear("output", outputs, hidden, outputs > 1);
        std::mt19937_64 numbers(1);
        vectors.resize(tokens, size);
        for (std::size_t i = 0; i < tokens * size; ++i)
            vectors.data()[i] = random_float(numbers);
        for (std::size_t i = 0; i < 101 * items * places; ++i)
            rows.push_back(static_cast<std::int32_t>(numbers() % (tokens + 1)) - 1);
    }

    [[nodiscard]] Vector expected(std::size_t row) const {
        Vector in;
        for (std::size_t i = 0; i < items_ * places; ++i) {
            const std::int32_t token = rows[row * items_ * places + i];
            for (std::size_t j = 0; j < size; ++j)
                in.push_back(token < 0 ? random.at("absent", i % places * size + j)
                                       : static_cast<double>(
                                             vectors.row(static_cast<std::size_t>(token))[j]));
        }
        for (std::size_t i = 0; i < layers_; ++i) {
            in = random.linear("layers." + std::to_string(i), in, hidden);
            for (double& value : in)
                value = std::tanh(value);
        }
        return random.linear("output", in, outputs_);
    }

    RandomTensors random;
    Matrix vectors;
    std::vector<std::int32_t> rows;

  private:
    std::size_t items_, outputs_, layers_;
};

}  // namespace

TEST(rows_are_scored_like_concatenations) {
    for (const std::size_t items : {1U, 2U}) {
        for (const std::size_t outputs : {1U, 7U}) {
            for (const std::size_t layers : {1U, 2U, 3U}) {
                const Example example(items, outputs, layers);
                std::vector<bool> rare(items * places, layers == 3);
                rare[2] = rare.back() = layers != 1;
                const SpanScorer scorer(example.random.tensors, {"", items, places, rare}, size);
                SpanParts parts;
                SpanMemory memory;
                std::vector<float> out(example.rows.size() / scorer.row_size() * outputs);
                for (int round = 0; round < 2; ++round) {
                    scorer.prepare(example.vectors, parts);
                    scorer.score(parts, example.rows, out, memory);
                    for (std::size_t row = 0; row < out.size() / outputs; ++row)
                        CHECK(is_near(out.data() + row * outputs, example.expected(row)));
                }
            }
        }
    }
}

TEST(neighbouring_rows_may_have_the_same_last_item) {
    Example example(2, 1, 2);
    for (std::size_t row = 1; row < example.rows.size() / 8; ++row)
        if (row % 5 != 0)
            std::copy_n(example.rows.begin() + static_cast<std::ptrdiff_t>(8 * row - 4), 4,
                        example.rows.begin() + static_cast<std::ptrdiff_t>(8 * row + 4));
    const SpanScorer scorer(example.random.tensors, {"", 2, places, {}}, size);
    SpanParts parts;
    SpanMemory memory;
    std::vector<float> out(example.rows.size() / 8);
    for (int round = 0; round < 2; ++round) {
        scorer.prepare(example.vectors, parts);
        scorer.score(parts, example.rows, out, memory);
        for (std::size_t row = 0; row < out.size(); ++row)
            CHECK(is_near(&out[row], example.expected(row)));
    }
}

TEST(rows_that_do_not_fit_are_refused) {
    const Example example(2, 1, 2);
    const SpanScorer scorer(example.random.tensors, {"", 2, places, {}}, size);
    SpanParts parts;
    scorer.prepare(example.vectors, parts);
    SpanMemory memory;
    std::vector<float> out(1);
    std::vector<std::int32_t> row(scorer.row_size(), 0);
    scorer.score(parts, row, out, memory);
    row[3] = tokens;
    const auto refuses = [&](std::string_view text) {
        return check::throws<std::invalid_argument>([&] { scorer.score(parts, row, out, memory); },
                                                    text);
    };
    CHECK(refuses("no token 5"));
    row[3] = -2;
    CHECK(refuses("no token -2"));
    row.pop_back();
    CHECK(refuses("do not fit"));
    CHECK(check::throws<std::invalid_argument>(
        [&] { SpanScorer(example.random.tensors, {"", 3, places, {}}, size); },
        "layers.0.weight has the shape [9, 48], expected [any, 72]"));
}

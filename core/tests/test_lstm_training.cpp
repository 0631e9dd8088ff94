#include <cmath>
#include <stdexcept>

#include "check.hpp"
#include "networks.hpp"
#include "neural/lstm.hpp"
#include "neural/lstm_training.hpp"

using namespace crossbranch::neural;

namespace {

constexpr std::size_t inputs = 3;

// A random layer with random tokens, and everything that training keeps of them.
struct Layer {
    Layer(std::size_t size, std::vector<std::int32_t> sequences, std::uint64_t seed)
        : units(size), lengths(std::move(sequences)), tensors(seed), random(seed + 1) {
        tensors.add_lstm("", inputs, units);
        starts = {0};
        for (const std::int32_t length : lengths)
            starts.push_back(starts.back() + static_cast<std::uint32_t>(length));
        tokens.resize(starts.back(), inputs);
        for (std::size_t i = 0; i < tokens.rows() * inputs; ++i)
            tokens.data()[i] = random_float(random);
        for (std::size_t direction = 0; direction < 2; ++direction)
            recurrent[direction] = weights("weight_hh", direction, 4 * units * units);
        reset();
    }

    [[nodiscard]] std::vector<float> weights(const std::string& name, std::size_t direction,
                                             std::size_t count) const {
        std::vector<float> found(count);
        for (std::size_t i = 0; i < count; ++i)
            found[i] =
                static_cast<float>(tensors.at(name + (direction == 0 ? "_l0" : "_l0_reverse"), i));
        return found;
    }

    // What the inputs give to the gates: the directions one after the other.
    void reset() {
        Matrix both;
        BiLstm(tensors.tensors, "").input_gates(tokens, both);
        gates.resize(tokens.rows() * 8 * units);
        kept.resize(tokens.rows() * 4 * units);
        for (std::size_t direction = 0; direction < 2; ++direction)
            for (std::size_t token = 0; token < tokens.rows(); ++token)
                std::copy_n(both.row(token) + direction * 4 * units, 4 * units,
                            gates.data() + (direction * tokens.rows() + token) * 4 * units);
    }

    [[nodiscard]] LstmRun run() {
        return {units, lengths, {recurrent[0], recurrent[1]}, gates, kept};
    }
    [[nodiscard]] std::vector<float> states() {
        std::vector<float> hidden(tokens.rows() * 2 * units);
        run_lstm(run(), hidden);
        return hidden;
    }

    std::size_t units;
    std::vector<std::int32_t> lengths;
    std::vector<std::uint32_t> starts;
    RandomTensors tensors;
    std::mt19937_64 random;
    Matrix tokens;
    std::array<std::vector<float>, 2> recurrent;
    std::vector<float> gates, kept;
};

double dot_product(const std::vector<float>& left, const std::vector<float>& right) {
    double sum = 0;
    for (std::size_t i = 0; i < left.size(); ++i)
        sum += static_cast<double>(left[i]) * static_cast<double>(right[i]);
    return sum;
}

const std::vector<std::vector<std::int32_t>> examples = {{1}, {7}, {2, 5, 1, 5, 3}, {1, 1, 4}};

}  // namespace

TEST(training_has_the_states_of_parsing) {
    for (const std::size_t units : {1U, 5U, 16U, 50U}) {
        for (const std::vector<std::int32_t>& lengths : examples) {
            Layer layer(units, lengths, 7);
            Matrix expected;
            LstmMemory memory;
            BiLstm(layer.tensors.tensors, "").run(layer.tokens, layer.starts, expected, memory);
            const std::vector<float> found = layer.states();
            for (std::size_t i = 0; i < found.size(); ++i)
                CHECK(std::abs(found[i] - expected.values()[i]) < 1e-5F);
        }
    }
}

TEST(gradients_say_how_states_change_with_the_gates) {
    constexpr float step = 1e-2F;
    for (const std::vector<std::int32_t>& lengths : examples) {
        Layer layer(3, lengths, 11);
        const std::vector<float> start = layer.gates;
        const std::vector<float> hidden_gradients =
            random_floats(layer.random, layer.tokens.rows() * 2 * layer.units);
        (void)layer.states();
        std::vector<float> found(start.size());
        run_lstm_back(layer.run(), hidden_gradients, found);
        for (std::size_t i = 0; i < start.size(); ++i) {
            double change = 0;
            for (const float sign : {1.0F, -1.0F}) {
                layer.gates = start;
                layer.gates[i] += sign * step;
                change += static_cast<double>(sign) * dot_product(layer.states(), hidden_gradients);
            }
            CHECK(std::abs(change / (2 * static_cast<double>(step)) -
                           static_cast<double>(found[i])) < 1e-3);
        }
    }
}

TEST(the_state_before_each_token_is_kept) {
    Layer layer(4, {3, 2}, 5);
    const std::vector<float> hidden = layer.states();
    const auto before = [&](std::size_t direction, std::size_t token) {
        return layer.kept.data() + (direction * 5 + token) * 8 + 4;
    };
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(before(0, 0)[i] == 0 && before(0, 3)[i] == 0);  // nothing is before the first token
        CHECK(before(1, 2)[i] == 0 && before(1, 4)[i] == 0);
        CHECK(before(0, 2)[i] == hidden[1 * 8 + i]);
        CHECK(before(1, 0)[i] == hidden[1 * 8 + 4 + i]);
        CHECK(before(1, 3)[i] == hidden[4 * 8 + 4 + i]);
    }
}

TEST(arrays_that_do_not_fit_are_refused) {
    Layer layer(4, {3, 2}, 5);
    std::vector<float> hidden(5 * 8), gradients(5 * 32), few(5 * 8 - 1);
    const auto refused = [](auto call) {
        return check::throws<std::invalid_argument>(call, "do not fit");
    };
    CHECK(refused([&] { run_lstm(layer.run(), few); }));
    CHECK(refused([&] { run_lstm_back(layer.run(), few, gradients); }));
    CHECK(refused([&] { run_lstm_back(layer.run(), hidden, few); }));
    for (const std::vector<std::int32_t>& lengths :
         std::vector<std::vector<std::int32_t>>{{}, {5, 1}, {5, 0}, {6, -1}}) {
        layer.lengths = lengths;
        CHECK(refused([&] { run_lstm(layer.run(), hidden); }));
    }
    layer.lengths = {5};
    layer.recurrent[1].pop_back();
    CHECK(refused([&] { run_lstm(layer.run(), hidden); }));
}

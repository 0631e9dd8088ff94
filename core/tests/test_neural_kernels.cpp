#include <cstring>

#include "check.hpp"
#include "networks.hpp"
#include "neural/matrix.hpp"

using namespace crossbranch::neural;

namespace {

template <typename Test>
void for_all_kernels(Test test) {
    for (std::size_t i = 0; i < runnable_count(); ++i)
        test(runnable(i));
}

constexpr float untouched = -77;

}  // namespace

TEST(products_are_right_whatever_their_size) {
    for_all_kernels([](const Kernels& machine) {
        std::mt19937_64 random(1);
        for (const std::size_t inputs : {1U, 3U, 17U, 100U}) {
            for (std::size_t outputs = 1; outputs <= 140; outputs += outputs < 70 ? 1 : 23) {
                const std::size_t rows = 1 + random() % 15;
                const std::vector<float> in = random_floats(random, rows * inputs);
                const std::vector<float> weights = random_floats(random, outputs * inputs);
                const std::vector<float> bias = random_floats(random, outputs);
                const PackedMatrix matrix(weights, outputs, inputs, bias, Precision::float32,
                                          machine);
                const std::size_t stride = outputs + 1;
                std::vector<float> out(rows * stride, untouched), sums(rows * stride, 2);
                matrix.multiply(in.data(), inputs, rows, out.data(), stride);
                matrix.multiply_add(in.data(), inputs, rows, sums.data(), stride);
                for (std::size_t row = 0; row < rows; ++row) {
                    for (std::size_t output = 0; output < outputs; ++output) {
                        double sum = 0;
                        for (std::size_t i = 0; i < inputs; ++i)
                            sum += static_cast<double>(in[row * inputs + i]) *
                                   static_cast<double>(weights[output * inputs + i]);
                        const std::size_t at = row * stride + output;
                        CHECK(std::abs(out[at] - (sum + bias[output])) < 1e-5);
                        CHECK(std::abs(sums[at] - (sum + 2)) < 1e-5);
                    }
                    CHECK(out[row * stride + outputs] == untouched);
                    CHECK(sums[row * stride + outputs] == 2);
                }
            }
        }
    });
}

TEST(rounded_products_are_exact_to_the_second_digit) {
    for_all_kernels([](const Kernels& machine) {
        std::mt19937_64 random(7);
        for (const std::size_t inputs : {1U, 2U, 31U, 32U, 33U, 132U}) {
            for (std::size_t outputs = 1; outputs <= 140; outputs += outputs < 20 ? 1 : 29) {
                const std::size_t rows = 1 + random() % 15;
                const std::vector<float> in = random_floats(random, rows * inputs);
                const std::vector<float> weights = random_floats(random, outputs * inputs);
                const PackedMatrix exact(weights, outputs, inputs, {}, Precision::float32, machine);
                const PackedMatrix rounded(weights, outputs, inputs, {}, Precision::bfloat16,
                                           machine);
                std::vector<float> expected(rows * outputs), found(rows * outputs + 1, untouched);
                exact.multiply(in.data(), inputs, rows, expected.data(), outputs);
                rounded.multiply(in.data(), inputs, rows, found.data(), outputs);
                const double size = std::sqrt(static_cast<double>(inputs));
                for (std::size_t i = 0; i < expected.size(); ++i)
                    CHECK(std::abs(found[i] - expected[i]) < 0.01 * size);
                CHECK(found.back() == untouched);
            }
        }
    });
}

TEST(a_row_does_not_depend_on_the_number_of_rows) {
    for_all_kernels([](const Kernels& machine) {
        for (const Precision precision : {Precision::float32, Precision::bfloat16}) {
            std::mt19937_64 random(2);
            constexpr std::size_t inputs = 701, outputs = 75, rows = 200;  // several chunks
            const std::vector<float> in = random_floats(random, rows * inputs);
            const PackedMatrix matrix(random_floats(random, outputs * inputs), outputs, inputs,
                                      random_floats(random, outputs), precision, machine);
            std::vector<float> together(rows * outputs), alone(outputs);
            matrix.multiply(in.data(), inputs, rows, together.data(), outputs);
            for (std::size_t row = 0; row < rows; ++row) {
                matrix.multiply(in.data() + row * inputs, inputs, 1, alone.data(), outputs);
                CHECK(std::memcmp(alone.data(), together.data() + row * outputs,
                                  outputs * sizeof(float)) == 0);
            }
        }
    });
}

TEST(tanh_and_sigmoid_are_exact_to_the_sixth_digit) {
    for_all_kernels([](const Kernels& machine) {
        std::vector<float> places;
        for (float x = -90; x <= 90; x += 0.0137F)
            places.push_back(x);
        for (float x = 1e-30F; x < 1; x *= 1.7F)
            places.insert(places.end(), {x, -x});
        std::vector<float> tanhs = places, sigmoids = places;
        machine.tanh(tanhs.data(), tanhs.size());
        machine.sigmoid(sigmoids.data(), sigmoids.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            const double x = static_cast<double>(places[i]);
            const double tanh = std::tanh(x), sigmoid = 1 / (1 + std::exp(-x));
            CHECK(std::abs(tanhs[i] - tanh) <= 1e-6 * std::abs(tanh));
            if (std::abs(x) < 87)
                CHECK(std::abs(sigmoids[i] - sigmoid) <= 1e-6 * sigmoid);
            CHECK(sigmoids[i] >= 0 && sigmoids[i] <= 1);
        }
        float extremes[] = {-1e30F, 1e30F, 0};
        machine.tanh(extremes, 3);
        CHECK(extremes[0] == -1 && extremes[1] == 1 && extremes[2] == 0);
    });
}

TEST(element_wise_kernels_touch_only_their_elements) {
    for_all_kernels([](const Kernels& machine) {
        std::mt19937_64 random(3);
        for (std::size_t count = 0; count <= 70; ++count) {
            const std::vector<float> a = random_floats(random, count);
            const std::vector<float> b = random_floats(random, count);
            const std::vector<float> start = random_floats(random, count + 1);
            std::vector<float> added = start, largest = start, gated = start, summed = start;
            machine.add(a.data(), added.data(), count);
            machine.keep_largest(a.data(), largest.data(), count);
            machine.add_gated(a.data(), b.data(), gated.data(), count);
            const float* rows[] = {a.data(), b.data(), a.data()};
            machine.sum_rows(rows, 3, summed.data(), count);
            double product = 0;
            for (std::size_t i = 0; i < count; ++i) {
                CHECK(added[i] == start[i] + a[i]);
                CHECK(largest[i] == std::max(start[i], a[i]));
                CHECK(std::abs(gated[i] - (start[i] + a[i] * b[i])) < 1e-6F);
                CHECK(std::abs(summed[i] - (a[i] + b[i] + a[i])) < 1e-6F);
                product += static_cast<double>(a[i]) * static_cast<double>(b[i]);
            }
            CHECK(std::abs(machine.dot(a.data(), b.data(), count) - product) < 1e-5);
            for (const auto* values : {&added, &largest, &gated, &summed})
                CHECK(values->back() == start.back());
        }
    });
}

TEST(a_cell_of_an_lstm_takes_one_step) {
    for_all_kernels([](const Kernels& machine) {
        std::mt19937_64 random(4);
        for (std::size_t units = 1; units <= 40; ++units) {
            const std::vector<float> gates = random_floats(random, 4 * units);
            const std::vector<float> before = random_floats(random, units);
            std::vector<float> cell = before, hidden(units);
            machine.lstm_cell(gates.data(), cell.data(), hidden.data(), units);
            const auto sigmoid = [](float x) {
                return 1 / (1 + std::exp(-static_cast<double>(x)));
            };
            for (std::size_t i = 0; i < units; ++i) {
                const double state =
                    sigmoid(gates[units + i]) * static_cast<double>(before[i]) +
                    sigmoid(gates[i]) * std::tanh(static_cast<double>(gates[2 * units + i]));
                CHECK(std::abs(cell[i] - state) < 1e-6);
                CHECK(std::abs(hidden[i] - sigmoid(gates[3 * units + i]) * std::tanh(state)) <
                      1e-6);
            }
        }
    });
}

TEST(lstm_cells_in_training_are_the_same_and_have_gradients) {
    for_all_kernels([](const Kernels& machine) {
        std::mt19937_64 random(6);
        for (const std::size_t units : {1U, 5U, 16U, 33U}) {
            const std::vector<float> gates = random_floats(random, 4 * units);
            const std::vector<float> before = random_floats(random, units);
            std::vector<float> expected_cell = before, expected_hidden(units);
            machine.lstm_cell(gates.data(), expected_cell.data(), expected_hidden.data(), units);
            std::vector<float> values = gates, cell(units), hidden(units);
            machine.keep_lstm_cell(values.data(), before.data(), cell.data(), hidden.data(), units);
            CHECK(cell == expected_cell);
            CHECK(hidden == expected_hidden);
            const std::vector<float> of_hidden = random_floats(random, units);
            const std::vector<float> of_cell = random_floats(random, units);
            std::vector<float> found(4 * units), of_before = of_cell;
            machine.lstm_cell_gradient(values.data(), before.data(), cell.data(), of_hidden.data(),
                                       of_before.data(), found.data(), units);
            for (std::size_t i = 0; i < units; ++i) {
                const auto value = [&](std::size_t gate) {
                    return static_cast<double>(values[gate * units + i]);
                };
                const auto near = [&](float number, double right) {
                    return std::abs(static_cast<double>(number) - right) < 1e-6;
                };
                const double input = value(0), forget = value(1), candidate = value(2),
                             output = value(3);
                const double seen = std::tanh(static_cast<double>(cell[i]));
                const auto from_hidden = static_cast<double>(of_hidden[i]);
                const double state =
                    static_cast<double>(of_cell[i]) + from_hidden * output * (1 - seen * seen);
                CHECK(near(found[i], state * candidate * input * (1 - input)));
                CHECK(near(found[units + i],
                           state * static_cast<double>(before[i]) * forget * (1 - forget)));
                CHECK(near(found[2 * units + i], state * input * (1 - candidate * candidate)));
                CHECK(near(found[3 * units + i], from_hidden * seen * output * (1 - output)));
                CHECK(near(of_before[i], state * forget));
            }
        }
    });
}

TEST(weights_of_the_wrong_size_are_refused) {
    const std::vector<float> numbers(6);
    CHECK(check::throws<std::invalid_argument>([&] { PackedMatrix(numbers, 2, 2, {}); }, "size"));
    CHECK(check::throws<std::invalid_argument>([&] { PackedMatrix(numbers, 2, 3, numbers); },
                                               "size"));
}

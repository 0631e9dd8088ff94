// Random networks, and the same computations written as plainly as possible.
#pragma once

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "neural/tensors.hpp"

namespace crossbranch::neural {

using Vector = std::vector<double>;

inline float random_float(std::mt19937_64& random) {
    return std::uniform_real_distribution<float>(-1, 1)(random);
}

inline std::vector<float> random_floats(std::mt19937_64& random, std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values)
        value = random_float(random);
    return values;
}

class RandomTensors {
  public:
    explicit RandomTensors(std::uint64_t seed) : random_(seed) {}

    void add(const std::string& name, const std::vector<std::size_t>& shape) {
        std::size_t count = 1;
        for (const std::size_t size : shape)
            count *= size;
        values_[name] = random_floats(random_, count);
        tensors.add(name, {shape, values_[name]});
    }
    void add_linear(const std::string& name, std::size_t outputs, std::size_t inputs,
                    bool has_bias = true) {
        add(name + ".weight", {outputs, inputs});
        if (has_bias)
            add(name + ".bias", {outputs});
    }
    void add_lstm(const std::string& prefix, std::size_t inputs, std::size_t units) {
        for (const std::string suffix : {"_l0", "_l0_reverse"}) {
            add(prefix + "weight_ih" + suffix, {4 * units, inputs});
            add(prefix + "weight_hh" + suffix, {4 * units, units});
            add(prefix + "bias_ih" + suffix, {4 * units});
            add(prefix + "bias_hh" + suffix, {4 * units});
        }
    }

    [[nodiscard]] double at(const std::string& name, std::size_t i) const {
        return static_cast<double>(values_.at(name).at(i));
    }

    // W x + b
    [[nodiscard]] Vector linear(const std::string& name, const Vector& x,
                                std::size_t outputs) const {
        Vector result(outputs);
        for (std::size_t row = 0; row < outputs; ++row) {
            if (tensors.has(name + ".bias"))
                result[row] = at(name + ".bias", row);
            for (std::size_t i = 0; i < x.size(); ++i)
                result[row] += at(name + ".weight", row * x.size() + i) * x[i];
        }
        return result;
    }

    // The states of an LSTM in one direction, at all tokens.
    [[nodiscard]] std::vector<Vector> lstm(const std::string& prefix, const std::string& suffix,
                                           const std::vector<Vector>& tokens,
                                           std::size_t units) const {
        const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
        std::vector<Vector> states(tokens.size());
        Vector hidden(units), cell(units);
        for (std::size_t step = 0; step < tokens.size(); ++step) {
            const std::size_t token = suffix == "_l0" ? step : tokens.size() - 1 - step;
            const Vector& x = tokens[token];
            Vector gates(4 * units);
            for (std::size_t row = 0; row < gates.size(); ++row) {
                gates[row] =
                    at(prefix + "bias_ih" + suffix, row) + at(prefix + "bias_hh" + suffix, row);
                for (std::size_t i = 0; i < x.size(); ++i)
                    gates[row] += at(prefix + "weight_ih" + suffix, row * x.size() + i) * x[i];
                for (std::size_t i = 0; i < units; ++i)
                    gates[row] += at(prefix + "weight_hh" + suffix, row * units + i) * hidden[i];
            }
            for (std::size_t i = 0; i < units; ++i) {
                cell[i] = sigmoid(gates[units + i]) * cell[i] +
                          sigmoid(gates[i]) * std::tanh(gates[2 * units + i]);
                hidden[i] = sigmoid(gates[3 * units + i]) * std::tanh(cell[i]);
            }
            states[token] = hidden;
        }
        return states;
    }

    // [forward; backward] at all tokens.
    [[nodiscard]] std::vector<Vector> bi_lstm(const std::string& prefix,
                                              const std::vector<Vector>& tokens,
                                              std::size_t units) const {
        std::vector<Vector> states = lstm(prefix, "_l0", tokens, units);
        const std::vector<Vector> backward = lstm(prefix, "_l0_reverse", tokens, units);
        for (std::size_t i = 0; i < states.size(); ++i)
            states[i].insert(states[i].end(), backward[i].begin(), backward[i].end());
        return states;
    }

    Tensors tensors;

  private:
    std::mt19937_64 random_;
    std::map<std::string, std::vector<float>> values_;
};

inline Vector joined(Vector left, const Vector& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

inline bool is_near(const float* found, const Vector& expected, double tolerance = 1e-5) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (!(std::abs(static_cast<double>(found[i]) - expected[i]) <= tolerance))
            return false;
    return true;
}

}  // namespace crossbranch::neural

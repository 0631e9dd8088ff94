#include "neural/lstm_training.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "neural/matrix.hpp"

namespace crossbranch::neural {

namespace {

// A matrix that is multiplied a few times and then changes: it is packed quickly, into memory that
// is kept.
class BriefMatrix {
  public:
    // `weights` has outputs x inputs numbers.
    void pack(std::span<const float> weights, std::size_t outputs, std::size_t inputs) {
        constexpr std::size_t square = 16;  // small squares stay in the cache
        for (const Panel& panel : resize(outputs, inputs)) {
            const float* const from = weights.data() + panel.begin * inputs;
            if (panel.used < panel.width)
                std::fill_n(panel.to, panel.width * inputs, 0.0F);
            for (std::size_t begin = 0; begin < panel.used; begin += square) {
                const std::size_t end = std::min(begin + square, panel.used);
                for (std::size_t input = 0; input < inputs; ++input)
                    for (std::size_t i = begin; i < end; ++i)
                        panel.to[input * panel.width + i] = from[i * inputs + input];
            }
        }
    }
    // `weights` has inputs x outputs numbers.
    void pack_transposed(std::span<const float> weights, std::size_t outputs, std::size_t inputs) {
        for (const Panel& panel : resize(outputs, inputs)) {
            for (std::size_t input = 0; input < inputs; ++input) {
                float* const to = panel.to + input * panel.width;
                std::copy_n(weights.data() + input * outputs + panel.begin, panel.used, to);
                std::fill(to + panel.used, to + panel.width, 0.0F);
            }
        }
    }

    // out += in * W^T; rows follow each other.
    void multiply_add(const float* in, std::size_t rows, float* out) const {
        kernels().multiply(
            {in, inputs_, rows, inputs_, panels_.data(), outputs_, nullptr, out, outputs_});
    }

  private:
    // It has a row of `width` numbers for each input, one for each output from `begin` on. Only the
    // first ones are used; the others are zeros.
    struct Panel {
        std::size_t begin, used, width;
        float* to;
    };

    std::vector<Panel> resize(std::size_t outputs, std::size_t inputs) {
        const std::size_t lanes = kernels().lanes;
        const std::size_t padded = (outputs + lanes - 1) / lanes * lanes;
        outputs_ = outputs;
        inputs_ = inputs;
        if (panels_.size() < padded * inputs)
            panels_ = Memory<float>(padded * inputs);
        std::vector<Panel> found;
        for (std::size_t begin = 0; begin < outputs; begin += kernels().panel_width) {
            const std::size_t width = std::min(kernels().panel_width, padded - begin);
            found.push_back(
                {begin, std::min(width, outputs - begin), width, panels_.data() + begin * inputs});
        }
        return found;
    }

    Memory<float> panels_;
    std::size_t outputs_ = 0, inputs_ = 0;
};

// Memory that is kept from call to call.
struct Scratch {
    BriefMatrix recurrent;
    Matrix gates, hidden, cell;
};

Scratch& scratch() {
    thread_local Scratch mine;
    return mine;
}

// The tokens in the order in which a direction sees them: at each step, those of all sequences that
// are long enough, the longest first.
class Steps {
  public:
    explicit Steps(std::span<const std::int32_t> lengths)
        : starts_(lengths.size()), lengths_(lengths.begin(), lengths.end()) {
        std::exclusive_scan(lengths.begin(), lengths.end(), starts_.begin(), std::size_t{0});
        order_.resize(lengths.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::size_t a, std::size_t b) { return lengths_[a] > lengths_[b]; });
    }

    [[nodiscard]] std::size_t count() const { return lengths_.empty() ? 0 : length(0); }
    [[nodiscard]] std::size_t sequences() const { return order_.size(); }
    // The number of sequences that have this step.
    [[nodiscard]] std::size_t active(std::size_t step) const {
        std::size_t found = order_.size();
        while (found > 0 && length(found - 1) <= step)
            --found;
        return found;
    }
    [[nodiscard]] std::size_t token(std::size_t direction, std::size_t i, std::size_t step) const {
        const std::size_t offset = direction == 0 ? step : length(i) - 1 - step;
        return starts_[order_[i]] + offset;
    }

  private:
    [[nodiscard]] std::size_t length(std::size_t i) const {
        return static_cast<std::size_t>(lengths_[order_[i]]);
    }

    std::vector<std::size_t> starts_, order_;
    std::vector<std::int32_t> lengths_;
};

void run_direction(const LstmRun& run, const Steps& steps, std::size_t direction,
                   std::span<float> out) {
    const std::size_t units = run.units, sequences = steps.sequences();
    float* const gates = run.gates.data() + direction * run.tokens() * 4 * units;
    float* const kept = run.kept.data() + direction * run.tokens() * 2 * units;
    Scratch& memory = scratch();
    memory.recurrent.pack(run.recurrent[direction], 4 * units, units);
    memory.gates.resize(sequences, 4 * units);
    memory.hidden.resize(sequences, units);
    memory.cell.resize(sequences, units);
    memory.hidden.fill(0);
    memory.cell.fill(0);
    for (std::size_t step = 0; step < steps.count(); ++step) {
        const std::size_t active = steps.active(step);
        for (std::size_t i = 0; i < active; ++i)
            std::copy_n(gates + steps.token(direction, i, step) * 4 * units, 4 * units,
                        memory.gates.row(i));
        if (step > 0)
            memory.recurrent.multiply_add(memory.hidden.data(), active, memory.gates.data());
        for (std::size_t i = 0; i < active; ++i) {
            const std::size_t token = steps.token(direction, i, step);
            float* const cell = kept + token * 2 * units;
            std::copy_n(memory.hidden.row(i), units, cell + units);
            kernels().keep_lstm_cell(memory.gates.row(i), memory.cell.row(i), cell,
                                     memory.hidden.row(i), units);
            std::copy_n(cell, units, memory.cell.row(i));
            std::copy_n(memory.gates.row(i), 4 * units, gates + token * 4 * units);
            std::copy_n(memory.hidden.row(i), units, out.data() + (token * 2 + direction) * units);
        }
    }
}

void run_direction_back(const LstmRun& run, const Steps& steps, std::size_t direction,
                        std::span<const float> hidden_gradients, std::span<float> gate_gradients) {
    const std::size_t units = run.units, sequences = steps.sequences();
    const float* const gates = run.gates.data() + direction * run.tokens() * 4 * units;
    const float* const kept = run.kept.data() + direction * run.tokens() * 2 * units;
    float* const to = gate_gradients.data() + direction * run.tokens() * 4 * units;
    const std::vector<float> zeros(units, 0.0F);
    Scratch& memory = scratch();
    memory.recurrent.pack_transposed(run.recurrent[direction], units, 4 * units);
    memory.gates.resize(sequences, 4 * units);
    memory.hidden.resize(sequences, units);
    memory.cell.resize(sequences, units);
    memory.cell.fill(0);
    for (std::size_t step = steps.count(); step-- > 0;) {
        const std::size_t active = steps.active(step);
        for (std::size_t i = 0; i < active; ++i)
            std::copy_n(
                hidden_gradients.data() + (steps.token(direction, i, step) * 2 + direction) * units,
                units, memory.hidden.row(i));
        if (step + 1 < steps.count())
            memory.recurrent.multiply_add(memory.gates.data(), steps.active(step + 1),
                                          memory.hidden.data());
        for (std::size_t i = 0; i < active; ++i) {
            const std::size_t token = steps.token(direction, i, step);
            const float* const before =
                step == 0 ? zeros.data() : kept + steps.token(direction, i, step - 1) * 2 * units;
            kernels().lstm_cell_gradient(gates + token * 4 * units, before,
                                         kept + token * 2 * units, memory.hidden.row(i),
                                         memory.cell.row(i), memory.gates.row(i), units);
            std::copy_n(memory.gates.row(i), 4 * units, to + token * 4 * units);
        }
    }
}

void need(bool fits) {
    if (!fits)
        throw std::invalid_argument("the arrays of the LSTM do not fit together");
}

}  // namespace

void LstmRun::check() const {
    need(units > 0 && gates.size() % (8 * units) == 0 && kept.size() * 2 == gates.size());
    for (const std::span<const float> weights : recurrent)
        need(weights.size() == 4 * units * units);
    std::size_t sum = 0;
    for (const std::int32_t length : lengths) {
        need(length > 0);
        sum += static_cast<std::size_t>(length);
    }
    need(sum == tokens());
}

void run_lstm(const LstmRun& run, std::span<float> hidden) {
    run.check();
    need(hidden.size() == run.tokens() * 2 * run.units);
    const Steps steps(run.lengths);
    for (std::size_t direction = 0; direction < 2; ++direction)
        run_direction(run, steps, direction, hidden);
}

void run_lstm_back(const LstmRun& run, std::span<const float> hidden_gradients,
                   std::span<float> gate_gradients) {
    run.check();
    need(hidden_gradients.size() == run.tokens() * 2 * run.units);
    need(gate_gradients.size() == run.gates.size());
    const Steps steps(run.lengths);
    for (std::size_t direction = 0; direction < 2; ++direction)
        run_direction_back(run, steps, direction, hidden_gradients, gate_gradients);
}

}  // namespace crossbranch::neural

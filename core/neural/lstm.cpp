#include "neural/lstm.hpp"

#include <algorithm>
#include <numeric>

namespace crossbranch::neural {

BiLstm::BiLstm(const Tensors& tensors, const std::string& prefix, std::size_t inputs) {
    const Tensor& first = tensors.get(prefix + "weight_ih_l0", {0, inputs});
    inputs = first.size(1);
    units_ = tensors.get(prefix + "weight_hh_l0", {first.size(0), 0}).size(1);
    std::vector<float> weights, bias;
    for (std::size_t direction = 0; direction < 2; ++direction) {
        const std::string suffix = direction == 0 ? "_l0" : "_l0_reverse";
        const auto part = [&](const std::string& name,
                              std::initializer_list<std::size_t> shape) -> const auto& {
            return tensors.get(prefix + name + suffix, shape).values;
        };
        const std::vector<float>& from_inputs = part("weight_ih", {4 * units_, inputs});
        weights.insert(weights.end(), from_inputs.begin(), from_inputs.end());
        const std::vector<float>& first_bias = part("bias_ih", {4 * units_});
        const std::vector<float>& second_bias = part("bias_hh", {4 * units_});
        std::transform(first_bias.begin(), first_bias.end(), second_bias.begin(),
                       std::back_inserter(bias), std::plus<>());
        recurrent_[direction] = PackedMatrix(part("weight_hh", {4 * units_, units_}), 4 * units_,
                                             units_, {}, tensors.precision());
    }
    input_ = PackedMatrix(weights, 8 * units_, inputs, bias, tensors.precision());
}

void BiLstm::run(const Matrix& tokens, Starts starts, Matrix& out, LstmMemory& memory) const {
    input_gates(tokens, memory.inputs);
    out.resize(tokens.rows(), outputs());
    for (std::size_t direction = 0; direction < 2; ++direction)
        run_direction(direction, {&memory.inputs, {}}, starts, Keep::all, out, memory);
}

void BiLstm::run_to_end(const GateInputs& inputs, Starts starts, Matrix& out,
                        LstmMemory& memory) const {
    out.resize(starts.size() - 1, outputs());
    for (std::size_t direction = 0; direction < 2; ++direction)
        run_direction(direction, inputs, starts, Keep::last, out, memory);
}

void BiLstm::run_direction(std::size_t direction, const GateInputs& inputs, Starts starts,
                           Keep keep, Matrix& out, LstmMemory& memory) const {
    const Kernels& machine = kernels();
    const std::size_t count = starts.size() - 1;
    const auto length = [&](std::uint32_t i) { return starts[i + 1] - starts[i]; };
    memory.order.resize(count);
    std::iota(memory.order.begin(), memory.order.end(), 0U);
    std::stable_sort(memory.order.begin(), memory.order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return length(a) > length(b); });
    memory.gates.resize(count, 4 * units_);
    memory.hidden.resize(count, units_);
    memory.cell.resize(count, units_);
    memory.cell.fill(0);
    std::size_t active = count;  // sequences that have a token at this step: the first ones
    for (std::uint32_t step = 0;; ++step) {
        while (active > 0 && length(memory.order[active - 1]) <= step)
            --active;
        if (active == 0)
            return;
        const auto token_of = [&](std::size_t i) {
            const std::uint32_t sequence = memory.order[i];
            return direction == 0 ? starts[sequence] + step : starts[sequence + 1] - 1 - step;
        };
        for (std::size_t i = 0; i < active; ++i) {
            const std::uint32_t token = token_of(i);
            const std::size_t row = inputs.rows.empty() ? token : inputs.rows[token];
            std::copy_n(inputs.values->row(row) + direction * 4 * units_, 4 * units_,
                        memory.gates.row(i));
        }
        if (step > 0)
            recurrent_[direction].multiply_add(memory.hidden.data(), units_, active,
                                               memory.gates.data(), 4 * units_);
        for (std::size_t i = 0; i < active; ++i) {
            machine.lstm_cell(memory.gates.row(i), memory.cell.row(i), memory.hidden.row(i),
                              units_);
            const bool is_last = step + 1 == length(memory.order[i]);
            if (keep == Keep::all)
                std::copy_n(memory.hidden.row(i), units_,
                            out.row(token_of(i)) + direction * units_);
            else if (is_last)
                std::copy_n(memory.hidden.row(i), units_,
                            out.row(memory.order[i]) + direction * units_);
        }
    }
}

}  // namespace crossbranch::neural

#include "neural/span_scorer.hpp"

#include <algorithm>
#include <stdexcept>

namespace crossbranch::neural {

namespace {

constexpr std::size_t block_rows = 96;  // rows that stay in the cache from layer to layer
constexpr std::size_t most_places = 32;

}  // namespace

SpanScorer::SpanScorer(const Tensors& tensors, SpanScorerDescription description, std::size_t size)
    : description_(std::move(description)) {
    const std::string& prefix = description_.prefix;
    if (items() == 0 || places() == 0 || places() > most_places)
        throw std::invalid_argument("a span scorer has at least one item, and 1 to " +
                                    std::to_string(most_places) + " places for each");
    const std::size_t all = row_size();
    const Tensor& first = tensors.get(prefix + "layers.0.weight", {0, all * size});
    hidden_ = first.size(0);
    bias_.resize(1, hidden_);
    bias_.fill(0);
    if (tensors.has(prefix + "layers.0.bias"))
        std::ranges::copy(tensors.get(prefix + "layers.0.bias", {hidden_}).values, bias_.data());

    std::vector<float> weights(all * hidden_ * size);  // one block of rows for each place
    for (std::size_t place = 0; place < all; ++place)
        for (std::size_t unit = 0; unit < hidden_; ++unit)
            std::copy_n(first.values.data() + (unit * all + place) * size, size,
                        weights.data() + (place * hidden_ + unit) * size);
    projection_ = PackedMatrix(weights, all * hidden_, size, {}, tensors.precision());

    const Tensor& absent = tensors.get(prefix + "absent", {description_.places, size});
    absent_.resize(all, hidden_);
    for (std::size_t place = 0; place < all; ++place) {
        const PackedMatrix map(
            std::span<const float>(weights).subspan(place * hidden_ * size, hidden_ * size),
            hidden_, size, {});
        map.multiply(absent.values.data() + place % description_.places * size, size, 1,
                     absent_.row(place), hidden_);
    }

    std::size_t width = hidden_;
    for (std::size_t i = 1; tensors.has(prefix + "layers." + std::to_string(i) + ".weight"); ++i) {
        layers_.push_back(tensors.linear(prefix + "layers." + std::to_string(i), width));
        width = layers_.back().outputs();
    }
    output_ = tensors.linear(prefix + "output", width);
    if (output_.outputs() == 1) {
        single_output_ = tensors.get(prefix + "output.weight", {1, width}).values;
        if (tensors.has(prefix + "output.bias"))
            single_bias_ = tensors.get(prefix + "output.bias", {1}).values.front();
    }
}

void SpanScorer::score(const Matrix& projections, std::span<const std::int32_t> rows,
                       std::span<float> out, SpanMemory& memory) const {
    const std::size_t size = row_size();
    if (rows.size() % size != 0 || out.size() != rows.size() / size * outputs() ||
        projections.columns() != size * hidden_)
        throw std::invalid_argument("rows, scores and projections do not fit each other");
    for (const std::int32_t token : rows)
        if (token < no_token || token >= static_cast<std::int64_t>(projections.rows()))
            throw std::invalid_argument("there is no token " + std::to_string(token) +
                                        ", expected a number below " +
                                        std::to_string(projections.rows()) + ", or -1");
    const std::size_t count = rows.size() / size;
    memory.rows.resize(size + 1);
    memory.rows[0] = bias_.data();
    for (std::size_t begin = 0; begin < count; begin += block_rows) {
        const std::size_t end = std::min(begin + block_rows, count);
        memory.first.resize(end - begin, hidden_);
        for (std::size_t row = begin; row < end; ++row) {
            for (std::size_t place = 0; place < size; ++place)
                memory.rows[place + 1] = part(projections, place, rows[row * size + place]);
            kernels().sum_rows(memory.rows.data(), memory.rows.size(),
                               memory.first.row(row - begin), hidden_);
        }
        score_hidden(end - begin, out.data() + begin * outputs(), memory);
    }
}

void SpanScorer::sum_item(const Matrix& projections, std::size_t item, const std::int32_t* tokens,
                          float* sum) const {
    const float* rows[most_places];
    const std::size_t first = item * description_.places;
    for (std::size_t place = 0; place < description_.places; ++place)
        rows[place] = part(projections, first + place, tokens[place]);
    kernels().sum_rows(rows, description_.places, sum, hidden_);
}

void SpanScorer::score_sums(std::span<const float* const> sums, std::span<float> out,
                            SpanMemory& memory) const {
    const std::size_t count = sums.size() / items();
    memory.rows.resize(items() + 1);
    memory.rows[0] = bias_.data();
    for (std::size_t begin = 0; begin < count; begin += block_rows) {
        const std::size_t end = std::min(begin + block_rows, count);
        memory.first.resize(end - begin, hidden_);
        for (std::size_t row = begin; row < end; ++row) {
            std::copy_n(sums.data() + row * items(), items(), memory.rows.data() + 1);
            kernels().sum_rows(memory.rows.data(), memory.rows.size(),
                               memory.first.row(row - begin), hidden_);
        }
        score_hidden(end - begin, out.data() + begin * outputs(), memory);
    }
}

void SpanScorer::score_hidden(std::size_t rows, float* out, SpanMemory& memory) const {
    const Kernels& machine = kernels();
    machine.tanh(memory.first.data(), rows * hidden_);
    Matrix* in = &memory.first;
    Matrix* next = &memory.hidden;
    for (const PackedMatrix& layer : layers_) {
        layer.multiply(*in, *next);
        machine.tanh(next->data(), rows * layer.outputs());
        in = next;
        next = in == &memory.hidden ? &memory.next : &memory.hidden;
    }
    if (single_output_.empty()) {
        output_.multiply(in->data(), in->columns(), rows, out, outputs());
        return;
    }
    for (std::size_t row = 0; row < rows; ++row)
        out[row] = single_bias_ + machine.dot(in->row(row), single_output_.data(), in->columns());
}

}  // namespace crossbranch::neural

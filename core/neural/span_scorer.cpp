#include "neural/span_scorer.hpp"

#include <algorithm>
#include <stdexcept>

namespace crossbranch::neural {

namespace {

constexpr std::size_t block_rows = 96;  // rows that stay in the cache from layer to layer
constexpr std::int32_t unknown_row = -1, wanted_row = -2;

}  // namespace

SpanScorer::SpanScorer(const Tensors& tensors, SpanScorerDescription description, std::size_t size)
    : description_(std::move(description)) {
    const std::string& prefix = description_.prefix;
    if (row_size() == 0)
        throw std::invalid_argument("a span scorer has at least one item and one place");
    description_.rare.resize(row_size(), false);
    const Tensor& first = tensors.get(prefix + "layers.0.weight", {0, row_size() * size});
    size_ = size;
    hidden_ = first.size(0);
    bias_.resize(1, hidden_);
    bias_.fill(0);
    if (tensors.has(prefix + "layers.0.bias"))
        std::ranges::copy(tensors.get(prefix + "layers.0.bias", {hidden_}).values, bias_.data());
    add_places(tensors, first);

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

void SpanScorer::add_places(const Tensors& tensors, const Tensor& first) {
    const Tensor& absent = tensors.get(description_.prefix + "absent", {places(), size_});
    std::vector<float> common, own(hidden_ * size_);
    absent_.resize(row_size(), hidden_);
    for (std::size_t place = 0; place < row_size(); ++place) {
        for (std::size_t unit = 0; unit < hidden_; ++unit)
            std::copy_n(first.values.data() + (unit * row_size() + place) * size_, size_,
                        own.data() + unit * size_);
        PackedMatrix map(own, hidden_, size_, {}, tensors.precision());
        map.multiply(absent.values.data() + place % places() * size_, size_, 1, absent_.row(place),
                     hidden_);
        if (description_.rare[place]) {
            numbers_.push_back(rare_.size());
            rare_.push_back(std::move(map));
        } else {
            numbers_.push_back(common.size() / own.size());
            common.insert(common.end(), own.begin(), own.end());
        }
    }
    common_ = PackedMatrix(common, common.size() / size_, size_, {}, tensors.precision());
}

void SpanScorer::prepare(const Matrix& tokens, SpanParts& parts) const {
    parts.tokens = &tokens;
    common_.multiply(tokens, parts.common);
    parts.rare.clear(hidden_);
    parts.rare_rows.assign(tokens.rows() * rare_.size(), unknown_row);
    parts.wanted.resize(rare_.size());
}

void SpanScorer::want(SpanParts& parts, std::size_t place, std::int32_t token) const {
    if (token == no_token || !description_.rare[place])
        return;
    const auto number = static_cast<std::size_t>(token);
    std::int32_t& row = parts.rare_rows[number * rare_.size() + numbers_[place]];
    if (row != unknown_row)
        return;
    row = wanted_row;
    parts.wanted[numbers_[place]].push_back(static_cast<std::uint32_t>(token));
}

void SpanScorer::compute_wanted(SpanParts& parts) const {
    for (std::size_t place = 0; place < rare_.size(); ++place) {
        std::vector<std::uint32_t>& wanted = parts.wanted[place];
        if (wanted.empty())
            continue;
        parts.inputs.resize(wanted.size(), size_);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            std::copy_n(parts.tokens->row(wanted[i]), size_, parts.inputs.row(i));
        rare_[place].multiply(parts.inputs, parts.computed);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            parts.rare_rows[wanted[i] * rare_.size() + place] =
                static_cast<std::int32_t>(parts.rare.size());
            std::copy_n(parts.computed.row(i), hidden_, parts.rare.add());
        }
        wanted.clear();
    }
}

const float* SpanScorer::part(const SpanParts& parts, std::size_t place, std::int32_t token) const {
    if (token == no_token)
        return absent_.row(place);
    const auto row = static_cast<std::size_t>(token);
    if (!description_.rare[place])
        return parts.common.row(row) + numbers_[place] * hidden_;
    return parts.rare.row(
        static_cast<std::size_t>(parts.rare_rows[row * rare_.size() + numbers_[place]]));
}

void SpanScorer::score(SpanParts& parts, std::span<const std::int32_t> rows, std::span<float> out,
                       SpanMemory& memory) const {
    const std::size_t size = row_size();
    const std::size_t tokens = parts.tokens->rows();
    if (rows.size() % size != 0 || out.size() != rows.size() / size * outputs())
        throw std::invalid_argument("rows and scores do not fit each other");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] < no_token || rows[i] >= static_cast<std::int64_t>(tokens))
            throw std::invalid_argument("there is no token " + std::to_string(rows[i]) +
                                        ", expected a number below " + std::to_string(tokens) +
                                        ", or -1");
        want(parts, i % size, rows[i]);
    }
    compute_wanted(parts);
    const std::size_t count = rows.size() / size;
    memory.last.resize(1, hidden_);
    for (std::size_t begin = 0; begin < count; begin += block_rows) {
        const std::size_t end = std::min(begin + block_rows, count);
        memory.first.resize(end - begin, hidden_);
        for (std::size_t row = begin; row < end; ++row) {
            const std::int32_t* own = rows.data() + row * size;
            const std::int32_t* last = own + size - places();
            const bool has_same_last = row > 0 && std::equal(last, last + places(), last - size);
            sum_row(parts, own, has_same_last, memory, memory.first.row(row - begin));
        }
        score_hidden(end - begin, out.data() + begin * outputs(), memory);
    }
}

void SpanScorer::sum_row(const SpanParts& parts, const std::int32_t* row, bool has_same_last,
                         SpanMemory& memory, float* sum) const {
    const std::size_t last = row_size() - places();
    memory.rows.clear();
    if (!has_same_last) {
        memory.rows.push_back(bias_.data());
        for (std::size_t place = last; place < row_size(); ++place)
            memory.rows.push_back(part(parts, place, row[place]));
        kernels().sum_rows(memory.rows.data(), memory.rows.size(), memory.last.data(), hidden_);
        memory.rows.clear();
    }
    memory.rows.push_back(memory.last.data());
    for (std::size_t place = 0; place < last; ++place)
        memory.rows.push_back(part(parts, place, row[place]));
    kernels().sum_rows(memory.rows.data(), memory.rows.size(), sum, hidden_);
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

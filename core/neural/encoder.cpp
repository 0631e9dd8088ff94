#include "neural/encoder.hpp"

#include <algorithm>
#include <stdexcept>

namespace crossbranch::neural {

Encoder::Encoder(const Tensors& tensors, EncoderDescription description)
    : description_(std::move(description)) {
    const std::string& prefix = description_.prefix;
    if (description_.residuals.empty())
        throw std::invalid_argument("an encoder has at least one bi-LSTM layer");
    if (tensors.has(prefix + "characters.embedding.weight")) {
        characters_.emplace(tensors, prefix + "characters.");
        inputs_ += characters_->outputs();
    }
    add_table(tensors, prefix + "words.weight", words_);
    add_table(tensors, prefix + "tags.weight", tags_);
    const bool has_projection = tensors.has(prefix + "projection.weight");
    const std::string first =
        prefix + (has_projection ? "projection.weight" : "levels.0.lstm.weight_ih_l0");
    add_features(tensors, tensors.get(first, {0, 0}).size(1));
    std::size_t width = inputs_;
    if (has_projection) {
        projection_ = tensors.linear(prefix + "projection", width);
        width = projection_->outputs();
    }
    for (std::size_t i = 0; i < description_.residuals.size(); ++i) {
        const std::string name = prefix + "levels." + std::to_string(i) + ".";
        Level& level = levels_.emplace_back();
        level.lstm = BiLstm(tensors, name + "lstm.", width);
        const std::size_t outputs = level.lstm.outputs();
        if (description_.residuals[i] != Residual::none && outputs != width)
            throw std::invalid_argument(
                "layer " + std::to_string(i) + " has " + std::to_string(width) + " inputs and " +
                std::to_string(outputs) + " outputs, expected the same for a residual connection");
        if (description_.residuals[i] == Residual::gated)
            level.gate = tensors.linear(name + "gate", 2 * outputs, outputs);
        width = outputs;
    }
    for (const TaskDescription& task : description_.tasks) {
        if (task.level >= levels_.size())
            throw std::invalid_argument("the task " + task.name + " has the level " +
                                        std::to_string(task.level) + ", expected one below " +
                                        std::to_string(levels_.size()));
        tasks_.push_back(
            tensors.linear(prefix + "tasks." + task.name, levels_[task.level].lstm.outputs()));
    }
}

void Encoder::add_table(const Tensors& tensors, const std::string& name,
                        std::optional<Table>& table) {
    if (!tensors.has(name))
        return;
    const Tensor& tensor = tensors.get(name, {0, 0});
    table = Table{tensor.size(0), tensor.size(1), tensor.values};
    inputs_ += table->columns;
}

void Encoder::add_features(const Tensors& tensors, std::size_t inputs) {
    const std::string name = description_.prefix + "features.";
    if (tensors.has(name + "first.weight")) {
        features_first_ = tensors.linear(name + "first", 0);
        features_second_ = tensors.linear(name + "second", features_first_->outputs());
        feature_count_ = features_first_->inputs();
        inputs_ += features_second_->outputs();
    } else if (inputs > inputs_) {
        feature_count_ = inputs - inputs_;
        inputs_ = inputs;
    }
}

void Encoder::check(const TokenBatch& batch) const {
    if (batch.sentences.empty() || batch.sentences.front() != 0)
        throw std::invalid_argument("the first sentence must start at token 0");
    for (std::size_t i = 0; i + 1 < batch.sentences.size(); ++i)
        if (batch.sentences[i] >= batch.sentences[i + 1])
            throw std::invalid_argument("sentence " + std::to_string(i) + " has no tokens");
    const std::size_t tokens = batch.sentences.back();
    const auto demand = [](const char* name, std::size_t found, std::size_t expected) {
        if (found != expected)
            throw std::invalid_argument("there are " + std::to_string(found) + " " + name +
                                        ", expected " + std::to_string(expected));
    };
    const auto demand_rows = [&](const char* name, const std::optional<Table>& table,
                                 std::span<const std::uint32_t> rows) {
        if (!table)
            return;
        demand(name, rows.size(), tokens);
        for (const std::uint32_t row : rows)
            if (row >= table->rows)
                throw std::invalid_argument("there is no row " + std::to_string(row) + " for " +
                                            name + ", expected one below " +
                                            std::to_string(table->rows));
    };
    demand_rows("words", words_, batch.words);
    demand_rows("tags", tags_, batch.tags);
    if (characters_) {
        demand("numbers of forms", batch.forms.of_tokens.size(), tokens);
        characters_->check(batch.forms);
    }
    demand("features", batch.features.size(), tokens * feature_count_);
}

void Encoder::look_up(const std::optional<Table>& table, std::span<const std::uint32_t> rows,
                      std::size_t& column, Matrix& out) {
    if (!table)
        return;
    for (std::size_t token = 0; token < rows.size(); ++token)
        std::copy_n(table->values.data() + rows[token] * table->columns, table->columns,
                    out.row(token) + column);
    column += table->columns;
}

void Encoder::write_inputs(const TokenBatch& batch, EncoderMemory& memory) const {
    memory.inputs.resize(batch.sentences.back(), inputs_);
    std::size_t column = 0;
    if (characters_) {
        characters_->encode(batch.forms, memory.inputs.data(), inputs_, memory.characters);
        column = characters_->outputs();
    }
    look_up(words_, batch.words, column, memory.inputs);
    look_up(tags_, batch.tags, column, memory.inputs);
    if (feature_count_ > 0)
        write_features(batch, column, memory);
}

void Encoder::write_features(const TokenBatch& batch, std::size_t column,
                             EncoderMemory& memory) const {
    const std::size_t tokens = batch.sentences.back();
    if (!features_first_) {
        for (std::size_t token = 0; token < tokens; ++token)
            std::copy_n(batch.features.data() + token * feature_count_, feature_count_,
                        memory.inputs.row(token) + column);
        return;
    }
    memory.first.resize(tokens, features_first_->outputs());
    features_first_->multiply(batch.features.data(), feature_count_, tokens, memory.first.data(),
                              memory.first.columns());
    kernels().tanh(memory.first.data(), tokens * memory.first.columns());
    features_second_->multiply(memory.first.data(), memory.first.columns(), tokens,
                               memory.inputs.data() + column, inputs_);
}

void Encoder::encode(const TokenBatch& batch, EncoderMemory& memory) const {
    memory.levels.resize(levels_.size());
    write_inputs(batch, memory);
    const Matrix* in = &memory.inputs;
    if (projection_) {
        projection_->multiply(*in, memory.projected);
        in = &memory.projected;
    }
    for (std::size_t i = 0; i < levels_.size(); ++i) {
        levels_[i].lstm.run(*in, batch.sentences, memory.levels[i], memory.lstm);
        join(i, *in, memory);
        in = &memory.levels[i];
    }
}

void Encoder::join(std::size_t level, const Matrix& in, EncoderMemory& memory) const {
    Matrix& out = memory.levels[level];
    const std::size_t count = out.rows() * out.columns();
    if (description_.residuals[level] == Residual::add)
        kernels().add(in.data(), out.data(), count);
    if (description_.residuals[level] != Residual::gated)
        return;
    const std::size_t width = out.columns();
    memory.both.resize(out.rows(), 2 * width);
    for (std::size_t row = 0; row < out.rows(); ++row) {
        std::copy_n(out.row(row), width, memory.both.row(row));
        std::copy_n(in.row(row), width, memory.both.row(row) + width);
    }
    levels_[level].gate->multiply(memory.both, memory.gates);
    kernels().sigmoid(memory.gates.data(), count);
    kernels().add_gated(memory.gates.data(), in.data(), out.data(), count);
}

void Encoder::score_task(std::size_t task, const EncoderMemory& memory, Matrix& scores) const {
    tasks_.at(task).multiply(memory.levels[description_.tasks[task].level], scores);
}

std::vector<std::uint32_t> Encoder::best_classes(std::size_t task,
                                                 const EncoderMemory& memory) const {
    Matrix scores;
    score_task(task, memory, scores);
    std::vector<std::uint32_t> best;
    best.reserve(scores.rows());
    for (std::size_t token = 0; token < scores.rows(); ++token) {
        const float* row = scores.row(token);
        best.push_back(
            static_cast<std::uint32_t>(std::max_element(row, row + scores.columns()) - row));
    }
    return best;
}

}  // namespace crossbranch::neural

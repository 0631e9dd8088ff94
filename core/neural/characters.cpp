#include "neural/characters.hpp"

#include <stdexcept>
#include <unordered_map>

namespace crossbranch::neural {

namespace {

constexpr std::size_t cached_floats = std::size_t{1} << 21U;  // 8 MB in each half of the cache

std::string_view key_of(std::span<const std::uint32_t> characters, Starts forms, std::size_t i) {
    return {reinterpret_cast<const char*>(characters.data() + forms[i]),
            (forms[i + 1] - forms[i]) * sizeof(std::uint32_t)};
}

}  // namespace

CharacterEncoder::CharacterEncoder(const Tensors& tensors, const std::string& prefix) {
    const Tensor& embedding = tensors.get(prefix + "embedding.weight", {0, 0});
    character_count_ = embedding.size(0);
    if (character_count_ <= stop_character)
        throw std::invalid_argument("the tensor " + prefix + "embedding.weight has " +
                                    std::to_string(character_count_) +
                                    " rows, expected at least 3: unknown, start, stop");
    if (tensors.has(prefix + "convolution.weight")) {
        add_convolution(tensors, prefix, embedding);
    } else {
        lstm_.emplace(tensors, prefix + "lstm.", embedding.size(1));
        outputs_ = lstm_->outputs();
        Matrix rows(character_count_, embedding.size(1));
        std::copy(embedding.values.begin(), embedding.values.end(), rows.data());
        lstm_->input_gates(rows, table_);
    }
    cache_ = std::make_unique<FormCache>(outputs_, cached_floats / outputs_);
}

void CharacterEncoder::add_convolution(const Tensors& tensors, const std::string& prefix,
                                       const Tensor& embedding) {
    const Tensor& filters = tensors.get(prefix + "convolution.weight", {0, embedding.size(1), 0});
    outputs_ = filters.size(0);
    width_ = filters.size(2);
    if (width_ % 2 == 0)
        throw std::invalid_argument("the width of " + prefix + "convolution.weight is " +
                                    std::to_string(width_) + ", expected an odd number");
    bias_ = tensors.get(prefix + "convolution.bias", {outputs_}).values;
    const std::size_t size = embedding.size(1);
    table_.resize(character_count_, width_ * outputs_);
    for (std::size_t character = 0; character < character_count_; ++character) {
        const float* vector = embedding.values.data() + character * size;
        for (std::size_t offset = 0; offset < width_; ++offset) {
            for (std::size_t filter = 0; filter < outputs_; ++filter) {
                const float* weights = filters.values.data() + filter * size * width_ + offset;
                float sum = 0;
                for (std::size_t i = 0; i < size; ++i)
                    sum += vector[i] * weights[i * width_];
                table_.row(character)[offset * outputs_ + filter] = sum;
            }
        }
    }
}

void CharacterEncoder::encode(std::span<const std::uint32_t> characters, Starts forms, float* out,
                              std::size_t out_stride, CharacterMemory& memory) const {
    const std::size_t tokens = forms.size() - 1;
    for (const std::uint32_t character : characters)
        if (character >= character_count_)
            throw std::invalid_argument("there is no character " + std::to_string(character) +
                                        ", expected a number below " +
                                        std::to_string(character_count_));
    std::unordered_map<std::string_view, std::uint32_t> distinct;
    memory.of_token.resize(tokens);
    memory.first_of.clear();
    for (std::uint32_t token = 0; token < tokens; ++token) {
        const auto [entry, is_new] = distinct.try_emplace(
            key_of(characters, forms, token), static_cast<std::uint32_t>(memory.first_of.size()));
        if (is_new)
            memory.first_of.push_back(token);
        memory.of_token[token] = entry->second;
    }
    memory.vectors.resize(memory.first_of.size(), outputs_);
    memory.missing.clear();
    for (std::uint32_t form = 0; form < memory.first_of.size(); ++form)
        if (!cache_->find(key_of(characters, forms, memory.first_of[form]),
                          memory.vectors.row(form)))
            memory.missing.push_back(form);
    if (!memory.missing.empty())
        compute(characters, forms, memory);
    for (std::size_t token = 0; token < tokens; ++token)
        std::copy_n(memory.vectors.row(memory.of_token[token]), outputs_, out + token * out_stride);
}

void CharacterEncoder::compute(std::span<const std::uint32_t> characters, Starts forms,
                               CharacterMemory& memory) const {
    memory.characters.clear();
    memory.starts.assign(1, 0);
    for (const std::uint32_t form : memory.missing) {
        const std::uint32_t token = memory.first_of[form];
        const auto own = characters.subspan(forms[token], forms[token + 1] - forms[token]);
        memory.characters.push_back(start_character);
        memory.characters.insert(memory.characters.end(), own.begin(), own.end());
        memory.characters.push_back(stop_character);
        memory.starts.push_back(static_cast<std::uint32_t>(memory.characters.size()));
    }
    if (lstm_)
        lstm_->run_to_end({&table_, memory.characters}, memory.starts, memory.computed,
                          memory.lstm);
    else
        convolve(memory);
    for (std::size_t i = 0; i < memory.missing.size(); ++i) {
        const std::uint32_t form = memory.missing[i];
        std::copy_n(memory.computed.row(i), outputs_, memory.vectors.row(form));
        cache_->add(key_of(characters, forms, memory.first_of[form]), memory.computed.row(i));
    }
}

void CharacterEncoder::convolve(CharacterMemory& memory) const {
    const Kernels& machine = kernels();
    memory.computed.resize(memory.starts.size() - 1, outputs_);
    memory.computed.fill(0);  // ReLU: nothing is below 0
    memory.sums.resize(1, outputs_);
    std::vector<const float*> rows;
    for (std::size_t form = 0; form + 1 < memory.starts.size(); ++form) {
        const std::size_t begin = memory.starts[form], end = memory.starts[form + 1];
        for (std::size_t middle = begin; middle < end; ++middle) {
            rows.assign(1, bias_.data());
            for (std::size_t offset = 0; offset < width_; ++offset) {
                const std::size_t place = middle + offset;  // plus half of the width
                if (place >= begin + width_ / 2 && place < end + width_ / 2)
                    rows.push_back(table_.row(memory.characters[place - width_ / 2]) +
                                   offset * outputs_);
            }
            machine.sum_rows(rows.data(), rows.size(), memory.sums.data(), outputs_);
            machine.keep_largest(memory.sums.data(), memory.computed.row(form), outputs_);
        }
    }
}

}  // namespace crossbranch::neural

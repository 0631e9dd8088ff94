#include "neural/characters.hpp"

#include <stdexcept>

namespace crossbranch::neural {

namespace {

constexpr std::size_t cached_floats = std::size_t{1} << 21U;  // 8 MB in each half of the cache

std::span<const std::uint32_t> spelling(const TokenForms& forms, std::size_t form) {
    return forms.characters.subspan(forms.starts[form],
                                    forms.starts[form + 1] - forms.starts[form]);
}

std::string_view key_of(const TokenForms& forms, std::size_t form) {
    const auto characters = spelling(forms, form);
    return {reinterpret_cast<const char*>(characters.data()), characters.size_bytes()};
}

}  // namespace

CharacterEncoder::CharacterEncoder(const Tensors& tensors, const std::string& prefix) {
    const Tensor& embedding = tensors.get(prefix + "embedding.weight", {0, 0});
    character_count_ = embedding.size(0);
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

void CharacterEncoder::check(const TokenForms& forms) const {
    if (forms.starts.empty() || forms.starts.front() != 0 ||
        forms.starts.back() != forms.characters.size())
        throw std::invalid_argument("the lengths of forms do not fit the number of characters");
    for (std::size_t i = 0; i + 1 < forms.starts.size(); ++i)
        if (forms.starts[i] >= forms.starts[i + 1])
            throw std::invalid_argument("form " + std::to_string(i) + " has no characters");
    const auto demand = [](const char* name, std::uint32_t found, std::size_t count) {
        if (found >= count)
            throw std::invalid_argument("there is no " + std::string(name) + " " +
                                        std::to_string(found) + ", expected a number below " +
                                        std::to_string(count));
    };
    for (const std::uint32_t form : forms.of_tokens)
        demand("form", form, forms.starts.size() - 1);
    for (const std::uint32_t character : forms.characters)
        demand("character", character, character_count_);
}

void CharacterEncoder::encode(const TokenForms& forms, float* out, std::size_t out_stride,
                              CharacterMemory& memory) const {
    if (memory.row_of.size() < forms.starts.size())
        memory.row_of.resize(forms.starts.size(), -1);
    memory.used.clear();
    for (const std::uint32_t form : forms.of_tokens) {
        if (memory.row_of[form] < 0) {
            memory.row_of[form] = static_cast<std::int32_t>(memory.used.size());
            memory.used.push_back(form);
        }
    }
    memory.vectors.resize(memory.used.size(), outputs_);
    memory.missing.clear();
    for (std::uint32_t row = 0; row < memory.used.size(); ++row)
        if (!cache_->find(key_of(forms, memory.used[row]), memory.vectors.row(row)))
            memory.missing.push_back(row);
    if (!memory.missing.empty())
        compute(forms, memory);
    for (const std::uint32_t form : forms.of_tokens) {
        const auto row = static_cast<std::size_t>(memory.row_of[form]);
        std::copy_n(memory.vectors.row(row), outputs_, out);
        out += out_stride;
    }
    for (const std::uint32_t form : memory.used)
        memory.row_of[form] = -1;
}

void CharacterEncoder::compute(const TokenForms& forms, CharacterMemory& memory) const {
    memory.characters.clear();
    memory.starts.assign(1, 0);
    for (const std::uint32_t row : memory.missing) {
        const auto own = spelling(forms, memory.used[row]);
        memory.characters.insert(memory.characters.end(), own.begin(), own.end());
        memory.starts.push_back(static_cast<std::uint32_t>(memory.characters.size()));
    }
    if (lstm_)
        lstm_->run_to_end({&table_, memory.characters}, memory.starts, memory.computed,
                          memory.lstm);
    else
        convolve(memory);
    for (std::size_t i = 0; i < memory.missing.size(); ++i) {
        const std::uint32_t row = memory.missing[i];
        std::copy_n(memory.computed.row(i), outputs_, memory.vectors.row(row));
        cache_->add(key_of(forms, memory.used[row]), memory.computed.row(i));
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

// Descriptions and inputs of neural networks, from Python.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "convert.hpp"
#include "neural/encoder.hpp"

namespace crossbranch::bindings {

using Numbers = std::optional<Buffer<std::int32_t>>;

// The tokens of some sentences as Python has them: 32-bit numbers, and lengths instead of starts.
class TokenArrays {
  public:
    TokenArrays(const Buffer<std::int32_t>& lengths, const Numbers& words, const Numbers& tags,
                const Numbers& forms, const Numbers& characters, const Numbers& form_lengths,
                const std::optional<Buffer<float>>& features)
        : sentences_(starts("a sentence", view(lengths))),
          form_starts_(form_lengths ? starts("a form", view(*form_lengths))
                                    : std::vector<std::uint32_t>(1, 0)),
          batch_{sentences_,
                 numbers(words),
                 numbers(tags),
                 {numbers(forms), numbers(characters), form_starts_},
                 features ? view(*features) : std::span<const float>()} {}
    TokenArrays(const TokenArrays&) = delete;
    TokenArrays& operator=(const TokenArrays&) = delete;

    [[nodiscard]] const neural::TokenBatch& batch() const { return batch_; }

  private:
    // Negative numbers become very large ones, which the core refuses.
    static std::span<const std::uint32_t> numbers(const Numbers& given) {
        if (!given)
            return {};
        return {reinterpret_cast<const std::uint32_t*>(given->data()), given->size()};
    }
    static std::vector<std::uint32_t> starts(const std::string& name,
                                             std::span<const std::int32_t> lengths) {
        std::vector<std::uint32_t> found(1, 0);
        found.reserve(lengths.size() + 1);
        for (const std::int32_t length : lengths)
            found.push_back(found.back() +
                            static_cast<std::uint32_t>(to_index(length, "the length of " + name)));
        return found;
    }

    std::vector<std::uint32_t> sentences_, form_starts_;
    neural::TokenBatch batch_;
};

// The name and level of each task.
using TaskLevels = std::vector<std::tuple<std::string, Number>>;

inline neural::Residual to_residual(const std::string& name) {
    if (name == "none")
        return neural::Residual::none;
    if (name == "add")
        return neural::Residual::add;
    if (name == "gated")
        return neural::Residual::gated;
    throw std::invalid_argument("unknown residual connection " + name +
                                ", expected none, add or gated");
}

inline std::vector<neural::Residual> to_residuals(const std::vector<std::string>& names) {
    std::vector<neural::Residual> residuals;
    for (const std::string& name : names)
        residuals.push_back(to_residual(name));
    return residuals;
}

inline std::vector<neural::TaskDescription> to_tasks(const TaskLevels& levels) {
    std::vector<neural::TaskDescription> tasks;
    for (const auto& [name, level] : levels)
        tasks.push_back({name, to_index(level, "the level of " + name)});
    return tasks;
}

}  // namespace crossbranch::bindings

// The sentences of a batch in pieces, each for one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "neural/encoder.hpp"

namespace crossbranch::neural {

// Sentences that are parsed together. Products need some rows to be fast, and everything should
// stay in the cache.
inline constexpr std::size_t piece_sentences = 32;
inline constexpr std::size_t piece_tokens = 1024;

// The tokens of some sentences of a batch, as a batch of their own.
struct Selection {
    std::vector<std::uint32_t> sentences, words, tags, forms;
    std::vector<float> features;

    TokenBatch select(const TokenBatch& batch, std::span<const std::uint32_t> chosen) {
        sentences.assign(1, 0);
        words.clear();
        tags.clear();
        forms.clear();
        features.clear();
        const std::size_t width = batch.features.size() / batch.sentences.back();
        for (const std::uint32_t i : chosen) {
            const std::size_t begin = batch.sentences[i];
            const std::size_t size = batch.sentences[i + 1] - begin;
            sentences.push_back(sentences.back() + static_cast<std::uint32_t>(size));
            add(batch.words, begin, size, words);
            add(batch.tags, begin, size, tags);
            add(batch.forms.of_tokens, begin, size, forms);
            add(batch.features, begin * width, size * width, features);
        }
        return {
            sentences, words, tags, {forms, batch.forms.characters, batch.forms.starts}, features};
    }

  private:
    template <typename Value>
    static void add(std::span<const Value> all, std::size_t begin, std::size_t size,
                    std::vector<Value>& target) {
        if (all.empty())
            return;
        const auto part = all.subspan(begin, size);
        target.insert(target.end(), part.begin(), part.end());
    }
};

// Pieces of sentences of similar lengths, which take their steps together.
inline std::vector<std::vector<std::uint32_t>> cut(Starts starts) {
    std::vector<std::uint32_t> order(starts.size() - 1);
    std::iota(order.begin(), order.end(), 0U);
    const auto length = [&](std::uint32_t i) { return starts[i + 1] - starts[i]; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return length(a) > length(b); });
    std::vector<std::vector<std::uint32_t>> pieces;
    std::size_t tokens = 0;
    for (const std::uint32_t sentence : order) {
        if (pieces.empty() || pieces.back().size() == piece_sentences ||
            tokens + length(sentence) > piece_tokens) {
            pieces.emplace_back();
            tokens = 0;
        }
        pieces.back().push_back(sentence);
        tokens += length(sentence);
    }
    return pieces;
}

// Copies the best classes of each task from a piece to their places in the batch.
inline void copy_classes(const Encoder& encoder, const EncoderMemory& memory, Starts piece,
                         Starts batch, std::span<const std::uint32_t> sentences,
                         std::vector<std::vector<std::uint32_t>>& classes) {
    for (std::size_t task = 0; task < classes.size(); ++task) {
        const auto best = encoder.best_classes(task, memory);
        for (std::size_t i = 0; i < sentences.size(); ++i)
            std::copy(best.begin() + piece[i], best.begin() + piece[i + 1],
                      classes[task].begin() + batch[sentences[i]]);
    }
}

}  // namespace crossbranch::neural

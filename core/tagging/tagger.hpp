// The tagger finds the best tags of sentences with a linear model.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "linear/weights.hpp"
#include "tagging/search.hpp"
#include "tagging/templates.hpp"

namespace crossbranch {

inline constexpr std::size_t most_tags = 4096;
inline constexpr std::size_t widest_beam = 1024;

// Throw std::invalid_argument for numbers outside these limits, and for offsets of sentences that
// do not fit the token table.
void check_tagging(std::size_t tag_count, std::size_t beam);
void check_sentences(std::size_t cell_count, std::size_t columns,
                     std::span<const std::size_t> offsets);

class Tagger {
  public:
    Tagger(std::shared_ptr<const TagTemplates> templates, std::shared_ptr<const Weights> weights,
           std::size_t beam);

    // The tags of all tokens. Sentence i has the tokens offsets[i] up to offsets[i + 1]. The result
    // is the same for any number of threads.
    [[nodiscard]] std::vector<Tag> tag(std::span<const std::uint32_t> rows,
                                       std::span<const std::size_t> offsets,
                                       std::size_t threads) const;

  private:
    std::shared_ptr<const TagTemplates> templates_;
    std::shared_ptr<const Weights> weights_;
    std::size_t beam_;
};

}  // namespace crossbranch

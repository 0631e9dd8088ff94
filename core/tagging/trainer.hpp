// The averaged structured perceptron (Collins 2002) for tags.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "linear/learned_weights.hpp"
#include "linear/weights.hpp"
#include "tagging/search.hpp"
#include "tagging/templates.hpp"

namespace crossbranch {

struct TagTrainerOptions {
    std::size_t beam = 4;
    std::int32_t margin = 0;  // bonus of wrong tags during learning
    std::size_t batch = 4;    // sentences that see the same weights
};

class TagTrainer {
  public:
    TagTrainer(std::shared_ptr<const TagTemplates> templates, std::size_t tag_count,
               const TagTrainerOptions& options);
    TagTrainer(const TagTrainer&) = delete;  // searches point at the weights
    TagTrainer& operator=(const TagTrainer&) = delete;

    // Learns from sentences in this order. When the right tags fall off the beam, they are put back
    // on it (LaSO, Daumé & Marcu 2005). The result depends on the size of batches, but not on the
    // number of threads. Returns the number of sentences that changed the weights.
    std::size_t train(std::span<const std::uint32_t> rows, std::span<const std::size_t> offsets,
                      std::span<const Tag> tags, std::size_t threads);

    [[nodiscard]] Weights average(double prune) const;

  private:
    using Search = TagSearch<LearnedWeights>;
    struct Change {
        Feature feature;
        Tag tag;
        std::int32_t amount;
    };

    using Changes = std::vector<Change>;

    void check(std::size_t cell_count, std::span<const std::size_t> offsets,
               std::span<const Tag> tags) const;
    void learn(std::span<const std::uint32_t> rows, std::span<const Tag> tags, Search& search,
               Changes& changes) const;

    std::shared_ptr<const TagTemplates> templates_;
    std::size_t tag_count_;
    TagTrainerOptions options_;
    LearnedWeights weights_;
    std::vector<std::unique_ptr<Search>> searches_;  // one for each thread
    std::vector<Changes> changes_;                   // one for each sentence of a batch
    std::int64_t time_ = 0;                          // sentences seen so far
};

}  // namespace crossbranch

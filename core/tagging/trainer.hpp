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
    std::size_t sources = 0;  // sources of sentences, which have weights of their own
};

// The weights of all sentences, plus those of one source (Daumé 2007).
class AddedWeights {
  public:
    struct Handle {
        LearnedWeights::Handle all;
        LearnedWeights::Handle own;
    };

    explicit AddedWeights(const LearnedWeights& all) : all_(&all), own_(nullptr) {}
    void choose(const LearnedWeights* own) { own_ = own; }

    void prefetch(Feature feature) const {
        all_->prefetch(feature);
        if (own_ != nullptr)
            own_->prefetch(feature);
    }
    [[nodiscard]] Handle approach(Feature feature) const {
        return {all_->approach(feature), own_ == nullptr ? 0 : own_->approach(feature)};
    }
    [[nodiscard]] Handle resolve(Feature, Handle handle) const { return handle; }
    void add(Handle handle, std::int32_t* scores) const {
        all_->add(handle.all, scores);
        if (own_ != nullptr)
            own_->add(handle.own, scores);
    }

  private:
    const LearnedWeights* all_;
    const LearnedWeights* own_;
};

class TagTrainer {
  public:
    TagTrainer(std::shared_ptr<const TagTemplates> templates, std::size_t tag_count,
               const TagTrainerOptions& options);
    TagTrainer(const TagTrainer&) = delete;  // searches point at the weights
    TagTrainer& operator=(const TagTrainer&) = delete;

    // Learns from sentences in this order. When the right tags fall off the beam, they are put back
    // on it (LaSO, Daumé & Marcu 2005). The result depends on the size of batches, but not on the
    // number of threads. `sources` is the source of each sentence, if there are several. Returns
    // the number of sentences that changed the weights.
    std::size_t train(std::span<const std::uint32_t> rows, std::span<const std::size_t> offsets,
                      std::span<const Tag> tags, std::size_t threads,
                      std::span<const std::size_t> sources = {});

    // The averaged weights for one source; with `others`, the mean of all.
    [[nodiscard]] Weights average(double prune, std::size_t source = 0,
                                  std::span<const TagTrainer* const> others = {}) const;

  private:
    using Search = TagSearch<AddedWeights>;
    struct Worker {
        Worker(const TagTemplates& templates, const LearnedWeights& all, std::size_t tag_count,
               std::size_t beam)
            : weights(all), search(templates, weights, tag_count, beam) {}
        AddedWeights weights;
        Search search;
    };
    struct Change {
        Feature feature;
        Tag tag;
        std::int32_t amount;
    };

    using Changes = std::vector<Change>;

    void check(std::size_t cell_count, std::span<const std::size_t> offsets,
               std::span<const Tag> tags, std::span<const std::size_t> sources) const;
    void learn(std::span<const std::uint32_t> rows, std::span<const Tag> tags, Search& search,
               Changes& changes) const;

    std::shared_ptr<const TagTemplates> templates_;
    std::size_t tag_count_;
    TagTrainerOptions options_;
    LearnedWeights weights_;
    std::vector<LearnedWeights> own_;               // of each source
    std::vector<std::unique_ptr<Worker>> workers_;  // one for each thread
    std::vector<Changes> changes_;                  // one for each sentence of a batch
    std::int64_t time_ = 0;                         // sentences seen so far
};

}  // namespace crossbranch

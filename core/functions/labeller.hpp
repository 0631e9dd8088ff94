// The labeller of functions: from trees to the functions of their vertices and the heads of nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "functions/child_rows.hpp"
#include "functions/head_rules.hpp"
#include "linear/weights.hpp"
#include "tagging/templates.hpp"

namespace crossbranch {

// Trees in postfix form and their token tables: tree i has the codes from code_offsets[i] up to
// code_offsets[i + 1], and the tokens from token_offsets[i] up to token_offsets[i + 1].
struct TreeBatch {
    std::span<const std::int32_t> codes;
    std::span<const std::size_t> code_offsets;
    std::span<const std::uint32_t> tokens;
    std::span<const std::size_t> token_offsets;

    [[nodiscard]] std::size_t size() const { return code_offsets.size() - 1; }
    [[nodiscard]] std::span<const std::int32_t> codes_of(std::size_t tree) const;
    [[nodiscard]] std::span<const std::uint32_t> tokens_of(std::size_t tree) const;
    [[nodiscard]] std::size_t node_count(std::size_t tree) const;

    // Throws std::invalid_argument for offsets that do not fit.
    void check() const;
};

// The sequences that a tagger learns from: the children of all nodes.
struct ChildSequences {
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> offsets;
    std::vector<Tag> functions;
};

struct Labelled {
    std::vector<Tag> functions;       // of each tree: of its tokens, then of its nodes
    std::vector<std::int32_t> heads;  // of all nodes: the position of the head, or -1
};

class FunctionLabeller {
  public:
    // Without weights, functions stay empty and only heads are found. `empty` is the number of the
    // empty function, which roots have, and tokens if they have no functions. Throws
    // std::invalid_argument for parts that do not fit each other.
    FunctionLabeller(std::shared_ptr<const HeadRules> rules,
                     std::shared_ptr<const TagTemplates> templates,
                     std::shared_ptr<const Weights> weights, std::size_t beam, bool of_tokens,
                     Tag empty);

    // Nodes are labelled from the root down, so that a node's function is known when its children
    // get theirs. The result is the same for any number of threads.
    [[nodiscard]] Labelled label(const TreeBatch& batch, std::size_t threads) const;

    // The sequences of trees whose functions are known, in the order of `Labelled::functions`.
    [[nodiscard]] ChildSequences sequences(const TreeBatch& batch,
                                           std::span<const Tag> functions) const;

  private:
    std::shared_ptr<const HeadRules> rules_;
    std::shared_ptr<const TagTemplates> templates_;
    std::shared_ptr<const Weights> weights_;
    std::size_t beam_;
    bool of_tokens_;
    Tag empty_;
};

}  // namespace crossbranch

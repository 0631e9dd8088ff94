#include "functions/labeller.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/parallel.hpp"
#include "tagging/search.hpp"
#include "tagging/tagger.hpp"

namespace crossbranch {

namespace {

using Search = TagSearch<Weights>;

void check_offsets(std::span<const std::size_t> offsets, std::size_t size) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != size ||
        !std::ranges::is_sorted(offsets))
        throw std::invalid_argument("trees follow each other and hold all numbers");
}

// The functions of the best sequence.
void find_best(Search& search, const ChildRows& rows, std::span<Tag> functions) {
    search.reset(rows.cells());
    while (!search.is_done())
        search.advance();
    std::int32_t at = search.number_of(0);
    for (std::size_t i = rows.members().size(); i-- > 0;) {
        functions[rows.members()[i]] = search.item(at).tag;
        at = search.item(at).before;
    }
}

// Calls visit(node) for all nodes, parents first.
template <typename Visit>
void from_the_root(const HeadedTree& tree, Visit visit) {
    for (auto node = static_cast<std::uint32_t>(tree.size()); node-- > tree.token_count();)
        visit(node);
}

// What one thread needs.
struct Worker {
    HeadedTree tree;
    ChildRows rows;
    std::unique_ptr<Search> search;
};

}  // namespace

std::span<const std::int32_t> TreeBatch::codes_of(std::size_t tree) const {
    return codes.subspan(code_offsets[tree], code_offsets[tree + 1] - code_offsets[tree]);
}

std::span<const std::uint32_t> TreeBatch::tokens_of(std::size_t tree) const {
    return tokens.subspan(token_offsets[tree] * token_columns,
                          (token_offsets[tree + 1] - token_offsets[tree]) * token_columns);
}

std::size_t TreeBatch::node_count(std::size_t tree) const {
    const auto found = codes_of(tree);
    return static_cast<std::size_t>(
        std::ranges::count_if(found, [](std::int32_t code) { return code < 0; }));
}

void TreeBatch::check() const {
    check_offsets(code_offsets, codes.size());
    if (tokens.size() % token_columns != 0 || token_offsets.size() != code_offsets.size())
        throw std::invalid_argument("every tree has a token table");
    check_offsets(token_offsets, tokens.size() / token_columns);
}

FunctionLabeller::FunctionLabeller(std::shared_ptr<const HeadRules> rules,
                                   std::shared_ptr<const TagTemplates> templates,
                                   std::shared_ptr<const Weights> weights, std::size_t beam,
                                   bool of_tokens, Tag empty)
    : rules_(std::move(rules)),
      templates_(std::move(templates)),
      weights_(std::move(weights)),
      beam_(beam),
      of_tokens_(of_tokens),
      empty_(empty) {
    check_tagging(rules_->function_count(), beam_);
    if (empty_ >= rules_->function_count())
        throw std::invalid_argument("a function that is not there");
    if (templates_->column_count() != child_columns.size())
        throw std::invalid_argument("templates look at the columns of children");
    if (weights_ && weights_->transition_count() != rules_->function_count())
        throw std::invalid_argument("weights of other functions");
}

Labelled FunctionLabeller::label(const TreeBatch& batch, std::size_t threads) const {
    batch.check();
    std::vector<std::size_t> nodes(1, 0);
    for (std::size_t tree = 0; tree < batch.size(); ++tree)
        nodes.push_back(nodes.back() + batch.node_count(tree));
    Labelled found{std::vector<Tag>(batch.token_offsets.back() + nodes.back(), empty_),
                   std::vector<std::int32_t>(nodes.back(), -1)};
    threads = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(batch.size(), 1));
    std::vector<Worker> workers;
    for (std::size_t i = 0; i < threads; ++i) {
        Worker& made = workers.emplace_back(Worker{{}, ChildRows(of_tokens_), nullptr});
        if (weights_)
            made.search = std::make_unique<Search>(*templates_, *weights_,
                                                   weights_->transition_count(), beam_);
    }
    for_each_piece(batch.size(), threads, [&](std::size_t worker, std::size_t piece) {
        auto& [tree, rows, search] = workers[worker];
        tree.read(batch.codes_of(piece), batch.tokens_of(piece), *rules_, empty_);
        const auto functions = std::span(found.functions)
                                   .subspan(batch.token_offsets[piece] + nodes[piece], tree.size());
        from_the_root(tree, [&](std::uint32_t node) {
            if (search) {
                rows.make(tree, node, functions[node]);
                find_best(*search, rows, functions);
            }
            found.heads[nodes[piece] + node - tree.token_count()] =
                tree.find_head(node, *rules_, functions);
        });
    });
    return found;
}

ChildSequences FunctionLabeller::sequences(const TreeBatch& batch,
                                           std::span<const Tag> functions) const {
    batch.check();
    ChildSequences found;
    found.offsets.push_back(0);
    HeadedTree tree;
    ChildRows rows(of_tokens_);
    std::size_t start = 0;
    for (std::size_t piece = 0; piece < batch.size(); ++piece) {
        tree.read(batch.codes_of(piece), batch.tokens_of(piece), *rules_, empty_);
        if (functions.size() < start + tree.size())
            throw std::invalid_argument("every vertex has a function");
        const auto known = functions.subspan(start, tree.size());
        start += tree.size();
        from_the_root(tree, [&](std::uint32_t node) {
            rows.make(tree, node, known[node]);
            if (rows.members().empty())
                return;
            found.rows.insert(found.rows.end(), rows.cells().begin(), rows.cells().end());
            for (const std::uint32_t member : rows.members())
                found.functions.push_back(known[member]);
            found.offsets.push_back(found.functions.size());
        });
    }
    if (functions.size() != start)
        throw std::invalid_argument("every vertex has a function");
    return found;
}

}  // namespace crossbranch

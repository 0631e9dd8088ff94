#include "linear/beam_parser.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/parallel.hpp"

namespace crossbranch {

BeamParser::BeamParser(std::shared_ptr<const System> system,
                       std::shared_ptr<const Templates> templates,
                       std::shared_ptr<const Weights> weights, Stop stop)
    : system_(std::move(system)),
      templates_(std::move(templates)),
      weights_(std::move(weights)),
      stop_(stop) {
    if (weights_->transition_count() != system_->transitions().size())
        throw std::invalid_argument(
            "weights are for " + std::to_string(weights_->transition_count()) +
            " transitions, expected " + std::to_string(system_->transitions().size()));
}

std::vector<std::vector<Parse>> BeamParser::parse(std::span<const std::uint32_t> rows,
                                                  std::span<const std::size_t> offsets,
                                                  const ParseOptions& options) const {
    const std::size_t columns = templates_->column_count();
    const std::size_t count = offsets.empty() ? 0 : offsets.size() - 1;
    for (std::size_t i = 0; i < count; ++i)
        if (offsets[i] >= offsets[i + 1] || offsets[i + 1] > rows.size() / columns)
            throw std::invalid_argument(
                "a sentence has at least one token, all of them in the table");
    if (options.beam < 1 || options.k_best < 1)
        throw std::invalid_argument("a beam has at least one item, and so have the best parses");
    std::vector<std::vector<Parse>> results(count);
    const std::size_t threads =
        std::clamp<std::size_t>(options.threads, 1, std::max<std::size_t>(count, 1));
    std::vector<Beam<Weights>> beams;
    for (std::size_t i = 0; i < threads; ++i)
        beams.emplace_back(*system_, *templates_, *weights_, stop_);
    for_each_piece(count, threads, [&](std::size_t worker, std::size_t piece) {
        Beam<Weights>& beam = beams[worker];
        beam.reset(
            rows.subspan(offsets[piece] * columns, (offsets[piece + 1] - offsets[piece]) * columns),
            options.beam, false);
        while (!beam.is_done())
            beam.advance();
        for (const BeamItem& item : beam.current())
            if (system_->is_whole(beam.forest(), item.at) && results[piece].size() < options.k_best)
                results[piece].push_back({static_cast<double>(item.score) / weights_->scale(),
                                          encode(beam.forest(), item.at.focus)});
    });
    return results;
}

TracedParse BeamParser::trace(std::span<const std::uint32_t> rows, std::size_t beam) const {
    if (rows.empty() || rows.size() % templates_->column_count() != 0)
        throw std::invalid_argument("a sentence has at least one token, and whole rows");
    if (beam < 1)
        throw std::invalid_argument("a beam has at least one item");
    Beam<Weights> search(*system_, *templates_, *weights_, stop_);
    search.reset(rows, beam);
    while (!search.is_done())
        search.advance();
    TracedParse found{static_cast<double>(search.item(search.first()).score) / weights_->scale(),
                      search.trace(search.first())};
    for (TracedStep& step : found.steps)
        for (auto& [transition, score] : step.legal)
            score /= weights_->scale();
    return found;
}

}  // namespace crossbranch

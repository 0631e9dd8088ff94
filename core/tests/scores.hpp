// Scores without any cache, and weights for features that occur.
#pragma once

#include <memory>
#include <vector>

#include "linear/beam.hpp"
#include "linear/learned_weights.hpp"
#include "linear/weights.hpp"
#include "walks.hpp"

namespace walks {

// What some features add up to, for every transition.
template <typename WeightsType>
std::vector<std::int32_t> scores_of(const WeightsType& weights,
                                    const std::vector<Feature>& features,
                                    std::size_t transition_count) {
    std::vector<std::int32_t> scores(transition_count);
    for (const Feature feature : features) {
        weights.prefetch(feature);
        if (!weights.expect(feature))
            continue;
        weights.add(weights.resolve(feature, weights.approach(feature)), scores.data());
    }
    return scores;
}

// The features of some items, one group after the other.
inline std::vector<Feature> features_of(const Templates& templates, Label label_count,
                                        std::span<const std::uint32_t> rows, const Items& items,
                                        const Forest& forest) {
    FeatureReader reader(templates, label_count);
    reader.reset(rows);
    reader.catch_up(forest);
    std::vector<Feature> features;
    for (const TemplateGroup& group : templates.groups())
        reader.extract(group, items, forest, features);
    return features;
}

// The feature of a token with these values, for a single template that looks at one item.
inline Feature feature_of(const Templates& templates, std::span<const std::uint32_t> row) {
    Forest forest;
    forest.reset(1);
    Items items;
    items.fill(no_vertex);
    items[templates.groups().at(0).slots.at(0)] = 0;
    return features_of(templates, 0, row, items, forest).at(0);
}

// Templates that look at one item, two, and many; at tokens, children, gaps and separators.
inline std::shared_ptr<const Templates> some_templates(std::string_view system) {
    const auto item = [](int slot, int place = at_head, int column = 0, int steps = no_step) {
        return Atom{static_cast<std::uint8_t>(slot), static_cast<std::uint8_t>(steps),
                    static_cast<std::uint8_t>(place), static_cast<std::uint8_t>(column)};
    };
    const auto label = [&](int slot, int steps = no_step) {
        return item(slot, 0, own_label, steps);
    };
    const std::vector<Template> templates = {
        {item(slot_queue), item(slot_queue + 1, at_head, 1)},
        {item(slot_queue + 2)},
        {label(slot_focus), item(slot_focus)},
        {label(slot_stack), item(slot_stack)},
        {label(slot_stack + 1), item(slot_stack + 1)},
        {label(slot_focus), label(slot_stack)},
        {label(slot_stack), label(slot_focus)},
        {label(slot_focus), label(slot_stack + 1)},
        {label(slot_stack), label(slot_stack + 1)},
        {item(slot_focus), item(slot_queue, at_head, 1)},
        {label(slot_focus), label(slot_stack), label(slot_stack + 1)},
        {label(slot_stack + 2), label(slot_stack), item(slot_queue + 3), label(slot_focus)},
        {label(slot_aside), item(slot_aside + 1)},
        {item(slot_focus, 0, own_gap_type), item(slot_stack, 0, own_gap_length)},
        {item(slot_stack, gap_first, 1), item(slot_focus, at_first)},
        {label(slot_focus, to_left), label(slot_focus, to_right << 2 | to_left)},
        {{slot_pair, 0, 0, pair_separators}, {slot_pair, 0, 0, pair_separator}},
    };
    return std::make_shared<Templates>(templates, 3, 2, is_gap(system));
}

// Goes through sentences with a beam, again and again, and gives random weights to all features of
// all configurations there.
inline void learn_at_random(LearnedWeights& weights, const System& system,
                            const Templates& templates,
                            const std::vector<std::vector<std::uint32_t>>& sentences,
                            std::mt19937_64& random, int rounds = 3) {
    std::int64_t time = 1;
    std::vector<Feature> features;
    for (int round = 0; round < rounds; ++round) {
        for (const auto& rows : sentences) {
            Beam<LearnedWeights> beam(system, templates, weights);
            beam.reset(rows, 4);
            features.clear();
            while (!beam.is_done()) {
                const std::int32_t first = beam.first();
                const auto last = first + static_cast<std::int32_t>(beam.current().size());
                beam.advance();
                for (std::int32_t item = first; item < last; ++item)
                    beam.extract(item, features);
            }
            for (const Feature feature : features) {
                const auto change = static_cast<std::int32_t>(draw(random, 21)) - 10;
                weights.update(feature,
                               static_cast<TransitionId>(draw(random, system.transitions().size())),
                               change, time);
            }
            ++time;
        }
    }
}

}  // namespace walks

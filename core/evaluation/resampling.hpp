// Resampling for two parsers on the same sentences: how much their F1 depends on chance.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "trees/span.hpp"

namespace crossbranch {

// The counts of one parser, for one sentence or many.
struct Tally {
    std::uint64_t brackets = 0;  // of the gold and the predicted tree together
    std::uint64_t matched = 0;
};

// 2 * matched / brackets; 1 if there are no brackets.
[[nodiscard]] double f1(const Tally& tally);

// The F1 of two parsers in each round.
struct Rounds {
    std::vector<double> one;
    std::vector<double> other;
};

// A random number below the limit, all equally likely. The limit is from 1 to 2^32. The generators
// of the C++ standard are the same on all platforms, but its distributions are not.
[[nodiscard]] Index draw_below(std::mt19937_64& random, Index limit);

// Both take one tally per sentence from each parser. They throw std::invalid_argument if the two
// differ in length, or if a tally has more matches than its brackets allow.

// Each round draws as many sentences as there are, with replacement, the same for both parsers.
[[nodiscard]] Rounds bootstrap(const std::vector<Tally>& one, const std::vector<Tally>& other,
                               Index rounds, std::uint64_t seed);

// Each round exchanges the results of the two parsers on about half of the sentences. Sentence i is
// exchanged if bit i % 64 of the random number i / 64 of the round is set.
[[nodiscard]] Rounds randomization(const std::vector<Tally>& one, const std::vector<Tally>& other,
                                   Index rounds, std::uint64_t seed);

}  // namespace crossbranch

// Two parsers on the same sentences, resampled: what their F1 might as well have been.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "trees/span.hpp"

namespace crossbranch {

// One parser on one sentence, or on many.
struct Tally {
    std::uint64_t brackets = 0;  // of the gold and the predicted tree together
    std::uint64_t matched = 0;
};

// 2 * matched / brackets; 1 where there are no brackets.
[[nodiscard]] double f1(const Tally& tally);

// The F1 of two parsers in each round.
struct Rounds {
    std::vector<double> one;
    std::vector<double> other;
};

// A number below the limit, each as likely as any other; the limit is neither 0 nor above 2^32.
// The standard's distributions differ between platforms, its generators do not.
[[nodiscard]] Index draw_below(std::mt19937_64& random, Index limit);

// Both take one tally per sentence from each parser and throw std::invalid_argument where the two
// differ in length or a tally has more matches than its brackets allow.

// Each round draws as many sentences as there are, with replacement, the same for both parsers.
[[nodiscard]] Rounds bootstrap(const std::vector<Tally>& one, const std::vector<Tally>& other,
                               Index rounds, std::uint64_t seed);

// Each round exchanges the two parsers' results on about half of the sentences. Sentence i is
// exchanged where bit i % 64 of the round's number i / 64 is set.
[[nodiscard]] Rounds randomization(const std::vector<Tally>& one, const std::vector<Tally>& other,
                                   Index rounds, std::uint64_t seed);

}  // namespace crossbranch

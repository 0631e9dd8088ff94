#include "evaluation/resampling.hpp"

#include <stdexcept>
#include <string>

namespace crossbranch {

namespace {

void add(Tally& sum, const Tally& tally) {
    sum.brackets += tally.brackets;
    sum.matched += tally.matched;
}

void check(const std::vector<Tally>& tallies) {
    for (Index sentence = 0; sentence < tallies.size(); ++sentence) {
        const auto& [brackets, matched] = tallies[sentence];
        if (matched > brackets / 2)
            throw std::invalid_argument("sentence " + std::to_string(sentence) + " has " +
                                        std::to_string(matched) + " matches, more than " +
                                        std::to_string(brackets) + " brackets allow");
    }
}

void check(const std::vector<Tally>& one, const std::vector<Tally>& other) {
    if (one.size() != other.size())
        throw std::invalid_argument("the parsers have " + std::to_string(one.size()) + " and " +
                                    std::to_string(other.size()) + " sentences");
    check(one);
    check(other);
}

void keep(Rounds& rounds, const Tally& one, const Tally& other) {
    rounds.one.push_back(f1(one));
    rounds.other.push_back(f1(other));
}

Rounds empty_rounds(Index count) {
    Rounds rounds;
    rounds.one.reserve(count);
    rounds.other.reserve(count);
    return rounds;
}

}  // namespace

double f1(const Tally& tally) {
    if (tally.brackets == 0)
        return 1.0;
    return 2.0 * static_cast<double>(tally.matched) / static_cast<double>(tally.brackets);
}

// Lemire (2019): scale the upper half of the random number, and draw again in the few cases that
// would make some results more likely than others.
Index draw_below(std::mt19937_64& random, Index limit) {
    constexpr std::uint64_t range = std::uint64_t{1} << 32;
    for (;;) {
        const std::uint64_t scaled = (random() >> 32) * limit;
        const std::uint64_t rest = scaled % range;
        if (rest >= limit || rest >= range % limit)
            return static_cast<Index>(scaled / range);
    }
}

Rounds bootstrap(const std::vector<Tally>& one, const std::vector<Tally>& other, Index rounds,
                 std::uint64_t seed) {
    check(one, other);
    std::mt19937_64 random(seed);
    Rounds found = empty_rounds(rounds);
    for (Index round = 0; round < rounds; ++round) {
        Tally sum_one;
        Tally sum_other;
        for (Index drawn = 0; drawn < one.size(); ++drawn) {
            const Index sentence = draw_below(random, one.size());
            add(sum_one, one[sentence]);
            add(sum_other, other[sentence]);
        }
        keep(found, sum_one, sum_other);
    }
    return found;
}

Rounds randomization(const std::vector<Tally>& one, const std::vector<Tally>& other, Index rounds,
                     std::uint64_t seed) {
    check(one, other);
    constexpr Index bits = 64;
    std::mt19937_64 random(seed);
    Rounds found = empty_rounds(rounds);
    for (Index round = 0; round < rounds; ++round) {
        Tally sums[2];
        std::uint64_t exchanges = 0;
        for (Index sentence = 0; sentence < one.size(); ++sentence) {
            exchanges = sentence % bits == 0 ? random() : exchanges >> 1;
            const auto exchanged = static_cast<Index>(exchanges & 1);
            add(sums[exchanged], one[sentence]);
            add(sums[1 - exchanged], other[sentence]);
        }
        keep(found, sums[0], sums[1]);
    }
    return found;
}

}  // namespace crossbranch

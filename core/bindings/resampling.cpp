#include "evaluation/resampling.hpp"

#include "convert.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

using Tallies = std::vector<NumberPair>;
using Resample = Rounds (*)(const std::vector<Tally>&, const std::vector<Tally>&, Index,
                            std::uint64_t);

std::vector<Tally> to_tallies(const Tallies& pairs) {
    std::vector<Tally> tallies;
    tallies.reserve(pairs.size());
    for (const auto& [brackets, matched] : pairs)
        tallies.push_back(
            {to_index(brackets, "a number of brackets"), to_index(matched, "a number of matches")});
    return tallies;
}

template <Resample resample>
std::pair<std::vector<double>, std::vector<double>> run(const Tallies& one, const Tallies& other,
                                                        Number rounds, std::uint64_t seed) {
    const nb::gil_scoped_release others_may_run;
    Rounds found = resample(to_tallies(one), to_tallies(other),
                            to_index(rounds, "the number of rounds"), seed);
    return {std::move(found.one), std::move(found.other)};
}

}  // namespace

void bind_resampling(nb::module_& module) {
    module.def("bootstrap", &run<bootstrap>, "one"_a, "other"_a, "rounds"_a, "seed"_a,
               R"(Draw sentences with replacement, the same for two parsers, and score both.

Args:
    one: For each sentence, the number of brackets in the gold and the predicted tree together, and
        the number of predicted brackets that are right.
    other: The same for the other parser.
    rounds: The number of rounds. Each round draws as many sentences as there are.
    seed: The same seed gives the same figures on every platform.

Returns:
    The F1 of each parser in each round.

Raises:
    ValueError: The parsers have different numbers of sentences, or a number is impossible.)");
    module.def(
        "randomization", &run<randomization>, "one"_a, "other"_a, "rounds"_a, "seed"_a,
        R"(Exchange the results of two parsers on about half of the sentences, and score both.

Arguments, result and errors are those of `bootstrap`.)");
}

}  // namespace crossbranch::bindings

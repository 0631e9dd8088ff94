"""Significance tests: against a slow reference, exact enumeration and simulated parsers."""

import math
from collections.abc import Callable, Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch import _core
from crossbranch.errors import UsageError
from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.significance import (
    Estimate,
    Resampling,
    Significance,
    significance,
    significance_of_means,
)

QUICK = Resampling(rounds=500)

GOLD = (4, 7, 1, 9, 3, 5, 0, 6, 2, 8)
WEAK = [MatchCounts(gold, max(gold - 1, 0), max(gold - 3, 0)) for gold in GOLD]
STRONG = [MatchCounts(gold, gold, max(gold - 1, 0)) for gold in GOLD]


def mersenne_twister(seed: int) -> Iterator[int]:
    """The 64-bit generator, written down from its definition (Nishimura 2000)."""
    mask = (1 << 64) - 1
    state = [seed]
    for i in range(1, 312):
        state.append((6364136223846793005 * (state[-1] ^ state[-1] >> 62) + i) & mask)
    while True:
        for i in range(312):
            mixed = state[i] & ~0x7FFFFFFF | state[(i + 1) % 312] & 0x7FFFFFFF
            state[i] = state[(i + 156) % 312] ^ mixed >> 1 ^ (0xB5026F5AA96619E9 * (mixed & 1))
            word = state[i]
            word ^= word >> 29 & 0x5555555555555555
            word ^= word << 17 & 0x71D67FFFEDA60000
            word ^= word << 37 & 0xFFF7EEE000000000
            yield word ^ word >> 43


def f1_of(tallies: list[tuple[int, int]]) -> float:
    brackets = sum(tally[0] for tally in tallies)
    return 2 * sum(tally[1] for tally in tallies) / brackets if brackets else 1.0


def below(random: Iterator[int], limit: int) -> int:
    while True:
        scaled = (next(random) >> 32) * limit
        if scaled % 2**32 >= 2**32 % limit:
            return scaled >> 32


counts = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)).map(
    lambda three: MatchCounts(three[0], three[1], min(three))
)


def of_the_same_gold(pair: tuple[MatchCounts, MatchCounts]) -> tuple[MatchCounts, MatchCounts]:
    one, other = pair
    return one, MatchCounts(one.gold, other.predicted, min(other.matched, one.gold))


both = st.lists(st.tuples(counts, counts).map(of_the_same_gold), max_size=8)
tallies = st.tuples(st.integers(0, 5), st.integers(0, 9)).map(
    lambda two: (2 * two[0] + two[1], two[0])
)


@given(st.lists(st.tuples(tallies, tallies), min_size=1, max_size=130), st.integers(0, 2**64 - 1))
def test_bootstrap_agrees_with_a_slow_reference(
    pairs: list[tuple[tuple[int, int], tuple[int, int]]], seed: int
) -> None:
    one, other = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    random = mersenne_twister(seed)
    expected = []
    for _ in range(3):
        drawn = [below(random, len(pairs)) for _ in pairs]
        expected.append((f1_of([one[i] for i in drawn]), f1_of([other[i] for i in drawn])))
    assert list(zip(*_core.bootstrap(one, other, 3, seed), strict=True)) == expected


@given(st.lists(st.tuples(tallies, tallies), max_size=130), st.integers(0, 2**64 - 1))
def test_randomization_agrees_with_a_slow_reference(
    pairs: list[tuple[tuple[int, int], tuple[int, int]]], seed: int
) -> None:
    random = mersenne_twister(seed)
    expected = []
    for _ in range(3):
        words = [next(random) for _ in range(math.ceil(len(pairs) / 64))]
        bits = [words[i // 64] >> i % 64 & 1 for i in range(len(pairs))]
        mixed = [pair[::-1] if bit else pair for pair, bit in zip(pairs, bits, strict=True)]
        expected.append((f1_of([pair[0] for pair in mixed]), f1_of([pair[1] for pair in mixed])))
    one, other = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert list(zip(*_core.randomization(one, other, 3, seed), strict=True)) == expected


def test_the_core_refuses_what_cannot_be() -> None:
    for resample in (_core.bootstrap, _core.randomization):
        with pytest.raises(ValueError, match="1 and 0 sentences"):
            resample([(2, 1)], [], 1, 0)
        with pytest.raises(ValueError, match="number of rounds is -1"):
            resample([], [], -1, 0)
        with pytest.raises(ValueError, match="number of brackets is -2"):
            resample([(-2, 1)], [(2, 1)], 1, 0)


def exact_randomization(one: list[MatchCounts], other: list[MatchCounts]) -> float:
    """The share of all exchanges with a difference as large as the observed one."""
    pairs = list(zip(one, other, strict=True))

    def difference(mixed: list[tuple[MatchCounts, MatchCounts]]) -> float:
        first = sum((pair[0] for pair in mixed), MatchCounts())
        second = sum((pair[1] for pair in mixed), MatchCounts())
        return abs(first.f1 - second.f1)

    observed = difference(pairs)
    found = [
        difference([pair[::-1] if bit else pair for pair, bit in zip(pairs, bits, strict=True)])
        for bits in product((False, True), repeat=len(pairs))
    ]
    return sum(value >= observed - 1e-12 for value in found) / len(found)


@pytest.mark.parametrize("seed", range(5))
def test_randomization_agrees_with_all_exchanges(seed: int) -> None:
    random = Random(seed)
    one = [MatchCounts(gold, gold, random.randint(0, gold)) for gold in GOLD]
    other = [MatchCounts(gold, gold + 1, random.randint(0, gold)) for gold in GOLD]
    expected = exact_randomization(one, other)
    found = significance(one, other, Resampling(rounds=40_000)).randomization_p
    assert found == pytest.approx(expected, abs=0.012)  # more than four standard deviations


def test_observed_scores_are_those_of_all_sentences() -> None:
    found = significance(WEAK, STRONG, QUICK)
    assert found.one.value == sum(WEAK, MatchCounts()).f1
    assert found.other.value == sum(STRONG, MatchCounts()).f1
    assert found.difference.value == found.one.value - found.other.value


@given(st.lists(counts, max_size=20))
def test_identical_parsers_do_not_differ(parser: list[MatchCounts]) -> None:
    found = significance(parser, parser, QUICK)
    assert found.difference == Estimate(0, 0, 0)
    assert found.one == found.other
    assert (found.bootstrap_p, found.randomization_p) == (1, 1)


def test_a_clearly_better_parser_has_the_smallest_p_value() -> None:
    one = [MatchCounts(10, 10, 9)] * 100
    other = [MatchCounts(10, 10, 3), MatchCounts(10, 10, 5)] * 50
    found = significance(one, other, Resampling(rounds=999))
    assert found.bootstrap_p == found.randomization_p == 1 / 1000
    assert found.one == Estimate(0.9, 0.9, 0.9)
    assert found.difference.value == pytest.approx(0.5)
    assert 0.4 < found.difference.low < 0.5 < found.difference.high < 0.6


@given(both)
def test_swapping_the_parsers_mirrors_everything(
    pairs: list[tuple[MatchCounts, MatchCounts]],
) -> None:
    one, other = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found, swapped = significance(one, other, QUICK), significance(other, one, QUICK)
    difference = swapped.difference
    assert found == Significance(
        one=swapped.other,
        other=swapped.one,
        difference=Estimate(-difference.value, -difference.high, -difference.low),
        bootstrap_p=swapped.bootstrap_p,
        randomization_p=swapped.randomization_p,
    )


def test_the_seed_decides() -> None:
    assert significance(WEAK, STRONG, QUICK) == significance(WEAK, STRONG, QUICK)
    assert significance(WEAK, STRONG, QUICK) != significance(WEAK, STRONG, Resampling(500, seed=1))


def test_more_confidence_gives_wider_intervals() -> None:
    narrow, wide = (
        significance(WEAK, STRONG, Resampling(confidence=confidence)).difference
        for confidence in (0.5, 0.99)
    )
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


def simulate(random: Random, right: float, gold: int) -> MatchCounts:
    """A sentence whose every predicted bracket is right with the same chance."""
    return MatchCounts(gold, gold, sum(random.random() < right for _ in range(gold)))


def covered(interval: Callable[[Significance], Estimate], true: float) -> float:
    """How often the interval holds the true value, in simulated test sets."""
    hits = 0
    for seed in range(300):
        random = Random(seed)
        golds = [random.randint(1, 12) for _ in range(60)]
        one, other = ([simulate(random, right, g) for g in golds] for right in (0.8, 0.7))
        found = interval(significance(one, other, Resampling(400, seed)))
        hits += found.low <= true <= found.high
    return hits / 300


@pytest.mark.parametrize(
    ("interval", "true"),
    [(lambda s: s.one, 0.8), (lambda s: s.other, 0.7), (lambda s: s.difference, 0.1)],
    ids=["one", "other", "difference"],
)
def test_intervals_cover_the_true_value(
    interval: Callable[[Significance], Estimate], true: float
) -> None:
    assert 0.91 <= covered(interval, true) <= 0.985


def test_p_values_of_equally_good_parsers_are_spread_evenly() -> None:
    found: list[Significance] = []
    for seed in range(300):
        random = Random(seed)
        golds = [random.randint(1, 12) for _ in range(60)]
        one, other = ([simulate(random, 0.75, g) for g in golds] for _ in range(2))
        found.append(significance(one, other, Resampling(400, seed)))
    for p_values in ([s.bootstrap_p for s in found], [s.randomization_p for s in found]):
        assert 0.02 <= sum(p <= 0.05 for p in p_values) / 300 <= 0.09
        assert 0.4 <= sum(p <= 0.5 for p in p_values) / 300 <= 0.6


def test_percentiles() -> None:
    assert Estimate.of(7, [4, 0, 3, 1, 2], 0.5) == Estimate(7, 1, 3)
    assert Estimate.of(7, [0, 10], 0.5) == Estimate(7, 2.5, 7.5)
    assert Estimate.of(7, [5], 0.95) == Estimate(7, 5, 5)


def test_no_sentences() -> None:
    found = significance([], [], QUICK)
    assert found.one == Estimate(1, 1, 1)
    assert found.randomization_p == 1


def test_json_has_percentages_and_full_precision() -> None:
    found = significance(WEAK, STRONG, QUICK)
    shown = found.to_dict()
    assert shown["one"]["value"] == round(100 * found.one.value, 2)
    assert shown["one"]["value_exact"] == found.one.value
    assert shown["difference"]["high_exact"] == found.difference.high
    assert shown["bootstrap_p"] == found.bootstrap_p
    assert shown["randomization_p"] == found.randomization_p


def test_different_gold_is_refused() -> None:
    with pytest.raises(UsageError, match="10 and 9"):
        significance(WEAK, STRONG[1:], QUICK)
    with pytest.raises(UsageError, match="4 and 5 gold brackets in sentence 1"):
        significance(WEAK, [MatchCounts(5, 1, 1), *STRONG[1:]], QUICK)


@pytest.mark.parametrize(
    ("name", "value"),
    [("rounds", 0), ("seed", -1), ("seed", 2**64), ("confidence", 0.0), ("confidence", 1.0)],
)
def test_impossible_resampling_is_refused(name: str, value: float) -> None:
    with pytest.raises(UsageError, match=rf"{name} is {value}"):
        Resampling(**{name: value})  # type: ignore[arg-type]


def test_means_over_seeds_by_a_slow_reference() -> None:
    """Every sentence is exchanged with the results of all seeds, or with none of them."""
    one = [
        [MatchCounts(4, 4, 3), MatchCounts(6, 5, 2)],
        [MatchCounts(4, 3, 3), MatchCounts(6, 6, 4)],
    ]
    other = [
        [MatchCounts(4, 4, 1), MatchCounts(6, 6, 2)],
        [MatchCounts(4, 5, 2), MatchCounts(6, 2, 1)],
    ]

    def mean(runs: list[list[MatchCounts]]) -> float:
        return sum(sum(run, MatchCounts()).f1 for run in runs) / len(runs)

    observed = mean(one) - mean(other)
    differences = []
    for exchanged in product((False, True), repeat=2):
        sides = [
            [
                [(b if exchange else a) for a, b, exchange in zip(*pair, exchanged, strict=True)]
                for pair in zip(first, second, strict=True)
            ]
            for first, second in ((one, other), (other, one))
        ]
        differences.append(mean(sides[0]) - mean(sides[1]))
    exact = sum(abs(found) >= abs(observed) - 1e-12 for found in differences) / len(differences)
    found = significance_of_means(one, other, Resampling(rounds=4000))
    assert found.difference.value == pytest.approx(observed)
    assert found.randomization_p == pytest.approx(exact, abs=0.03)
    assert found.one.low <= found.one.value <= found.one.high


def test_equal_seeds_do_not_make_a_difference_more_certain() -> None:
    alone = significance(STRONG, WEAK, QUICK)
    five = significance_of_means([STRONG] * 5, [WEAK] * 5, QUICK)
    for one, other in ((five.one, alone.one), (five.difference, alone.difference)):
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))
    assert five.bootstrap_p == pytest.approx(alone.bootstrap_p)
    assert five.randomization_p == pytest.approx(alone.randomization_p)


def test_seeds_that_do_not_fit() -> None:
    with pytest.raises(UsageError, match="found parsers with 2 and 0 seeds"):
        significance_of_means([WEAK, WEAK], [], QUICK)
    with pytest.raises(UsageError, match="0 and 0 seeds"):
        significance_of_means([], [], QUICK)
    with pytest.raises(UsageError, match="the same sentences"):
        significance_of_means([WEAK, WEAK[1:]], [STRONG, STRONG[1:]], QUICK)

"""Significance tests: is one parser's F1 really better than another's, or only by chance?

There are two tests for the same sentences parsed by two parsers. The paired bootstrap (Efron &
Tibshirani 1993; Koehn 2004; Berg-Kirkpatrick et al. 2012) draws new test sets from the given
sentences. It gives intervals for the scores and their difference. Its p-value is the share of test
sets whose difference is as far from the observed difference as that is from zero. Approximate
randomization (Noreen 1989; Yeh 2000) exchanges the results of the parsers on random sentences. If
the parsers are equally good, differences as large as the observed one are common.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from statistics import fmean
from typing import Any, Self

from crossbranch import _core
from crossbranch.errors import UsageError
from crossbranch.evaluation.counts import MatchCounts, with_percentages

# Equal differences of shares can differ in their last bits. Differences below this are equal.
_ROUNDING = 1e-12
_SEEDS = 1 << 64


@dataclass(frozen=True, slots=True)
class Resampling:
    """How to resample. The same values give the same results on every machine."""

    rounds: int = 10_000
    seed: int = 0
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise UsageError(f"rounds is {self.rounds}, expected 1 or more")
        if not 0 <= self.seed < _SEEDS:
            raise UsageError(f"seed is {self.seed}, expected at least 0 and less than 2^64")
        if not 0 < self.confidence < 1:
            raise UsageError(
                f"confidence is {self.confidence}, expected more than 0 and less than 1"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return asdict(self)


DEFAULT_RESAMPLING = Resampling()


@dataclass(frozen=True, slots=True)
class Estimate:
    """An observed figure, and the interval of the resampled figures."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, value: float, resampled: Iterable[float], confidence: float) -> Self:
        """Take the interval from the percentiles of the resampled figures."""
        ordered = sorted(resampled)
        tail = (1 - confidence) / 2
        return cls(value, _from_start(ordered, tail), _from_start(ordered[::-1], tail))

    def to_dict(self) -> dict[str, float]:
        """Return the figures for JSON, as percentages and in full precision."""
        return with_percentages({"value": self.value, "low": self.low, "high": self.high})


def _from_start(ordered: Sequence[float], share: float) -> float:
    """Return the figure at a share of the ordered figures, with linear interpolation.

    Percentiles above the median are counted from the end, so that mirrored figures have exactly
    mirrored percentiles.
    """
    place = share * (len(ordered) - 1)
    below = int(place)
    start = ordered[below]
    following = ordered[min(below + 1, len(ordered) - 1)]
    return start + (following - start) * (place - below)


@dataclass(frozen=True, slots=True)
class Significance:
    """The F1 of two parsers, their difference, and the p-values of the difference.

    Both p-values are two-sided. They are never 0: the observed result counts as one more round.
    """

    one: Estimate
    other: Estimate
    difference: Estimate  # one minus other
    bootstrap_p: float
    randomization_p: float

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return {
            "one": self.one.to_dict(),
            "other": self.other.to_dict(),
            "difference": self.difference.to_dict(),
            "bootstrap_p": self.bootstrap_p,
            "randomization_p": self.randomization_p,
        }


def significance(
    one: Sequence[MatchCounts],
    other: Sequence[MatchCounts],
    resampling: Resampling = DEFAULT_RESAMPLING,
) -> Significance:
    """Test whether two parsers differ in F1.

    Args:
        one: The counts of one parser for each sentence: all brackets, or discontinuous ones.
        other: The counts of the other parser, for the same sentences and gold trees.
        resampling: Rounds, seed and confidence.

    Raises:
        UsageError: The sentences or their gold brackets are not the same.
    """
    return significance_of_means([one], [other], resampling)


def significance_of_means(
    one: Sequence[Sequence[MatchCounts]],
    other: Sequence[Sequence[MatchCounts]],
    resampling: Resampling = DEFAULT_RESAMPLING,
) -> Significance:
    """Test whether two kinds of parsers differ in their mean F1 over several seeds.

    A sentence is drawn, or exchanged, with the results of all seeds together. So it counts as one
    observation: its results with several seeds are not independent of each other.

    With as many seeds for both, the first seeds are exchanged with each other, and so on. With
    other numbers, every seed of one parser is exchanged with every seed of the other, so that the
    order of the seeds does not matter.

    Args:
        one: For each seed, the counts of one parser for each sentence.
        other: The same for the other parser.
        resampling: Rounds, seed and confidence.

    Raises:
        UsageError: A parser has no seeds, or the sentences or their gold brackets are not the same.
    """
    if not one or not other:
        raise UsageError(
            f"found parsers with {len(one)} and {len(other)} seeds, expected one or more for both"
        )
    for counts in (*one, *other):
        _check_same_gold(one[0], counts)
    mine, yours = list(map(_tallies, one)), list(map(_tallies, other))
    same = len(mine) == len(yours)
    pairs = list(zip(mine, yours, strict=True) if same else product(mine, yours))
    rounds, seed, confidence = resampling.rounds, resampling.seed, resampling.confidence
    f1, other_f1 = fmean(map(_f1, one)), fmean(map(_f1, other))
    observed = f1 - other_f1
    # The same seed draws and exchanges the same sentences in every call.
    drawn, other_drawn = _means([_core.bootstrap(*pair, rounds, seed) for pair in pairs])
    differences = _differences(drawn, other_drawn)
    exchanged = _means([_core.randomization(*pair, rounds, seed) for pair in pairs])
    return Significance(
        one=Estimate.of(f1, drawn, confidence),
        other=Estimate.of(other_f1, other_drawn, confidence),
        difference=Estimate.of(observed, differences, confidence),
        bootstrap_p=_p_value((found - observed for found in differences), observed, rounds),
        randomization_p=_p_value(_differences(*exchanged), observed, rounds),
    )


def _means(
    runs: Sequence[tuple[Sequence[float], Sequence[float]]],
) -> tuple[Sequence[float], Sequence[float]]:
    """Return the mean F1 of both parsers in each round."""
    if len(runs) == 1:
        return runs[0]
    one, other = zip(*runs, strict=True)
    return list(map(fmean, zip(*one, strict=True))), list(map(fmean, zip(*other, strict=True)))


def _check_same_gold(one: Sequence[MatchCounts], other: Sequence[MatchCounts]) -> None:
    if len(one) != len(other):
        raise UsageError(
            "parsers must be compared on the same sentences, found "
            f"{len(one)} and {len(other)} sentences"
        )
    for number, (mine, yours) in enumerate(zip(one, other, strict=True), 1):
        if mine.gold != yours.gold:
            raise UsageError(
                "parsers must be compared on the same gold trees, found "
                f"{mine.gold} and {yours.gold} gold brackets in sentence {number}"
            )


def _tallies(counts: Iterable[MatchCounts]) -> list[tuple[int, int]]:
    return [(count.gold + count.predicted, count.matched) for count in counts]


def _f1(counts: Sequence[MatchCounts]) -> float:
    return sum(counts, MatchCounts()).f1


def _differences(one: Iterable[float], other: Iterable[float]) -> list[float]:
    return [mine - yours for mine, yours in zip(one, other, strict=True)]


def _p_value(differences: Iterable[float], observed: float, rounds: int) -> float:
    """Return the share of differences that are at least as far from zero as the observed one."""
    least = abs(observed) - _ROUNDING
    return (1 + sum(abs(found) >= least for found in differences)) / (1 + rounds)

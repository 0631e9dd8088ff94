"""Several seeds of one system: means, deviations, and tests against the seeds of another system.

The deviation says how much a figure depends on the seed. The tests say whether a difference of
means would be found on other sentences, too; see `significance_of_means`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, stdev
from typing import Any

from crossbranch.errors import UsageError
from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.evaluation import Evaluation
from crossbranch.evaluation.scores import Column
from crossbranch.evaluation.significance import (
    DEFAULT_RESAMPLING,
    Resampling,
    Significance,
    significance_of_means,
)


@dataclass(frozen=True)
class Spread:
    """The values of one figure for all seeds."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean."""
        return fmean(self.values)

    @property
    def deviation(self) -> float | None:
        """The sample standard deviation; None if there is only one value."""
        return stdev(self.values) if len(self.values) > 1 else None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {"mean": self.mean, "deviation": self.deviation, "values": list(self.values)}


FIGURES: dict[str, Callable[[Column], MatchCounts]] = {
    "f1": lambda column: column.all.brackets,
    "discontinuous_f1": lambda column: column.discontinuous.brackets,
    "exact_match": lambda column: _share(column.all.exact, column.all.sentences),
    "tag_accuracy": lambda column: _share(column.right_tags, column.tags),
}
"""The figures that are tested, as counts whose F1 is the figure. They can be added."""


def _share(part: int, whole: int) -> MatchCounts:
    """Return counts whose F1 is a share."""
    return MatchCounts(whole, whole, part)


@dataclass(frozen=True)
class System:
    """A system: the evaluation of its predictions for each seed."""

    name: str
    seeds: tuple[Evaluation, ...]

    def spreads(self) -> dict[str, Spread]:
        """Return the values of the main figures, as shares between 0 and 1."""
        names = ("f1", "recall", "precision", "exact_match")
        wanted = (*names, *(f"discontinuous_{name}" for name in names), "tag_accuracy")
        return {name: Spread(tuple(getattr(seed, name) for seed in self.seeds)) for name in wanted}

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {name: spread.to_dict() for name, spread in self.spreads().items()}


@dataclass(frozen=True)
class SystemContrast:
    """Two systems, compared on the sentences that count for all seeds of both."""

    one: str
    other: str
    sentences: int
    tests: dict[str, Significance]
    """By figure. All values are means over seeds."""

    @classmethod
    def of(cls, one: System, other: System, resampling: Resampling) -> SystemContrast:
        """Compare two systems."""
        columns = [
            {row.number: row.column for row in seed.sentences}
            for seed in (*one.seeds, *other.seeds)
        ]
        # Sorted, so that the tests draw the same sentences whichever system comes first.
        shared = sorted(set.intersection(*map(set, columns)))
        tests = {}
        for figure, counts_of in FIGURES.items():
            counts = [[counts_of(found[number]) for number in shared] for found in columns]
            mine, yours = counts[: len(one.seeds)], counts[len(one.seeds) :]
            tests[figure] = significance_of_means(mine, yours, resampling)
        return cls(one.name, other.name, len(shared), tests)

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return {
            "one": self.one,
            "other": self.other,
            "sentences": self.sentences,
            "tests": {figure: test.to_dict() for figure, test in self.tests.items()},
        }


@dataclass(frozen=True)
class SystemComparison:
    """All systems, and all pairs of them."""

    systems: tuple[System, ...]
    contrasts: tuple[SystemContrast, ...]
    resampling: Resampling

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON. Figures are shares between 0 and 1."""
        return {
            "systems": {system.name: system.to_dict() for system in self.systems},
            "resampling": self.resampling.to_dict(),
            "pairs": [contrast.to_dict() for contrast in self.contrasts],
        }


def compare_systems(
    systems: Sequence[System], resampling: Resampling = DEFAULT_RESAMPLING
) -> SystemComparison:
    """Compare systems, each with one or more seeds, on one gold treebank.

    Raises:
        UsageError: A name occurs twice, a system has no seeds, or gold trees differ.
    """
    names = [system.name for system in systems]
    if len(set(names)) < len(names):
        raise UsageError(f"the systems need different names, found {', '.join(names)}")
    for system in systems:
        if not system.seeds:
            raise UsageError(f"the system {system.name} has no seeds, expected one or more")
    contrasts = [SystemContrast.of(*pair, resampling) for pair in combinations(systems, 2)]
    return SystemComparison(tuple(systems), tuple(contrasts), resampling)

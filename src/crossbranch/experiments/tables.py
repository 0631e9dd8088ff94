"""The table of an experiment: means and deviations over seeds, differences, significance.

Two variants are compared by approximate randomization and bootstrap over sentences (see
`evaluation.significance`). What is tested is the difference of their mean F1 over seeds. In each
round, a sentence is exchanged or drawn with the results of all seeds together. So the results of a
sentence with several seeds count as one observation. They are not independent of each other: to
count them one by one would make differences look more certain than they are. Only seeds that both
variants have finished count.

The tests say whether a difference would be found on other sentences, too. How much figures depend
on the seed is shown by the deviation: the sample standard deviation over seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from crossbranch.errors import UsageError
from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.seeds import Spread
from crossbranch.evaluation.significance import (
    DEFAULT_RESAMPLING,
    Resampling,
    Significance,
    significance_of_means,
)
from crossbranch.experiments.experiment import Variant
from crossbranch.experiments.finished import Results, RunResult, read_counts


@dataclass(frozen=True)
class Difference:
    """A variant minus another one, on the seeds that both have finished."""

    other: str
    seeds: tuple[int, ...]
    f1: float
    """The difference of the means."""
    discontinuous_f1: float
    f1_test: Significance | None
    """None if the gold trees differ, because of the setting `prepare`."""
    discontinuous_f1_test: Significance | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        tests = {"f1": self.f1_test, "discontinuous_f1": self.discontinuous_f1_test}
        return {
            "other": self.other,
            "seeds": list(self.seeds),
            "f1": self.f1,
            "discontinuous_f1": self.discontinuous_f1,
            "tests": {name: test and test.to_dict() for name, test in tests.items()},
        }


@dataclass(frozen=True)
class Row:
    """The figures of a variant on one set. F1 and accuracy are shares between 0 and 1."""

    variant: str
    seeds: tuple[int, ...]
    """The seeds whose runs are finished. If there are none, the figures are None."""
    f1: Spread | None
    discontinuous_f1: Spread | None
    tag_accuracy: Spread | None
    """None if tags are not predicted."""
    tokens_per_second: Spread | None
    training_seconds: Spread | None
    to_baseline: Difference | None
    to_control: Difference | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        spreads = {name: getattr(self, name) for name in FIGURES}
        return {
            "variant": self.variant,
            "seeds": list(self.seeds),
            **{name: spread and spread.to_dict() for name, spread in spreads.items()},
            "to_baseline": self.to_baseline and self.to_baseline.to_dict(),
            "to_control": self.to_control and self.to_control.to_dict(),
        }


FIGURES = ("f1", "discontinuous_f1", "tag_accuracy", "tokens_per_second", "training_seconds")


@dataclass(frozen=True)
class ResultTable:
    """The figures of all variants on one set."""

    set: str
    baseline: str
    seeds: tuple[int, ...]
    rows: tuple[Row, ...]
    resampling: Resampling

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return {
            "set": self.set,
            "baseline": self.baseline,
            "seeds": list(self.seeds),
            "resampling": asdict(self.resampling),
            "rows": [row.to_dict() for row in self.rows],
        }


def table(
    results: Results, *, on: str | None = None, resampling: Resampling = DEFAULT_RESAMPLING
) -> ResultTable:
    """Return the table of an experiment.

    Args:
        results: What `run` or `results` returned.
        on: The set: "dev", "test", and so on. None: the last one, which is the test set if there is
            one.
        resampling: Rounds and seed of the significance tests.

    Raises:
        UsageError: There is no such set.
    """
    experiment = results.experiment
    name = list(experiment.sets)[-1] if on is None else on
    if name not in experiment.sets:
        known = ", ".join(experiment.sets)
        raise UsageError(f"there is no set {name!r}; expected one of {known}")
    comparison = _Comparison(results, name, resampling)

    def row(variant: Variant) -> Row:
        runs = results.of(variant.name)
        return Row(
            variant=variant.name,
            seeds=tuple(run.seed for run in runs),
            f1=_spread(runs, lambda run: run.scores[name].f1),
            discontinuous_f1=_spread(runs, lambda run: run.scores[name].discontinuous_f1),
            tag_accuracy=_spread(runs, lambda run: run.scores[name].tag_accuracy),
            tokens_per_second=_spread(runs, lambda run: run.scores[name].tokens_per_second),
            training_seconds=_spread(runs, lambda run: run.training.seconds),
            to_baseline=comparison.difference(variant.name, experiment.baseline),
            to_control=comparison.difference(variant.name, variant.control),
        )

    with ThreadPoolExecutor() as executor:  # the core does most of the work
        rows = tuple(executor.map(row, experiment.variants))
    return ResultTable(name, experiment.baseline, experiment.seeds, rows, resampling)


def _spread(
    runs: Sequence[RunResult], figure: Callable[[RunResult], float | None]
) -> Spread | None:
    values = [figure(run) for run in runs]
    known = [value for value in values if value is not None]
    return Spread(tuple(known)) if known and len(known) == len(values) else None


class _Comparison:
    """Compares variants on one set."""

    def __init__(self, results: Results, name: str, resampling: Resampling) -> None:
        self._results = results
        self._name = name
        self._resampling = resampling
        self._counts = cache(self._read)

    def difference(self, one: str, other: str) -> Difference | None:
        """Compare two variants; None if they are the same, or have no seed in common."""
        mine, yours = ({run.seed: run for run in self._results.of(name)} for name in (one, other))
        seeds = tuple(seed for seed in mine if seed in yours)
        if one == other or not seeds:
            return None
        runs = [mine[seed] for seed in seeds], [yours[seed] for seed in seeds]
        f1, discontinuous_f1 = (
            fmean(found[0]) - fmean(found[1])
            for found in (
                [[getattr(run.scores[self._name], figure) for run in part] for part in runs]
                for figure in ("f1", "discontinuous_f1")
            )
        )
        f1_test, discontinuous_f1_test = (self._test(*runs, kind) for kind in (0, 1))
        return Difference(other, seeds, f1, discontinuous_f1, f1_test, discontinuous_f1_test)

    def _read(self, folder: Path, kind: int) -> list[MatchCounts]:
        """Read the counts of all brackets (0) or of discontinuous ones (1)."""
        return [counts[kind] for counts in read_counts(folder / f"{self._name}.tsv")]

    def _test(
        self, one: Sequence[RunResult], other: Sequence[RunResult], kind: int
    ) -> Significance | None:
        mine, yours = ([self._counts(run.folder, kind) for run in part] for part in (one, other))
        try:
            return significance_of_means(mine, yours, self._resampling)
        except UsageError:  # other transforms in the setting prepare: other gold trees
            return None

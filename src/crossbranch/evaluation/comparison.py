"""Compares parsers on the same gold trees: which is better, by how much, on which sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple, Protocol, Self

from crossbranch.errors import UsageError
from crossbranch.evaluation.counts import percent, with_percentages
from crossbranch.evaluation.scores import Column
from crossbranch.evaluation.significance import (
    DEFAULT_RESAMPLING,
    Resampling,
    Significance,
    significance,
)

LARGEST = 10


class Scored(Protocol):
    """A sentence with its scores, such as the rows of an evaluation."""

    @property
    def number(self) -> int:
        """The number of the gold sentence."""

    @property
    def id(self) -> str:
        """The id of the gold sentence; it may be empty."""

    @property
    def column(self) -> Column:
        """The scores of this sentence alone."""


class SentenceContrast(NamedTuple):
    """The scores of two parsers on one sentence."""

    number: int
    id: str
    one_f1: float
    other_f1: float

    @property
    def difference(self) -> float:
        """The F1 of `one` minus the F1 of `other`."""
        return self.one_f1 - self.other_f1

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        figures = {
            "one_f1": self.one_f1,
            "other_f1": self.other_f1,
            "difference": self.difference,
        }
        return {"number": self.number, "id": self.id, **with_percentages(figures)}


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two parsers, compared on the sentences that count for both."""

    one: str
    other: str
    sentences: int
    left_out: int  # sentences that count for only one of the two
    f1: Significance
    discontinuous_f1: Significance
    only_one_right: tuple[SentenceContrast, ...]  # all brackets are right only for `one`
    only_other_right: tuple[SentenceContrast, ...]
    largest: tuple[SentenceContrast, ...]  # by the absolute difference in F1

    @classmethod
    def of(
        cls,
        names: tuple[str, str],
        one: Sequence[Scored],
        other: Sequence[Scored],
        resampling: Resampling = DEFAULT_RESAMPLING,
        largest: int = LARGEST,
    ) -> Self:
        """Compare two parsers.

        Raises:
            UsageError: Sentences with the same number have different ids or gold brackets.
        """
        shared = _shared(one, other)
        mine = [first.column for first, _ in shared]
        yours = [second.column for _, second in shared]
        rows = [_contrast(first, second) for first, second in shared]
        exact = [(a.all.exact, b.all.exact) for a, b in zip(mine, yours, strict=True)]
        return cls(
            one=names[0],
            other=names[1],
            sentences=len(shared),
            left_out=len(one) + len(other) - 2 * len(shared),
            f1=significance(
                [column.all.brackets for column in mine],
                [column.all.brackets for column in yours],
                resampling,
            ),
            discontinuous_f1=significance(
                [column.discontinuous.brackets for column in mine],
                [column.discontinuous.brackets for column in yours],
                resampling,
            ),
            only_one_right=tuple(r for r, (a, b) in zip(rows, exact, strict=True) if a > b),
            only_other_right=tuple(r for r, (a, b) in zip(rows, exact, strict=True) if a < b),
            largest=_largest(rows, largest),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return {
            "one": self.one,
            "other": self.other,
            "sentences": self.sentences,
            "left_out": self.left_out,
            "f1": self.f1.to_dict(),
            "discontinuous_f1": self.discontinuous_f1.to_dict(),
            "only_one_right": [row.to_dict() for row in self.only_one_right],
            "only_other_right": [row.to_dict() for row in self.only_other_right],
            "largest": [row.to_dict() for row in self.largest],
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return a flat row for each metric. Scores are percentages, p-values are not."""
        metrics = {"f1": self.f1, "discontinuous_f1": self.discontinuous_f1}
        return [
            {
                "one": self.one,
                "other": self.other,
                "metric": metric,
                "one_value": percent(found.one.value),
                "one_low": percent(found.one.low),
                "one_high": percent(found.one.high),
                "other_value": percent(found.other.value),
                "other_low": percent(found.other.low),
                "other_high": percent(found.other.high),
                "difference": percent(found.difference.value),
                "difference_low": percent(found.difference.low),
                "difference_high": percent(found.difference.high),
                "bootstrap_p": found.bootstrap_p,
                "randomization_p": found.randomization_p,
            }
            for metric, found in metrics.items()
        ]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs of parsers, in the given order."""

    names: tuple[str, ...]
    contrasts: tuple[Contrast, ...]
    resampling: Resampling

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return {
            "names": list(self.names),
            "resampling": self.resampling.to_dict(),
            "pairs": [contrast.to_dict() for contrast in self.contrasts],
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return flat rows for tables: one for each pair and metric."""
        return [row for contrast in self.contrasts for row in contrast.rows()]


def compare(
    names: Sequence[str],
    per_sentence: Sequence[Sequence[Scored]],
    *,
    resampling: Resampling = DEFAULT_RESAMPLING,
    largest: int = LARGEST,
) -> Comparison:
    """Compare the predictions of two or more parsers for one gold treebank.

    Args:
        names: The names of the parsers. Each name must be different.
        per_sentence: For each parser, its scored sentences: `Evaluation.sentences`. Two parsers are
            compared on the sentences that count for both.
        resampling: Rounds and seed of the significance tests, and the confidence of the intervals.
        largest: The number of sentences to keep, those with the largest difference in F1.

    Raises:
        UsageError: There are fewer than two parsers, the names are wrong, or gold trees differ.
    """
    if len(names) != len(per_sentence):
        raise UsageError(
            f"found {len(names)} names for {len(per_sentence)} parsers, expected one each"
        )
    if len(names) < 2:
        raise UsageError(f"a comparison needs two or more parsers, found {len(names)}")
    if len(set(names)) < len(names):
        raise UsageError(f"the parsers need different names, found {', '.join(names)}")
    if largest < 0:
        raise UsageError(f"largest is {largest}, expected 0 or more")
    pairs = combinations(zip(names, per_sentence, strict=True), 2)
    contrasts = tuple(
        Contrast.of((one, other), mine, yours, resampling, largest)
        for (one, mine), (other, yours) in pairs
    )
    return Comparison(tuple(names), contrasts, resampling)


def _shared(one: Sequence[Scored], other: Sequence[Scored]) -> list[tuple[Scored, Scored]]:
    """Return the sentences that count for both parsers."""
    mine_by_number = {row.number: row for row in one}
    yours_by_number = {row.number: row for row in other}
    # Sorted, so that the tests draw the same sentences whichever parser comes first.
    numbers = sorted(mine_by_number.keys() & yours_by_number.keys())
    shared = [(mine_by_number[number], yours_by_number[number]) for number in numbers]
    for mine, yours in shared:
        if mine.id != yours.id:
            raise UsageError(
                "parsers must be compared on the same gold trees, but sentence "
                f"{mine.number} has the ids {mine.id!r} and {yours.id!r}"
            )
    return shared


def _contrast(one: Scored, other: Scored) -> SentenceContrast:
    return SentenceContrast(one.number, one.id, one.column.f1, other.column.f1)


def _largest(rows: Sequence[SentenceContrast], count: int) -> tuple[SentenceContrast, ...]:
    different = (row for row in rows if row.difference)
    return tuple(sorted(different, key=lambda row: (-abs(row.difference), row.number))[:count])

"""Counts that can be added: `MatchCounts` with its scores, and the base class `Tally`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from crossbranch.evaluation.pairs import Pair


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """The numbers of gold, predicted and matched brackets."""

    gold: int = 0
    predicted: int = 0
    matched: int = 0

    def __add__(self, other: MatchCounts) -> MatchCounts:
        return MatchCounts(
            self.gold + other.gold, self.predicted + other.predicted, self.matched + other.matched
        )

    @property
    def recall(self) -> float:
        """The share of gold brackets that were found; 1 if there are no brackets at all."""
        return _share(self.matched, self.gold, nothing=not self.predicted)

    @property
    def precision(self) -> float:
        """The share of predicted brackets that are right; 1 if there are no brackets at all."""
        return _share(self.matched, self.predicted, nothing=not self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 1 if there are no brackets at all."""
        total = self.gold + self.predicted
        return 2 * self.matched / total if total else 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return counts and figures for JSON, as percentages and in full precision."""
        figures = {"recall": self.recall, "precision": self.precision, "f1": self.f1}
        counts = {"gold": self.gold, "predicted": self.predicted, "matched": self.matched}
        return counts | with_percentages(figures)


class Tally(ABC):
    """A dataclass of counters. `add` counts one more sentence, `+` adds two tallies."""

    __slots__ = ()

    @classmethod
    def of(cls, pair: Pair) -> Self:
        """Count one sentence."""
        tally = cls()
        tally.add(pair)
        return tally

    @abstractmethod
    def add(self, pair: Pair) -> None:
        """Count one more sentence."""

    def __add__(self, other: Self) -> Self:
        if type(self) is not type(other):
            return NotImplemented
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        return type(self)(**{name: getattr(self, name) + getattr(other, name) for name in names})

    def __radd__(self, other: int) -> Self:
        # `sum` begins with 0.
        return self if other == 0 else NotImplemented


def _share(part: int, whole: int, *, nothing: bool) -> float:
    return part / whole if whole else float(nothing)


def percent(share: float) -> float:
    """Return a share as a percentage with two decimals."""
    return round(100 * share, 2)


def with_percentages(figures: Mapping[str, float]) -> dict[str, float]:
    """Return each figure twice: as a percentage with two decimals, and in full precision."""
    shown = {name: percent(value) for name, value in figures.items()}
    return shown | {f"{name}_exact": value for name, value in figures.items()}

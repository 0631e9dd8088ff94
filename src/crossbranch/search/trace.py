"""How a parser found a tree: its steps, and the scores of what it could have done instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self


class TracedStep(NamedTuple):
    """One step of a parser."""

    taken: int
    """The transition that was taken."""

    scores: Sequence[tuple[int, float]]
    """All legal transitions, each with its score at this step."""

    @property
    def score(self) -> float:
        """The score of the transition that was taken."""
        return dict(self.scores)[self.taken]


class Trace(NamedTuple):
    """The steps that lead to a tree."""

    score: float
    """The score of the tree. It is the sum of the scores of all transitions taken."""

    steps: tuple[TracedStep, ...]

    @classmethod
    def of(cls, score: float, steps: Iterable[tuple[int, Sequence[tuple[int, float]]]]) -> Self:
        """Return the trace that the core has found."""
        return cls(score, tuple([TracedStep(taken, scores) for taken, scores in steps]))

    @property
    def transitions(self) -> tuple[int, ...]:
        """The transitions that were taken."""
        return tuple([step.taken for step in self.steps])

"""Tally: counts that are made sentence by sentence and can be added."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields
from typing import Self

from crossbranch.evaluation.pairs import Pair


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

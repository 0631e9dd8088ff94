"""Counts of numbers and names: how they add, and how they are written as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

Distribution = Counter[int]
"""How often each number occurs."""


@dataclass
class Counts:
    """Counts of several things; they are added field by field."""

    def __add__(self, other: Self) -> Self:
        names = [part.name for part in fields(self)]
        return type(self)(**{name: getattr(self, name) + getattr(other, name) for name in names})


def by_number(counts: Distribution) -> dict[str, int]:
    """Return numbers in ascending order, as text for JSON."""
    return {str(number): counts[number] for number in sorted(counts)}


def by_count(counts: Mapping[str, int]) -> dict[str, int]:
    """Return names with the most frequent first, equals in alphabetical order."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

"""The labels of a task, and their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from crossbranch.doors import door

Labels = Sequence[str | None]
"""The label of each token. None: the token has none, and nothing is learned from it."""

MISSING, UNKNOWN = -1, -2
"""Numbers for tokens without a label, and for labels that are not in the inventory."""


class Labelled(NamedTuple):
    """A sentence of a task: its words and their labels."""

    forms: tuple[str, ...]
    labels: tuple[str | None, ...]


@dataclass(frozen=True)
class Inventory:
    """The labels that a network can predict, the most frequent one first."""

    labels: tuple[str, ...]
    _numbers: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Number the labels."""
        numbers = {label: number for number, label in enumerate(self.labels)}
        object.__setattr__(self, "_numbers", numbers)

    @classmethod
    @door
    def of(cls, sentences: Iterable[Labelled], *, min_count: int = 1) -> Inventory:
        """Collect the labels that occur at least `min_count` times."""
        counts = count_labels(sentences)
        kept = [(label, count) for label, count in counts.items() if count >= min_count]
        return cls(tuple(label for label, _ in sorted(kept, key=lambda one: (-one[1], one[0]))))

    def __len__(self) -> int:
        return len(self.labels)

    def __contains__(self, label: object) -> bool:
        return label in self._numbers

    @door
    def number(self, label: str | None) -> int:
        """Return the number of a label, or MISSING or UNKNOWN, which are below 0.

        Nothing is learned from either. In dev data, an unknown label is one that the network
        cannot get right, so it counts as an error. A missing one does not count.
        """
        return MISSING if label is None else self._numbers.get(label, UNKNOWN)

    @door
    def numbers(self, labels: Labels) -> list[int]:
        """Return the numbers of the labels of a sentence."""
        return [self.number(label) for label in labels]


@door
def count_labels(sentences: Iterable[Labelled]) -> Counter[str]:
    """Count the labels of sentences."""
    return Counter(
        label for sentence in sentences for label in sentence.labels if label is not None
    )

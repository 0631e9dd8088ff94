"""Figures of the data of a task: how many labels there are, and how many of dev data are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from crossbranch.tasks.inventory import Inventory, Labelled, count_labels

_WORDS = 5  # of each label that are shown


class LabelFigures(NamedTuple):
    """A label: the number of its tokens, their share, and its most frequent words."""

    label: str
    tokens: int
    share: float
    words: tuple[str, ...]


class TaskFigures(NamedTuple):
    """The figures of some sentences of a task."""

    sentences: int
    tokens: int
    labelled: int
    """The number of tokens that have a label."""

    labels: int
    """The number of different labels."""

    once: int
    """The number of labels that occur only once."""

    known: int
    """The number of tokens whose label is in the inventory."""

    @classmethod
    def of(cls, sentences: Sequence[Labelled], inventory: Inventory) -> TaskFigures:
        """Count sentences, tokens and labels.

        Args:
            sentences: The sentences.
            inventory: The labels that a network can predict.
        """
        counts = count_labels(sentences)
        return cls(
            len(sentences),
            sum(len(sentence.forms) for sentence in sentences),
            counts.total(),
            len(counts),
            sum(count == 1 for count in counts.values()),
            sum(count for label, count in counts.items() if label in inventory),
        )

    @property
    def coverage(self) -> float:
        """The share of labelled tokens whose label is in the inventory."""
        return self.known / self.labelled if self.labelled else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return all figures by name."""
        return {**self._asdict(), "coverage": self.coverage}


def label_figures(sentences: Sequence[Labelled]) -> list[LabelFigures]:
    """Return the labels of sentences, the most frequent one first."""
    words: dict[str, Counter[str]] = {}
    for sentence in sentences:
        for word, label in zip(sentence.forms, sentence.labels, strict=True):
            if label is not None:
                words.setdefault(label, Counter())[word] += 1
    total = sum(counts.total() for counts in words.values())
    found = [
        LabelFigures(
            label,
            counts.total(),
            counts.total() / total,
            tuple(word for word, _ in counts.most_common(_WORDS)),
        )
        for label, counts in words.items()
    ]
    return sorted(found, key=lambda one: (-one.tokens, one.label))

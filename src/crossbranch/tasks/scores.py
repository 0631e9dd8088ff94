"""Scores of predicted labels. They add."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.tasks.chunks import chunks_of
from crossbranch.tasks.inventory import Inventory, Labels


class TaskScore(NamedTuple):
    """How many labels were predicted right."""

    right: int = 0
    tokens: int = 0
    """The number of tokens that have a gold label."""

    unknown: int = 0
    """The number of those whose label is not in the inventory, so that it cannot be right."""

    chunks: int = 0
    """The number of gold chunks, if the labels are those of chunks."""

    predicted_chunks: int = 0
    right_chunks: int = 0

    def __add__(self, other: object) -> TaskScore:
        if not isinstance(other, TaskScore):
            return NotImplemented
        return TaskScore(*(one + two for one, two in zip(self, other, strict=True)))

    @property
    def accuracy(self) -> float:
        """The share of right labels, from 0 to 1."""
        return self.right / self.tokens if self.tokens else 0.0

    @property
    def chunk_f1(self) -> float:
        """F1 of chunks, from 0 to 1: a chunk is right if start, end and type are right."""
        total = self.chunks + self.predicted_chunks
        return 2 * self.right_chunks / total if total else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the figures by name; those of chunks only if there are chunks."""
        found = {"accuracy": self.accuracy, "tokens": self.tokens, "unknown": self.unknown}
        return found | {"chunk_f1": self.chunk_f1} if self.chunks else found


@door
def score_labels(
    gold: Labels, predicted: Sequence[str], inventory: Inventory, *, are_chunks: bool = False
) -> TaskScore:
    """Compare the labels of a sentence with gold labels. Tokens without one do not count.

    Args:
        gold: The gold labels.
        predicted: The predicted labels.
        inventory: The labels that can be predicted.
        are_chunks: Whether the labels are those of chunks; then chunks are compared, too.

    Raises:
        UsageError: The numbers of labels are different.
    """
    if len(gold) != len(predicted):
        raise UsageError(f"{len(predicted)} predicted labels, expected {len(gold)}")
    pairs = [
        (right, found) for right, found in zip(gold, predicted, strict=True) if right is not None
    ]
    score = TaskScore(
        sum(right == found for right, found in pairs),
        len(pairs),
        sum(right not in inventory for right, _ in pairs),
    )
    if not are_chunks:
        return score
    whole, found_chunks = set(chunks_of(gold)), set(chunks_of(predicted))
    return score._replace(
        chunks=len(whole),
        predicted_chunks=len(found_chunks),
        right_chunks=len(whole & found_chunks),
    )

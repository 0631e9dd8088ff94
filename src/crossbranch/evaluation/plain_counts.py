"""Counts of the brackets and tags of a sentence, made by the core.

`pairs` and `counted_nodes` are the reference: they count everything, and the core most sentences.
A property test compares both.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from crossbranch import _core
from crossbranch.evaluation.parameters import Parameters, representatives
from crossbranch.tree import Node

if TYPE_CHECKING:
    from crossbranch.evaluation.pairs import Pair

FiveCounts = tuple[int, int, int, int, int]
"""Brackets: gold, predicted, matched, different gold ones, different predicted ones."""


class PlainCounts(NamedTuple):
    """The counts of one sentence."""

    all: FiveCounts
    discontinuous: FiveCounts
    tags: int
    right_tags: int


def count_plainly(pair: Pair) -> PlainCounts | None:
    """Return the counts of a sentence; None if it is too long, or if it has no parse."""
    if pair.predicted is None or pair.parameters.deletes_root_tokens:
        return None
    gold, predicted = pair.gold, pair.predicted
    found = _counter(pair.parameters).compare(
        gold.sentence, gold.root, predicted.sentence, predicted.root
    )
    return None if found is None else PlainCounts(*found)


@lru_cache(maxsize=8)
def _counter(parameters: Parameters) -> _core.BracketCounter:
    return _core.BracketCounter(
        Node,
        _LabelNumbers(parameters),
        deleted_tags=parameters.deleted_labels,
        deleted_words=parameters.deleted_words,
    )


class _LabelNumbers(dict[str, int]):
    """A number for each label; -1 for labels that do not count. Equal labels have one number."""

    __slots__ = ("_chosen", "_equal", "_parameters")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__()
        self._parameters = parameters
        self._equal: Mapping[str, str] = representatives(parameters.equal_labels)
        self._chosen: dict[str, int] = {}

    def __missing__(self, label: str) -> int:
        number = -1
        if label not in self._parameters.deleted_labels:
            name = self._equal.get(label, label) if self._parameters.labelled else ""
            number = self._chosen.setdefault(name, len(self._chosen))
        self[label] = number
        return number

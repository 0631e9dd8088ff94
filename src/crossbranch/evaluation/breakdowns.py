"""Breakdowns: the brackets of all sentences, counted class by class.

A gold bracket and its match count under the class of the gold bracket. A predicted bracket counts
under its own class. So the rows add up to the counts of the whole. Spans contain only the tokens
that count: a gap that consists of deleted punctuation is no gap.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple, Self

from crossbranch.errors import UsageError
from crossbranch.evaluation.counted_nodes import compress
from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.pairs import Pair
from crossbranch.span import Span, blocks, fan_out, span_of
from crossbranch.tree import Bracket

Vocabulary = frozenset[str]
Classify = Callable[[Bracket], Any]
"""Returns the class of a bracket: a label, or a number by which classes are sorted."""

SIZES = (1, 2, 3, 4, 6, 11, 21, 41)
"""The size of the smallest constituents in each size class."""
STEP = 10
"""The number of sentence lengths in one class."""


class BreakdownKind(NamedTuple):
    """One way to sort brackets into classes."""

    summary: str
    classify: Callable[[Pair, Vocabulary], Classify]  # called once for each sentence
    show: Callable[[Any], str] = str
    needs_vocabulary: bool = False


def _by_label(pair: Pair, vocabulary: Vocabulary) -> Classify:
    return lambda bracket: bracket.label


def _by_length(pair: Pair, vocabulary: Vocabulary) -> Classify:
    number = (pair.length + STEP - 1) // STEP
    return lambda bracket: number


def _by_gap(pair: Pair, vocabulary: Vocabulary) -> Classify:
    return lambda bracket: fan_out(bracket.span) - 1


def _by_gap_length(pair: Pair, vocabulary: Vocabulary) -> Classify:
    return lambda bracket: largest_gap(bracket.span)


def _by_fan_out(pair: Pair, vocabulary: Vocabulary) -> Classify:
    return lambda bracket: fan_out(bracket.span)


def _by_size(pair: Pair, vocabulary: Vocabulary) -> Classify:
    return lambda bracket: _size_class(bracket.span.bit_count())


def _by_unseen(pair: Pair, vocabulary: Vocabulary) -> Classify:
    words = enumerate(pair.gold.sentence)
    unseen = compress(span_of(i for i, t in words if t.form not in vocabulary), pair.deleted)
    return lambda bracket: int(bracket.span & unseen != 0)


def largest_gap(span: Span) -> int:
    """Return the number of tokens in the largest gap, or 0 if there is no gap."""
    if fan_out(span) < 2:
        return 0
    return max(after[0] - before[1] for before, after in pairwise(blocks(span)))


def _size_class(size: int) -> int:
    return SIZES[bisect_right(SIZES, size) - 1]


def _show_length(number: int) -> str:
    return f"{STEP * number - STEP + 1}-{STEP * number}" if number else "0"


def _show_size(start: int) -> str:
    if start == SIZES[-1]:
        return f"{start}+"
    last = SIZES[SIZES.index(start) + 1] - 1
    return str(start) if start == last else f"{start}-{last}"


def _show_unseen(unseen: int) -> str:
    return "unseen" if unseen else "seen"


BREAKDOWNS: dict[str, BreakdownKind] = {
    "label": BreakdownKind("label", _by_label),
    "length": BreakdownKind("length of the sentence", _by_length, _show_length),
    "gap": BreakdownKind("gap degree", _by_gap),
    "gap-length": BreakdownKind("tokens in the largest gap", _by_gap_length),
    "fan-out": BreakdownKind("number of blocks", _by_fan_out),
    "size": BreakdownKind("tokens of the constituent", _by_size, _show_size),
    "unseen": BreakdownKind("words not seen in training", _by_unseen, _show_unseen, True),
}


@dataclass(slots=True)
class Breakdown:
    """MatchCounts of brackets by class. `add` adds a sentence, `+` adds another breakdown."""

    name: str
    vocabulary: Vocabulary | None = field(default=None, repr=False)  # the words seen in training
    gold: Counter[Any] = field(default_factory=Counter)
    predicted: Counter[Any] = field(default_factory=Counter)
    matched: Counter[Any] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        if self.name not in BREAKDOWNS:
            known = ", ".join(BREAKDOWNS)
            raise UsageError(f"unknown breakdown {self.name!r}; expected one of {known}")
        if self.kind.needs_vocabulary and self.vocabulary is None:
            raise UsageError(f"the breakdown {self.name!r} needs `vocabulary`: the training words")

    @classmethod
    def of(cls, pair: Pair, name: str, vocabulary: Vocabulary | None = None) -> Self:
        """Break down one sentence."""
        found = cls(name, vocabulary)
        found.add(pair)
        return found

    @property
    def kind(self) -> BreakdownKind:
        """What the classes are."""
        return BREAKDOWNS[self.name]

    def add(self, pair: Pair) -> None:
        """Count the brackets of a sentence."""
        classify = self.kind.classify(pair, self.vocabulary or frozenset())
        for bracket, count in pair.gold_brackets.items():
            key = classify(bracket)
            self.gold[key] += count
            found = pair.predicted_brackets.get(bracket)
            if found:
                self.matched[key] += min(count, found)
        for bracket, count in pair.predicted_brackets.items():
            self.predicted[classify(bracket)] += count

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, Breakdown) or self.name != other.name:
            return NotImplemented
        return type(self)(
            self.name,
            self.vocabulary,
            self.gold + other.gold,
            self.predicted + other.predicted,
            self.matched + other.matched,
        )

    def __radd__(self, other: int) -> Self:
        # `sum` begins with 0.
        return self if other == 0 else NotImplemented

    def rows(self) -> list[tuple[str, MatchCounts]]:
        """Return each class with its counts: labels by frequency in gold, numbers ascending."""
        keys = sorted(self.gold.keys() | self.predicted.keys())
        if self.name == "label":
            keys.sort(key=lambda label: -self.gold[label])
        return [(self.kind.show(key), self._counts(key)) for key in keys]

    def _counts(self, key: Any) -> MatchCounts:
        return MatchCounts(self.gold[key], self.predicted[key], self.matched[key])

    def to_dict(self) -> dict[str, Any]:
        """Return counts and figures of each class for JSON."""
        return {key: counts.to_dict() for key, counts in self.rows()}

"""Confusions: which tags were predicted for which tags, and which labels on equal spans."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from crossbranch.evaluation.counts import MatchCounts, Tally
from crossbranch.evaluation.pairs import Brackets, Pair

Names = dict[Any, list[str]]
"""The names at each place, such as the labels on a span, from the top down."""


@dataclass(slots=True)
class Confusions(Tally):
    """Counts pairs of a gold name and a predicted name. Right pairs are counted, too."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, pair: Pair) -> None:
        """Count the pairs of one more sentence."""
        self.counts.update(self.meetings(pair))

    @staticmethod
    @abstractmethod
    def meetings(pair: Pair) -> Iterable[tuple[str, str]]:
        """Return the pairs of a sentence: gold name and predicted name."""

    def errors(self) -> list[tuple[str, str, int]]:
        """Return gold name, predicted name and count of wrong pairs, the most frequent first."""
        wrong = [(*names, count) for names, count in self.counts.items() if names[0] != names[1]]
        return sorted(wrong, key=lambda row: (-row[2], row[:2]))

    def rows(self) -> list[tuple[str, MatchCounts]]:
        """Return the counts of each name, the most frequent in gold first."""
        gold: Counter[str] = Counter()
        predicted: Counter[str] = Counter()
        for (one, other), count in self.counts.items():
            gold[one] += count
            predicted[other] += count
        names = sorted(gold.keys() | predicted.keys(), key=lambda name: (-gold[name], name))
        return [(n, MatchCounts(gold[n], predicted[n], self.counts[n, n])) for n in names]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts of each name and all confusions for JSON."""
        keys = ("gold", "predicted", "count")
        return {
            "names": {name: counts.to_dict() for name, counts in self.rows()},
            "errors": [dict(zip(keys, row, strict=True)) for row in self.errors()],
        }


class TagConfusions(Confusions):
    """The tags of the tokens that count. Without a parse, predicted tags are `NO_PARSE`."""

    __slots__ = ()

    @staticmethod
    def meetings(pair: Pair) -> Iterable[tuple[str, str]]:
        """Return gold and predicted tag of each token."""
        return pair.tags


class LabelConfusions(Confusions):
    """The labels on equal spans. If one tree has more labels on a span, the rest is not paired."""

    __slots__ = ()

    @staticmethod
    def meetings(pair: Pair) -> Iterable[tuple[str, str]]:
        """Yield gold and predicted label of each bracket whose span is right."""
        return pair_up(_labels(pair.gold_brackets), _labels(pair.predicted_brackets))


def _labels(brackets: Brackets) -> Names:
    found: Names = {}
    for bracket in brackets.elements():
        found.setdefault(bracket.span, []).append(bracket.label)
    return found


def pair_up(gold: Names, predicted: Names) -> Iterator[tuple[str, str]]:
    """Yield pairs of names at equal places: equal names first, then the rest from the top down."""
    for place, names in gold.items():
        others = predicted.get(place, [])
        if names == others or not others:
            yield from zip(names, others, strict=False)
        else:
            right = Counter(names) & Counter(others)
            yield from ((name, name) for name in right.elements())
            yield from zip(_without(names, right), _without(others, right), strict=False)


def _without(names: Iterable[str], taken: Counter[str]) -> list[str]:
    left = Counter(taken)
    kept = []
    for name in names:
        if left[name]:
            left[name] -= 1
        else:
            kept.append(name)
    return kept

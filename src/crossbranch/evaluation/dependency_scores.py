"""Dependency scores: heads and relations of tokens, from the marked heads of the trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crossbranch.dependencies import dependencies
from crossbranch.evaluation.counts import Tally, with_percentages
from crossbranch.evaluation.pairs import Pair


@dataclass(slots=True)
class DependencyScores(Tally):
    """Tokens that count, tokens with the right head, and tokens with right head and relation.

    If the heads of any sentence are not marked, there are no scores. In a treebank without heads,
    only a few short sentences have dependencies, and their scores would mean nothing.
    """

    tokens: int = 0
    right_heads: int = 0
    right_arcs: int = 0
    unmarked: int = 0  # sentences in which heads are not marked

    def add(self, pair: Pair) -> None:
        """Score one more sentence. Without a parse, all its tokens are wrong."""
        gold = dependencies(pair.gold)
        predicted = [] if pair.predicted is None else dependencies(pair.predicted)
        if gold is None or predicted is None:
            self.unmarked += 1
            return
        deleted = set(pair.deleted)
        # Tokens that do not count may still be heads of others: nothing is renumbered.
        both = [a for i, a in enumerate(zip(gold, predicted, strict=False)) if i not in deleted]
        self.tokens += len(gold) - len(deleted)
        self.right_heads += sum(one[0] == other[0] for one, other in both)
        self.right_arcs += sum(one == other for one, other in both)

    @property
    def unlabelled(self) -> float | None:
        """The share of tokens with the right head; None if heads are not marked."""
        return self._share(self.right_heads)

    @property
    def labelled(self) -> float | None:
        """The share of tokens with right head and relation; None if heads are not marked."""
        return self._share(self.right_arcs)

    def _share(self, right: int) -> float | None:
        if self.unmarked:
            return None
        return right / self.tokens if self.tokens else 1.0

    def to_dict(self) -> dict[str, Any] | None:
        """Return counts and figures for JSON, or None if heads are not marked."""
        if self.unlabelled is None or self.labelled is None:
            return None
        counts = {"tokens": self.tokens, "heads": self.right_heads, "arcs": self.right_arcs}
        figures = {"unlabelled": self.unlabelled, "labelled": self.labelled}
        return counts | with_percentages(figures)

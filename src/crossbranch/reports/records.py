"""The record of a sentence for a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from crossbranch.evaluation.counted_nodes import counted_nodes
from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.pairs import Brackets, Pair, matches
from crossbranch.span import is_discontinuous
from crossbranch.tree import Bracket, Tree


class SentenceRecord(NamedTuple):
    """A sentence: both trees, and the brackets in which they differ."""

    number: int
    id: str
    gold: Tree
    predicted: Tree | None
    """None if there is no parse."""

    missing: Iterable[Bracket]
    """Gold brackets that are not in the predicted tree, over all tokens."""

    extra: Iterable[Bracket]
    """Predicted brackets that are not in the gold tree, over all tokens."""

    f1: float
    """Between 0 and 1."""

    is_discontinuous: bool
    """Whether one of the trees has a discontinuous bracket that counts."""

    @classmethod
    def of(cls, number: int, pair: Pair) -> SentenceRecord:
        """Return the record of a pair. It has only the differences that count."""
        gold, predicted = pair.gold_brackets, pair.predicted_brackets
        counts = MatchCounts(gold.total(), predicted.total(), matches(gold, predicted))
        return cls(
            number=number,
            id=pair.gold.id,
            gold=pair.gold,
            predicted=pair.predicted,
            missing=_surplus(pair, pair.gold, gold - predicted),
            extra=_surplus(pair, pair.predicted, predicted - gold),
            f1=counts.f1,
            is_discontinuous=any(is_discontinuous(span) for _, span in gold | predicted),
        )


def _surplus(pair: Pair, tree: Tree | None, surplus: Brackets) -> list[Bracket]:
    """Return the surplus brackets as they are in the tree: with all tokens and original labels."""
    found: list[Bracket] = []
    if tree is None or not surplus:
        return found
    for node, bracket, _ in counted_nodes(pair, tree):
        if surplus[bracket] > 0:
            surplus[bracket] -= 1
            found.append(Bracket(node.label, node.span))
    return found

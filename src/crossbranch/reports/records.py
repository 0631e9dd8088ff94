"""The record of a sentence for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crossbranch.evaluation.confusions import pair_up
from crossbranch.evaluation.counted_nodes import counted_nodes
from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.function_scores import functions_by_bracket
from crossbranch.evaluation.pairs import Brackets, Pair, matches
from crossbranch.span import is_discontinuous
from crossbranch.tree import Bracket, Token, Tree


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

    wrong_tags: Sequence[tuple[int, str, str]] = ()
    """Tokens that count and have another tag: token, gold tag, predicted tag."""

    wrong_functions: Sequence[tuple[str, str, str]] = ()
    """Right brackets and tokens with the right tag that have another function: label or word,
    gold function, predicted function."""

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
            wrong_tags=list(_wrong_tags(pair)),
            wrong_functions=[*_wrong_node_functions(pair), *_wrong_token_functions(pair)],
        )


def _wrong_tags(pair: Pair) -> Iterator[tuple[int, str, str]]:
    for token, gold, predicted in _tokens(pair):
        if gold.tag != predicted.tag:
            yield token, gold.tag, predicted.tag


def _wrong_token_functions(pair: Pair) -> Iterator[tuple[str, str, str]]:
    for _, gold, predicted in _tokens(pair):
        if gold.tag == predicted.tag and gold.edge_label != predicted.edge_label:
            yield gold.form, gold.edge_label, predicted.edge_label


def _tokens(pair: Pair) -> Iterator[tuple[int, Token, Token]]:
    """Yield the tokens that count, as they are in both trees."""
    if pair.predicted is None:
        return
    deleted = set(pair.deleted)
    both = zip(pair.gold.sentence, pair.predicted.sentence, strict=True)
    for token, (gold, predicted) in enumerate(both):
        if token not in deleted:
            yield token, gold, predicted


def _wrong_node_functions(pair: Pair) -> Iterator[tuple[str, str, str]]:
    if pair.predicted is None:
        return
    mine, yours = functions_by_bracket(pair, pair.gold), functions_by_bracket(pair, pair.predicted)
    for bracket, names in mine.items():
        for gold, predicted in pair_up({bracket: names}, yours):
            if gold != predicted:
                yield bracket.label, gold, predicted


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

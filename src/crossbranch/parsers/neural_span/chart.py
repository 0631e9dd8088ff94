"""The chart of one sentence as plain data: its probable constituents."""

from __future__ import annotations

from typing import NamedTuple

from crossbranch import _core
from crossbranch.escape import unescape
from crossbranch.parsers.neural_span.gold import Constituent
from crossbranch.parsers.neural_span.labels import SpanLabels
from crossbranch.parsers.neural_span.spaces import Space

JOINER = "+"  # of the labels of a unary chain


class ProbableConstituent(NamedTuple):
    """A constituent that a tree may have."""

    label: str
    blocks: tuple[tuple[int, int], ...]
    """The ranges of its tokens: the first token, and the one after the last."""
    probability: float
    in_tree: bool
    """Whether the tree that the parser finds has it."""


class SentenceChart(NamedTuple):
    """The words of a sentence, and its probable constituents."""

    words: tuple[str, ...]
    constituents: list[ProbableConstituent]


def probable_constituents(
    scores: _core.SpanScores, labels: SpanLabels, space: Space, *, least: float, minimum_risk: bool
) -> list[ProbableConstituent]:
    """Return the constituents of a chart, the most probable ones first.

    Args:
        scores: The scores of all spans.
        labels: The labels.
        space: The search space.
        least: Constituents that are less probable are left out, unless the tree has them.
        minimum_risk: Whether the tree is that with the best expected F1.
    """
    if not labels.discontinuous_count:
        space = Space("continuous")
    find = scores.minimum_risk if minimum_risk else scores.best
    tree = find(space.rules, ill_nested=space.ill_nested)[1]
    every = scores.probable(space.rules, limit=least, ill_nested=space.ill_nested)
    known = dict(every)
    rare = [one for one in tree if one not in known]
    if rare:
        every += zip(rare, _probabilities(scores, space, rare), strict=True)
        every.sort(key=lambda pair: -pair[1])
    return [
        ProbableConstituent(_label(one, labels), _blocks(one), probability, one in tree)
        for one, probability in every
    ]


def _probabilities(scores: _core.SpanScores, space: Space, asked: list[Constituent]) -> list[float]:
    return scores.marginals(space.rules, ill_nested=space.ill_nested, asked=asked)[4]


def _label(constituent: Constituent, labels: SpanLabels) -> str:
    number, _, gap, _, _ = constituent
    chain = labels.chains[number if gap < 0 else labels.continuous_count + number]
    return JOINER.join(map(unescape, chain))


def _blocks(constituent: Constituent) -> tuple[tuple[int, int], ...]:
    _, start, gap, resume, end = constituent
    return ((start, end),) if gap < 0 else ((start, gap), (resume, end))

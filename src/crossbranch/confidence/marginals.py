"""Confidence from marginals: the probabilities that a parser computes itself.

A parser may be too sure of itself, or not sure enough. So a calibration is learned from dev trees:
from the log-odds of a probability to the probability that it should have been.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import log
from typing import Any, NamedTuple

from crossbranch.confidence.calibrating import MOST_SENTENCES, sampled
from crossbranch.confidence.evidence import Counted, mark, written
from crossbranch.confidence.logistic import Row, Weights, fit, probability
from crossbranch.confidence.reliability import (
    Reliability,
    StoredConfidence,
    calibration_errors,
    measure,
)
from crossbranch.constituent import CONFIDENCE
from crossbranch.search import Analysis
from crossbranch.tree import Sentence, Tree, feature

_SURE = 1e-6  # probabilities are not taken to be nearer to 0 or 1 than this
_FEWEST = 20  # cases that are enough to learn from

_Pair = tuple[float, bool]
"""The probability of a tree or constituent, and whether it is right."""


class MarginalConfidence(StoredConfidence, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The probabilities of the parser, how to correct them, and how reliable they then are."""

    sentences: int = 0  # the number of dev trees that were used
    tree_weights: Weights = ()  # a constant, and a factor of log-odds; empty: nothing is corrected
    constituent_weights: Weights = ()
    tree_reliability: Reliability | None = None
    constituent_reliability: Reliability | None = None

    def judged(
        self, parser: Any, sentences: Sequence[Sentence], options: Any, k_best: int
    ) -> Iterator[tuple[list[Analysis], Any]]:
        """Search once, with probabilities."""
        found = parser.search(sentences, options, k_best=k_best, probabilities=True)
        return ((analyses, partial(self._marked, analyses)) for analyses in found)

    def _marked(self, analyses: Sequence[Analysis], trees: Sequence[Tree]) -> list[Tree]:
        return marked(
            analyses,
            trees,
            lambda one: written(corrected(self.tree_weights, one)),
            lambda one: written(corrected(self.constituent_weights, one)),
        )

    def summary(self, options: Any) -> str:
        """Return one line on how reliable the probabilities were on dev trees."""
        trees, constituents = self.tree_reliability, self.constituent_reliability
        if trees is None or constituents is None:
            return "probabilities of the parser; their reliability was not measured"
        return f"{calibration_errors(trees, constituents)} ({self.sentences:,} dev sentences)"


class _Exact(MarginalConfidence, frozen=True, kw_only=True):
    """Writes probabilities as they are, with all digits."""

    def _marked(self, analyses: Sequence[Analysis], trees: Sequence[Tree]) -> list[Tree]:
        return marked(analyses, trees, repr, repr)


def corrected(weights: Weights, stated: float) -> float:
    """Return what a probability of a parser is worth."""
    return probability(weights, _row(stated)) if weights else stated


def _row(stated: float) -> Row:
    bounded = min(max(stated, _SURE), 1 - _SURE)
    return 1.0, log(bounded / (1 - bounded))


class _Judged(NamedTuple):
    """What was found for a dev sentence."""

    trees: list[_Pair]
    constituents: list[_Pair]


def measure_marginals(parser: Any, dev: Sequence[Tree], *, threads: int) -> MarginalConfidence:
    """Learn from dev trees how to correct the probabilities of a parser.

    How reliable they then are is measured with two folds: learned from one half of the sentences,
    measured on the other half, and vice versa.
    """
    some = sampled(dev, MOST_SENTENCES)
    parser.confidence = _Exact()
    found = parser.parse_many(some, confidence=True, threads=threads)
    judged = [_judge(gold, tree) for gold, tree in zip(some, found, strict=True)]
    trees, constituents = ([one[kind] for one in judged] for kind in range(2))
    return MarginalConfidence(
        sentences=len(some),
        tree_weights=_weights(trees),
        constituent_weights=_weights(constituents),
        tree_reliability=_reliability(trees),
        constituent_reliability=_reliability(constituents),
    )


def _judge(gold: Tree, tree: Tree) -> _Judged:
    counted = Counted(gold.sentence)
    right = counted.keys(gold.root)
    nodes = counted.nodes(tree.root)
    whole = feature(tree.features, CONFIDENCE)
    return _Judged(
        [(float(whole), {key for _, key in nodes} == right)] if whole else [],
        [
            (float(stated), key in right)
            for node, key in nodes
            if (stated := feature(node.features, CONFIDENCE))
        ],
    )


def _weights(sentences: Sequence[Sequence[_Pair]]) -> Weights:
    """Learn from the pairs of sentences; nothing is learned from too few of them."""
    pairs = [pair for pairs in sentences for pair in pairs]
    if len(pairs) < _FEWEST:
        return ()
    rows, outcomes = [_row(stated) for stated, _ in pairs], [right for _, right in pairs]
    found = fit(rows, outcomes, 2)
    if found[1] >= 0:
        return found
    # What the parser finds more probable must not become less probable.
    return (*fit([row[:1] for row in rows], outcomes, 1), 0.0)


def _reliability(sentences: Sequence[Sequence[_Pair]]) -> Reliability:
    stated: list[float] = []
    outcomes: list[bool] = []
    for half in range(2):
        weights = _weights(sentences[1 - half :: 2])
        for pairs in sentences[half::2]:
            stated += [corrected(weights, one) for one, _ in pairs]
            outcomes += [right for _, right in pairs]
    return measure(stated, outcomes)


def marked(
    analyses: Sequence[Analysis],
    trees: Sequence[Tree],
    of_tree: Callable[[float], str],
    of_constituent: Callable[[float], str],
) -> list[Tree]:
    """Write probabilities into trees, by two functions. Fall-back trees have none."""
    if not analyses:
        return list(trees)
    counted = Counted(trees[0].sentence)
    found = []
    for tree, analysis in zip(trees, analyses, strict=True):
        stated = analysis.probabilities or {}
        values = {
            id(node): of_constituent(stated.get((node.label, node.span), 0.0))
            for node, _ in counted.nodes(tree.root)
        }
        whole = None if analysis.probability is None else of_tree(analysis.probability)
        found.append(mark(tree, values, whole))
    return found

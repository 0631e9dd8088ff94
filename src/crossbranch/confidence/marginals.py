"""Confidence from marginals: the probabilities that a parser computes itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from crossbranch.confidence.evidence import Counted, mark, written
from crossbranch.confidence.reliability import (
    Reliability,
    StoredConfidence,
    calibration_errors,
    measure,
)
from crossbranch.constituent import CONFIDENCE
from crossbranch.search import Analysis
from crossbranch.tree import Sentence, Tree, feature


class MarginalConfidence(StoredConfidence, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The probabilities of the parser, and how reliable they were on dev trees."""

    sentences: int = 0  # the number of dev trees used to measure it
    tree_reliability: Reliability | None = None
    constituent_reliability: Reliability | None = None

    def judged(
        self, parser: Any, sentences: Sequence[Sentence], options: Any, k_best: int
    ) -> Iterator[tuple[list[Analysis], Any]]:
        """Search once, with probabilities."""
        found = parser.search(sentences, options, k_best=k_best, probabilities=True)
        return ((analyses, partial(_marked, analyses)) for analyses in found)

    def summary(self, options: Any) -> str:
        """Return one line on how reliable the probabilities were on dev trees."""
        trees, constituents = self.tree_reliability, self.constituent_reliability
        if trees is None or constituents is None:
            return "probabilities of the parser; their reliability was not measured"
        return f"{calibration_errors(trees, constituents)} ({self.sentences:,} dev sentences)"


def measure_marginals(parser: Any, dev: Sequence[Tree], *, threads: int) -> MarginalConfidence:
    """Measure how well the probabilities of a parser agree with dev trees."""
    trees: list[tuple[float, bool]] = []
    constituents: list[tuple[float, bool]] = []
    parser.confidence = MarginalConfidence()
    found = parser.parse_many(dev, confidence=True, threads=threads)
    for gold, tree in zip(dev, found, strict=True):
        counted = Counted(gold.sentence)
        right = counted.keys(gold.root)
        nodes = counted.nodes(tree.root)
        if stated := feature(tree.features, CONFIDENCE):
            trees.append((float(stated), {key for _, key in nodes} == right))
        constituents += [
            (float(stated), key in right)
            for node, key in nodes
            if (stated := feature(node.features, CONFIDENCE))
        ]
    return MarginalConfidence(
        sentences=len(dev),
        tree_reliability=measure(*_columns(trees)),
        constituent_reliability=measure(*_columns(constituents)),
    )


def _columns(pairs: Sequence[tuple[float, bool]]) -> tuple[list[float], list[bool]]:
    return [stated for stated, _ in pairs], [right for _, right in pairs]


def _marked(analyses: Sequence[Analysis], trees: Sequence[Tree]) -> list[Tree]:
    """Write probabilities into trees. Fall-back trees have none."""
    if not analyses:
        return list(trees)
    counted = Counted(trees[0].sentence)
    found = []
    for tree, analysis in zip(trees, analyses, strict=True):
        stated = analysis.probabilities or {}
        values = {
            id(node): written(stated.get((node.label, node.span), 0.0))
            for node, _ in counted.nodes(tree.root)
        }
        whole = None if analysis.probability is None else written(analysis.probability)
        found.append(mark(tree, values, whole))
    return found

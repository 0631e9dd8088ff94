"""Probabilities that a parser computes itself, and how dev trees correct them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from crossbranch.confidence import marginals
from crossbranch.confidence.marginals import MarginalConfidence, corrected, measure_marginals
from crossbranch.search import Analysis
from crossbranch.tree import Node, Sentence, Token, Tree, feature

SENTENCE: Sentence = tuple(Token(word) for word in ["the", "old", "house", "stands", "there"])
GOLD = Tree(SENTENCE, Node("S", [Node("NP", [0, 1, 2]), Node("VP", [3, 4])]))


class Boaster:
    """A parser that is right in some sentences, and always says how sure it is."""

    confidence: Any = None

    def __init__(self, stated: float, right: float) -> None:
        self._stated, self._right, self._random = stated, right, Random(1)

    def search(self, sentences: Sequence[Sentence], *_: Any, **__: Any) -> Iterator[list[Analysis]]:
        for _sentence in sentences:
            label = "NP" if self._random.random() < self._right else "PP"
            root = Node("S", [Node(label, [0, 1, 2]), Node("VP", [3, 4])])
            shares = {(node.label, node.span): self._stated for node in root.preorder()}
            yield [Analysis(root, 0.0, None, self._stated, shares)]

    def parse_many(self, trees: Sequence[Tree], **_: Any) -> Iterator[Tree]:
        """Parse with confidence."""
        found = self.confidence.judged(self, [tree.sentence for tree in trees], None, 1)
        for analyses, mark in found:
            yield mark([Tree(SENTENCE, analyses[0].root)])[0]


@pytest.mark.parametrize(("stated", "right"), [(0.98, 0.6), (0.5, 0.9)])
def test_dev_trees_correct_what_a_parser_says(stated: float, right: float) -> None:
    parser = Boaster(stated, right)
    found = measure_marginals(parser, [GOLD] * 300, threads=1)
    parser.confidence = found
    (tree,) = parser.parse_many([GOLD])
    assert float(feature(tree.features, "confidence")) == pytest.approx(right, abs=0.06)
    assert found.tree_reliability is not None
    assert found.tree_reliability.calibration_error < 0.1
    assert "300 dev sentences" in found.summary(None)
    again = MarginalConfidence.from_json(json.loads(found.to_json()), path="x")
    assert again == found


def test_a_parser_that_is_wrong_when_it_is_sure() -> None:
    random = Random(2)
    pairs = [[(0.9, random.random() < 0.3), (0.2, random.random() < 0.8)] for _ in range(60)]
    weights = marginals._weights(pairs)
    assert weights[1] == 0
    assert corrected(weights, 0.9) == corrected(weights, 0.2) == pytest.approx(0.55, abs=0.08)


def test_few_dev_trees_correct_nothing() -> None:
    found = measure_marginals(Boaster(0.98, 0.6), [GOLD] * 3, threads=1)
    assert found.tree_weights == found.constituent_weights == ()
    assert corrected((), 0.98) == 0.98


def test_more_probable_ones_stay_more_probable() -> None:
    weights = (0.3, 0.5)
    values = [corrected(weights, stated / 10) for stated in range(11)]
    assert values == sorted(values)
    assert 0 < values[0] < values[-1] < 1

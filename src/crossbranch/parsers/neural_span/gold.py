"""The gold trees of training: where their constituents are, and what charts can find of them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from crossbranch import _core
from crossbranch.errors import InputError, TransformError
from crossbranch.parsers.neural_span.labels import PIPELINE, SpanLabels
from crossbranch.parsers.neural_span.spaces import Space
from crossbranch.span import blocks
from crossbranch.tree import Tree

NEVER = -1000.0
"""The score of a constituent that no tree shall have."""

Place = tuple[int, int, int]
"""The first token, the last token, and the label of a span."""


Constituent = tuple[int, int, int, int, int]
"""The label of a constituent and its places i, k, l, j; see `_core.SpanScores.best`."""


class GoldSpans(NamedTuple):
    """The labelled spans of a tree."""

    continuous: list[Place]
    outer: list[Place]
    gap: list[Place]
    """The gaps of the same constituents, in the same order."""

    @classmethod
    def of(cls, tree: Tree, labels: SpanLabels) -> GoldSpans:
        """Take the constituents of a tree in the form of charts."""
        found = cls([], [], [])
        for node in tree.nodes:
            there = blocks(node.span)
            label = labels.number(node, is_root=node is tree.root, blocks=len(there))
            start, end = there[0][0], there[-1][1] - 1
            if len(there) == 1:
                found.continuous.append((start, end, label))
            else:
                found.outer.append((start, end, label))
                found.gap.append((there[0][1], there[1][0] - 1, label))
        return found

    @classmethod
    def of_constituents(cls, constituents: Sequence[Constituent]) -> GoldSpans:
        """Take the constituents of a chart."""
        found = cls([], [], [])
        for label, start, gap, resume, end in constituents:
            if gap < 0:
                found.continuous.append((start, end - 1, label))
            else:
                found.outer.append((start, end - 1, label))
                found.gap.append((gap, resume - 1, label))
        return found

    def constituents(self) -> list[Constituent]:
        """Return the constituents as charts have them."""
        found = [(label, first, -1, -1, last + 1) for first, last, label in self.continuous]
        for (first, last, label), (start, end, _) in zip(self.outer, self.gap, strict=True):
            found.append((label, first, start, end + 1, last + 1))
        return found

    def distinct(self) -> GoldSpans:
        """Return the same with one label for each span, that of the highest constituent.

        Two discontinuous constituents may have the same outer borders, or the same gap.
        """
        return GoldSpans(
            *(list({one[:2]: one for one in reversed(some)}.values()) for some in self)
        )

    def to_bytes(self) -> bytes:
        """Return all numbers, for a checksum."""
        return array("i", [number for some in self for place in some for number in place]).tobytes()

    def reachable(self, tokens: int, space: Space) -> GoldSpans:
        """Return the largest part that a tree of a search space can have.

        A chart answers this: gold constituents have a high score, and all others a very low one.
        Each discontinuous one has a label of its own, so that borders and gaps do not mix.
        """
        if not self.outer:
            return self
        if space.rules == "continuous":
            return GoldSpans(self.continuous, [], [])
        labels = len(self.outer)
        continuous = array("f", [NEVER]) * (tokens * tokens)
        outer, gap = (array("f", [NEVER]) * (len(continuous) * labels) for _ in range(2))
        for first, last, _ in self.continuous:
            continuous[first * tokens + last] = 1
        for number, ((first, last, _), (start, end, _)) in enumerate(
            zip(self.outer, self.gap, strict=True)
        ):
            outer[(first * tokens + last) * labels + number] = 1
            gap[(start * tokens + end) * labels + number] = 0
        scores = _core.SpanScores(
            tokens, continuous, outer, gap, continuous_labels=1, discontinuous_labels=labels
        )
        _, found = scores.best(space.rules, ill_nested=space.ill_nested)
        kept = {(i, j - 1) for _, i, k, _, j in found if k < 0}
        numbers = sorted(label for label, _, k, _, _ in found if k >= 0)
        return GoldSpans(
            [place for place in self.continuous if place[:2] in kept],
            [self.outer[number] for number in numbers],
            [self.gap[number] for number in numbers],
        )


class GoldTrees(NamedTuple):
    """The trees that a parser learns from."""

    labels: SpanLabels
    spans: list[GoldSpans]
    kept: list[int]
    """The numbers of the examples."""
    lost: int = 0
    """The constituents that the search space cannot contain, if it matters."""

    @classmethod
    def read(cls, trees: Sequence[Tree], report: Callable[[InputError], None]) -> GoldTrees:
        """Read the constituents of trees. Those without tokens are reported.

        Raises:
            InputError: No tree is left.
        """
        ready = list(_ready(trees, report))
        if not ready:
            raise InputError("no tree to learn from", "at least one", path="<train>")
        labels = SpanLabels.of(tree for _, tree in ready)
        spans = [GoldSpans.of(tree, labels) for _, tree in ready]
        return cls(labels, spans, [number for number, _ in ready])

    def distinct(self) -> GoldTrees:
        """Return the trees with one label for each span."""
        return self._replace(spans=[one.distinct() for one in self.spans])

    def within(self, space_of: Callable[[int], Space]) -> GoldTrees:
        """Return the trees without the constituents that no tree of a space has beside the rest.

        `space_of` says in which space sentences of a length are learned.
        """
        spans, lost = [], 0
        for old, tokens in zip(self.spans, map(_token_count, self.spans), strict=True):
            new = old.reachable(tokens, space_of(tokens))
            lost += len(old.continuous) + len(old.outer) - len(new.continuous) - len(new.outer)
            spans.append(new)
        return self._replace(spans=spans, lost=lost)


def _token_count(spans: GoldSpans) -> int:
    return spans.continuous[0][1] + 1  # of the root


def _ready(
    trees: Sequence[Tree], report: Callable[[InputError], None]
) -> Iterator[tuple[int, Tree]]:
    for number, tree in enumerate(trees):
        try:
            if not tree.sentence:
                raise TransformError("the sentence has no tokens")
            yield number, PIPELINE.apply(tree)
        except TransformError as error:
            report(InputError(str(error), "a tree with tokens", path="<train>", sentence=tree.id))

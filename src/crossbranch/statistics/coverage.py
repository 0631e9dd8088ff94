"""How many constituents of a treebank the span charts can find: Table 1 of Corro (2020).

A chart itself answers this. If gold constituents have the score 1 and all others a very low one,
its best tree has as many gold constituents as a tree of its search space can have.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any, NamedTuple

from crossbranch import _core
from crossbranch.doors import door
from crossbranch.span import Block, blocks
from crossbranch.tree import ROOT, Tree

SPACES: dict[str, tuple[str, bool]] = {
    "continuous": ("continuous", False),
    "O(n³)": ("cubic", False),
    "O(n⁵), well-nested": ("quintic", False),
    "O(n⁵)": ("quintic", True),
    "O(n⁶), well-nested": ("sextic", False),
    "O(n⁶)": ("sextic", True),
}
"""By title: the rules of a chart, and whether it finds ill-nested trees."""

_NEVER = -1000.0


class Coverage(NamedTuple):
    """Numbers of constituents. Values add."""

    total: int = 0
    two_blocks: int = 0
    """Of exactly two blocks."""
    more_blocks: int = 0
    """Of more than two, which no chart finds."""
    found: tuple[int, ...] = (0,) * len(SPACES)
    """For each search space, how many of all constituents can be found."""
    found_gaps: tuple[int, ...] = (0,) * len(SPACES)
    """For each search space, how many of those of two blocks can be found."""

    @classmethod
    @door
    def of(cls, trees: Iterable[Tree]) -> Coverage:
        """Count the constituents of trees."""
        found = cls()
        for tree in trees:
            found = found.add(_cover(tree))
        return found

    @door
    def add(self, other: Coverage) -> Coverage:
        """Return the numbers of both."""
        return Coverage(
            self.total + other.total,
            self.two_blocks + other.two_blocks,
            self.more_blocks + other.more_blocks,
            tuple(map(sum, zip(self.found, other.found, strict=True))),
            tuple(map(sum, zip(self.found_gaps, other.found_gaps, strict=True))),
        )

    def shares(self) -> dict[str, tuple[float, float, float]]:
        """Return the share that each search space can find, by its title.

        Of all constituents, of those of at most two blocks, and of those of exactly two blocks.
        """
        few = self.total - self.more_blocks
        return {
            title: (_share(found, self.total), _share(found, few), _share(gaps, self.two_blocks))
            for title, found, gaps in zip(SPACES, self.found, self.found_gaps, strict=True)
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "constituents": self.total,
            "of two blocks": self.two_blocks,
            "of more blocks": self.more_blocks,
            "found": dict(zip(SPACES, self.found, strict=True)),
            "found of two blocks": dict(zip(SPACES, self.found_gaps, strict=True)),
        }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _cover(tree: Tree) -> Coverage:
    """Count the constituents of a tree, and those that each chart can find.

    Constituents over the same tokens are found together, as charts do with unary chains.
    """
    spans: dict[int, int] = {}
    for node in tree.nodes[1:] if tree.root.label == ROOT else tree.nodes:
        spans[node.span] = spans.get(node.span, 0) + 1
    by_blocks = {span: blocks(span) for span in spans}
    total = sum(spans.values())
    gapped = {span: one for span, one in by_blocks.items() if len(one) == 2}
    whole = {span: one[0] for span, one in by_blocks.items() if len(one) == 1}
    two_blocks = sum(spans[span] for span in gapped)
    easy = sum(spans[span] for span in whole)
    more = total - two_blocks - easy
    if not gapped:
        count = len(SPACES)
        return Coverage(total, 0, more, (easy,) * count, (0,) * count)
    scores = _scores(len(tree.sentence), spans, whole, gapped)
    found, found_gaps = [], []
    for rules, ill_nested in SPACES.values():
        best, constituents = scores.best(rules, ill_nested=ill_nested)
        found.append(round(best))
        kept = list(gapped)
        found_gaps.append(sum(spans[kept[label]] for label, _, k, _, _ in constituents if k >= 0))
    return Coverage(total, two_blocks, more, tuple(found), tuple(found_gaps))


def _scores(
    tokens: int,
    counts: dict[int, int],
    whole: dict[int, Block],
    gapped: dict[int, list[Block]],
) -> _core.SpanScores:
    """Return scores that are the number of gold constituents of each span.

    Each discontinuous constituent has a label of its own: outer borders and gaps of different ones
    do not fit together.
    """
    cells, labels = tokens * tokens, len(gapped)
    continuous = array("f", [_NEVER]) * cells
    outer, gap = (array("f", [_NEVER]) * (cells * labels) for _ in range(2))
    for span, (start, end) in whole.items():
        continuous[start * tokens + end - 1] = counts[span]
    for label, (span, ((start, first_end), (second_start, end))) in enumerate(gapped.items()):
        outer[(start * tokens + end - 1) * labels + label] = counts[span]
        gap[(first_end * tokens + second_start - 1) * labels + label] = 0
    return _core.SpanScores(
        tokens, continuous, outer, gap, continuous_labels=1, discontinuous_labels=labels
    )

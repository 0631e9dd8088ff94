"""The panels of a picture, one below the other, each with the levels that it shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from crossbranch.drawing.layout import Layout, Range
from crossbranch.drawing.rows import Row
from crossbranch.drawing.shapes import ROW_HEIGHTS
from crossbranch.tree import Tree

MARGIN = 6
STEM = 4
"""From a label down to its bar."""

DROP = 9
"""From a bar down to the child below it."""

SLANTED_DROP = 22
"""The same if branches are slanted. They must be steep enough to follow."""


class Panel(NamedTuple):
    """Some columns of a layout, and where they are on the paper."""

    columns: Range
    x: int
    """To be added to a column."""

    tops: dict[int, int]
    """Where the levels that it shows begin."""

    bottom: int
    """Where the words end."""

    def holds(self, column: int) -> bool:
        """Whether a column is in this panel."""
        return self.columns[0] <= column < self.columns[1]

    @property
    def edges(self) -> Range:
        """Where the panel begins and ends on the paper."""
        return self.columns[0] + self.x, self.columns[1] + self.x


def stack(
    tree: Tree,
    layout: Layout,
    texts: Sequence[list[Row]],
    *,
    left: int,
    between: int,
    drop: int = DROP,
    is_forest: bool = False,
) -> list[Panel]:
    """Put panels one below the other.

    Args:
        tree: The tree that is drawn.
        layout: Its layout.
        texts: The rows of each vertex.
        left: Where the panels begin.
        between: The room below each panel.
        drop: The room between a bar and the children below it.
        is_forest: Leave out the highest level, which is that of the root.
    """
    size = len(tree.sentence)
    step = sum(ROW_HEIGHTS[row.kind] for row in texts[size])
    leaf = sum(ROW_HEIGHTS[row.kind] for row in texts[0]) if size else 0
    panels, y = [], MARGIN
    for columns in layout.panels:
        shown = _levels(layout, columns, size)
        if is_forest:
            shown -= {layout.levels[size]}
        y -= _blank(layout, texts, columns, max(shown))
        tops = {}
        for level in sorted(shown, reverse=True):
            tops[level] = y
            y += step + STEM + drop if level and size else leaf
        bottom = y if size else y + step
        panels.append(Panel(columns, left - columns[0], tops, bottom))
        y = bottom + between
    return panels


def height_above(rows: list[Row]) -> int:
    """The height of the empty rows above the text of a vertex."""
    return sum(ROW_HEIGHTS[row.kind] for row in takewhile(lambda row: not row.text, rows))


def _levels(layout: Layout, columns: Range, size: int) -> set[int]:
    """The levels that have a vertex or a part of a bar in these columns."""
    start, stop = columns
    places = zip(layout.columns, layout.levels, strict=True)
    shown = {level for column, level in places if start <= column < stop}
    bars = zip(layout.bars, layout.levels[size:], strict=True)
    return shown | {level for (left, right), level in bars if left < stop and start < right}


def _blank(layout: Layout, texts: Sequence[list[Row]], columns: Range, level: int) -> int:
    """The height of the part of the highest level that is empty in these columns."""
    here = [
        height_above(texts[vertex])
        for vertex, column in enumerate(layout.columns)
        if layout.levels[vertex] == level and columns[0] <= column < columns[1]
    ]
    return min(here, default=ROW_HEIGHTS["label"])

"""Bands below the words. A band underlines the blocks of a node and connects them over gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from crossbranch.drawing.layout import Layout, Range
from crossbranch.drawing.panels import Panel
from crossbranch.drawing.shapes import Band
from crossbranch.tree import Tree

_STEP = 6  # from a band to the next


class Bands:
    """The bands of some nodes. Small nodes are nearest to the words; a row may have several."""

    def __init__(
        self, tree: Tree, layout: Layout, nodes: Iterable[int], words: Sequence[Range]
    ) -> None:
        """Give each node a row; `words` are the columns of the words."""
        self._tree, self._layout, self._words = tree, layout, words
        self._rows: dict[int, int] = {}
        filled: list[list[Range]] = []
        for node in sorted(nodes, key=lambda node: layout.levels[node]):
            left, right = self._extent(node)
            row = 0
            while row < len(filled) and any(left < r and b < right for b, r in filled[row]):
                row += 1
            if row == len(filled):
                filled.append([])
            filled[row].append((left, right))
            self._rows[node] = row

    @property
    def height(self) -> int:
        """The height of all bands together."""
        return _STEP * (1 + max(self._rows.values(), default=-1))

    def on(self, panels: Sequence[Panel]) -> Iterator[Band]:
        """Yield the shapes: blocks, and the gaps between them."""
        for node, row in self._rows.items():
            start, stop = self._extent(node)
            for panel in panels:
                y = panel.bottom + _STEP // 2 + row * _STEP
                reached = max(start, panel.columns[0])
                for left, right in sorted(self._blocks(panel, node)):
                    if reached < left:
                        yield Band(y, reached + panel.x, left + panel.x, node, is_gap=True)
                    yield Band(y, left + panel.x, right + panel.x, node, is_gap=False)
                    reached = right
                end = min(stop, panel.columns[1])
                if reached < end:
                    yield Band(y, reached + panel.x, end + panel.x, node, is_gap=True)

    def _extent(self, node: int) -> Range:
        edges = [self._words[token] for token in self._tokens(node)]
        return min(left for left, _ in edges), max(right for _, right in edges)

    def _tokens(self, node: int) -> list[int]:
        return self._tree.nodes[node - len(self._words)].tokens

    def _blocks(self, panel: Panel, node: int) -> Iterator[Range]:
        """The columns of the blocks of a node that are in a panel."""
        for block in self._tree.nodes[node - len(self._words)].blocks:
            inside = [t for t in range(*block) if panel.holds(self._layout.columns[t])]
            edges = [edge for token in inside for edge in self._words[token]]
            if edges:
                yield min(edges), max(edges)

"""Trees as text: box-drawing characters or plain ASCII.

Words stand in their order on the last row, tags above them. A line that passes a bar interrupts it;
lines touch only where they branch:

    ┌──────╴│╶──┐      the middle line crosses the bar,
    ┌───────┬───┐      here it hangs from it
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len

from crossbranch.drawing.canvas import ASCII, BOXES, COLORS, Canvas
from crossbranch.drawing.layout import Range, lay_out
from crossbranch.drawing.writing import ABSENT, visible
from crossbranch.errors import UsageError
from crossbranch.tree import Node, Tree

_GAP = 2  # between tokens: room for a piece of bar between two lines that cross it
_NARROWEST = 20


def draw_text(
    tree: Tree,
    *,
    ascii: bool = False,
    edge_labels: bool = True,
    tags: bool = True,
    width: int | None = None,
    color: bool = False,
) -> str:
    """Draw a tree as text.

    Args:
        tree: The tree to draw.
        ascii: Draw the lines with `-`, `|`, `.`, `'` and `+`; words and labels stay as they are.
        edge_labels: Write the edge labels above labels and tags, where the tree has some.
        tags: Write the tags above the words, where the tree has some.
        width: Cut what is wider into panels; a bar that goes on in another panel is numbered.
        color: Show discontinuous nodes and their lines in the colours of the terminal.

    Returns:
        Rows without blanks at their ends, joined by newlines; a blank row stands between panels.
    """
    if width is not None and width < _NARROWEST:
        raise UsageError(f"the width is {width}, expected {_NARROWEST} or more")
    vertices = [tree.vertex(number) for number in range(len(tree.parents))]
    drawing = _Drawing(
        tree,
        ascii=ascii,
        edge_labels=edge_labels and any(vertex.edge_label for vertex in vertices),
        tags=tags and any(token.tag for token in tree.sentence),
        width=width,
    )
    return "\n".join(drawing.rows(color))


class _Drawing:
    """What is written at each vertex, row by row, and where."""

    def __init__(
        self, tree: Tree, *, ascii: bool, edge_labels: bool, tags: bool, width: int | None
    ) -> None:
        self.tree = tree
        self.size = len(tree.sentence)
        self.glyphs = ASCII if ascii else BOXES
        self.edge_labels, self.tags = edge_labels, tags
        margin = len(str(len(tree.nodes))) + len(self.glyphs.onward)
        self.room = None if width is None else width - 2 * margin
        self.texts = [self._texts(vertex) for vertex in range(len(tree.parents))]
        widths = [max(map(cell_len, texts)) for texts in self.texts]
        self.layout = lay_out(tree, widths, gap=_GAP)
        if width is not None and self.layout.panels[0][1] > width:
            self.layout = lay_out(tree, widths, gap=_GAP, width=self.room)

    def _texts(self, number: int) -> list[str]:
        """What is written at a vertex, from top to bottom; an absent edge label is empty."""
        vertex = self.tree.vertex(number)
        texts = [vertex.edge_label] if self.edge_labels else []
        if isinstance(vertex, Node):
            texts.append(vertex.label or ABSENT)
        else:
            texts += [vertex.tag or ABSENT] if self.tags else []
            texts.append(vertex.form or ABSENT)
        limit = None if self.room is None else self.room - _GAP
        return [visible(text, limit, self.glyphs.ellipsis) for text in texts]

    def _top(self, number: int) -> int:
        """The first row of a vertex."""
        height = max(self.layout.levels) - self.layout.levels[number]
        return height * (3 if self.edge_labels else 2)

    def _bar_row(self, node: int) -> int:
        return self._top(node) + len(self.texts[node])

    def rows(self, color: bool) -> Iterator[str]:
        """Yield the rows of all panels."""
        canvas = self._paint(self._colors() if color else {})
        numbers = self._numbers()
        for panel in self.layout.panels:
            if panel[0]:
                yield ""
            yield from canvas.panel(panel, self._margins(panel, numbers))

    def _paint(self, colors: dict[int, int]) -> Canvas:
        height = self._top(0) + len(self.texts[0])
        canvas = Canvas(height, self.glyphs)
        columns, parents = self.layout.columns, self.tree.parents
        below: dict[int, list[int]] = {}
        for vertex, parent in enumerate(parents):
            below.setdefault(parent, []).append(columns[vertex])
            for line, text in enumerate(self.texts[vertex]):
                owner = parent if self.edge_labels and line == 0 else vertex
                if text:
                    row = self._top(vertex) + line
                    canvas.write(row, columns[vertex], text, colors.get(owner))
        for node, extent in enumerate(self.layout.bars, self.size):
            if node in below:
                row, color = self._bar_row(node), colors.get(node)
                canvas.bar(row, extent, columns[node], below[node], color)
        for vertex, parent in enumerate(parents):
            if parent >= 0:
                stop = self._top(vertex) + (not self.texts[vertex][0])
                rows = range(self._bar_row(parent) + 1, stop)
                canvas.line(columns[vertex], rows, colors.get(parent))
        return canvas

    def _colors(self) -> dict[int, int]:
        """The colours of the discontinuous nodes."""
        found = [n for n, node in enumerate(self.tree.nodes, self.size) if node.is_discontinuous]
        return {node: COLORS[turn % len(COLORS)] for turn, node in enumerate(found)}

    def _numbers(self) -> dict[int, int]:
        """The numbers of the nodes whose bars go through several panels, from the top down."""
        cuts = [start for start, _ in self.layout.panels[1:]]
        cut = [
            node
            for node, (start, stop) in enumerate(self.layout.bars, self.size)
            if any(start < cut < stop for cut in cuts)
        ]
        cut.sort(key=lambda node: (self._top(node), self.layout.bars[node - self.size]))
        return {node: number for number, node in enumerate(cut, 1)}

    def _margins(self, panel: Range, numbers: dict[int, int]) -> dict[int, tuple[str, str]]:
        """What stands left and right of the rows of a panel: the bars that go on there."""
        margins: dict[int, tuple[str, str]] = {}
        for node, number in numbers.items():
            row = self._bar_row(node)
            start, stop = self.layout.bars[node - self.size]
            left, right = margins.get(row, ("", ""))
            if start < panel[0] < stop:
                left = f"{number}{self.glyphs.onward}"
            if start < panel[1] < stop:
                right = f"{self.glyphs.onward}{number}"
            margins[row] = left, right
        return margins

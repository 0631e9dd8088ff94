"""Trees as text: box-drawing characters or plain ASCII.

Words are in their order on the last row, with tags above them. A line that crosses a bar interrupts
it. Lines touch only where they branch:

    ┌──────╴│╶──┐      the middle line crosses the bar
    ┌───────┬───┐      the middle line starts at the bar
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len

from crossbranch.doors import door
from crossbranch.drawing.canvas import ASCII, BOXES, COLORS, Canvas
from crossbranch.drawing.layout import Range, lay_out
from crossbranch.drawing.rows import Mark, Row, Wording, letters_of, marked_vertices, notes_on
from crossbranch.drawing.writing import is_right_to_left, isolate, visible
from crossbranch.errors import UsageError
from crossbranch.tree import Tree

_GAP = 2  # between tokens: room for a piece of bar between two lines that cross it
_NARROWEST = 20
_REVERSED, _PLAIN = "7", "39"  # codes of the terminal: light and dark exchanged, no colour


@door
def draw_text(
    tree: Tree,
    *,
    ascii: bool = False,
    edge_labels: bool = True,
    tags: bool = True,
    morphology: bool = False,
    secondary_edges: bool = False,
    width: int | None = None,
    color: bool = False,
    marked: Iterable[Mark] = (),
    mark: str = "*",
    mark_color: int | None = None,
    right_to_left: bool | None = None,
    is_forest: bool = False,
) -> str:
    """Draw a tree as text.

    Args:
        tree: The tree to draw.
        ascii: Draw the lines with `-`, `|`, `.`, `'` and `+`. Words and labels do not change.
        edge_labels: Write edge labels above labels and tags, if the tree has any.
        tags: Write tags above the words, if the tree has any.
        morphology: Write morphology between tags and words, if the tree has any.
        secondary_edges: List secondary edges below the drawing. Letters name their ends.
        width: Cut wider pictures into panels. Bars that continue in another panel get a number.
        color: Show discontinuous nodes and their lines in colours of the terminal.
        marked: Vertices or brackets to mark. A bracket that is listed twice is marked twice.
        mark: Written before the labels of marked nodes.
        mark_color: With `color`, the terminal colour of marked labels, such as 31 for red; None:
            that of their node.
        right_to_left: Put the first word at the right (None: if most letters are right-to-left).
        is_forest: Do not draw the root, which only holds several trees together.

    Returns:
        Rows without blanks at their ends, joined by newlines. There is a blank row between panels.
    """
    if width is not None and width < _NARROWEST:
        raise UsageError(f"the width is {width}, expected {_NARROWEST} or more")
    if right_to_left is None:
        right_to_left = is_right_to_left(token.form for token in tree.sentence)
    rows = Wording.of(
        tree,
        edge_labels=edge_labels,
        tags=tags,
        morphology=morphology,
        signs=dict.fromkeys(marked_vertices(tree, marked), visible(mark)),
        letters=letters_of(tree) if secondary_edges else {},
    )
    drawing = _Sheet(
        rows, ascii=ascii, width=width, right_to_left=right_to_left, is_forest=is_forest
    )
    return "\n".join(drawing.rows(color, mark_color))


class _Sheet:
    """The texts at each vertex, row by row, and their positions."""

    def __init__(
        self,
        rows: Wording,
        *,
        ascii: bool,
        width: int | None,
        right_to_left: bool,
        is_forest: bool,
    ) -> None:
        self.wording = rows
        self.tree = tree = rows.tree
        self.size = len(tree.sentence)
        self.glyphs = ASCII if ascii else BOXES
        self.edge_labels = rows.edge_labels
        self.width = width
        self.hidden = self.size if is_forest else -1  # a root that is not drawn
        margin = len(str(len(tree.nodes))) + len(self.glyphs.onward)
        self.room = None if width is None else width - 2 * margin
        self.texts = [self._texts(vertex) for vertex in range(len(tree.parents))]
        widths = [max(map(cell_len, texts)) for texts in self.texts]
        if is_forest:
            widths[self.size] = 0
        self.layout = lay_out(tree, widths, gap=_GAP, right_to_left=right_to_left)
        if width is not None and self.layout.panels[0][1] > width:
            self.layout = lay_out(
                tree, widths, gap=_GAP, width=self.room, right_to_left=right_to_left
            )

    def _texts(self, number: int) -> list[str]:
        """The texts at a vertex, from top to bottom. Missing ones may be empty."""
        limit = None
        if self.room is not None:
            least = len(self.glyphs.ellipsis) + 1
            limit = max(self.room - _GAP - cell_len(self.wording.longest_affix), least)

        def cut(row: Row) -> str:
            return visible(row.text, limit, self.glyphs.ellipsis)

        return [row.text for row in self.wording.at(number, cut)]

    def _top(self, number: int) -> int:
        """The first row of a vertex."""
        height = max(self.layout.levels) - self.layout.levels[number]
        return height * (3 if self.edge_labels else 2)

    def _bar_row(self, node: int) -> int:
        return self._top(node) + len(self.texts[node])

    def rows(self, color: bool, mark_color: int | None) -> Iterator[str]:
        """Yield the rows of all panels."""
        colors = self._colors() if color else {}
        marks = {}
        if color:
            marks = {
                node: f"{_REVERSED};{mark_color or colors.get(node, _PLAIN)}"
                for node in self.wording.signs
            }
        canvas = self._paint(colors, colors | marks)
        numbers = self._numbers()
        for turn, panel in enumerate(self.layout.panels):
            if turn:
                yield ""
            yield from canvas.panel(panel, self._margins(panel, numbers))
        if self.wording.letters:
            yield ""
            for note in notes_on(self.tree, self.wording.letters):
                yield isolate(visible(note, self.width, self.glyphs.ellipsis))

    def _paint(self, colors: dict[int, str], labels: dict[int, str]) -> Canvas:
        """Put everything on a canvas; labels may have other colours than lines."""
        height = self._top(0) + len(self.texts[0])
        canvas = Canvas(height, self.glyphs)
        columns, parents = self.layout.columns, self.tree.parents
        below: dict[int, list[int]] = {}
        for vertex, parent in enumerate(parents):
            below.setdefault(parent, []).append(columns[vertex])
            for line, text in enumerate(self.texts[vertex]):
                is_edge = self.edge_labels and line == 0
                shade = colors.get(parent) if is_edge else labels.get(vertex)
                if text and vertex != self.hidden:
                    canvas.write(self._top(vertex) + line, columns[vertex], text, shade)
        for node, extent in enumerate(self.layout.bars, self.size):
            if node in below and node != self.hidden:
                row, color = self._bar_row(node), colors.get(node)
                canvas.bar(row, extent, columns[node], below[node], color)
        for vertex, parent in enumerate(parents):
            if parent >= 0 and parent != self.hidden:
                texts = self.texts[vertex]
                empty = next(line for line, text in enumerate(texts) if text)
                stop = self._top(vertex) + empty
                rows = range(self._bar_row(parent) + 1, stop)
                canvas.line(columns[vertex], rows, colors.get(parent))
        return canvas

    def _colors(self) -> dict[int, str]:
        """The colours of the discontinuous nodes."""
        found = [n for n, node in enumerate(self.tree.nodes, self.size) if node.is_discontinuous]
        return {node: str(COLORS[turn % len(COLORS)]) for turn, node in enumerate(found)}

    def _numbers(self) -> dict[int, int]:
        """The numbers of the nodes whose bars are in several panels, from top to bottom."""
        cuts = [start for start, _ in self.layout.panels]
        cut = [
            node
            for node, (start, stop) in enumerate(self.layout.bars, self.size)
            if node != self.hidden and any(start < cut < stop for cut in cuts)
        ]
        cut.sort(key=lambda node: (self._top(node), self.layout.bars[node - self.size]))
        return {node: number for number, node in enumerate(cut, 1)}

    def _margins(self, panel: Range, numbers: dict[int, int]) -> dict[int, tuple[str, str]]:
        """The texts left and right of the rows of a panel, for bars that continue there."""
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

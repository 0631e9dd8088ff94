"""A drawing as shapes on paper, in points from the upper left corner. SVG, TikZ and PDF use it.

Each panel has rows for the levels that it shows. Below the words, a band for each discontinuous
node underlines its blocks and joins them across the gaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from crossbranch.drawing.bands import Bands
from crossbranch.drawing.curves import Curve, route
from crossbranch.drawing.layout import Layout, lay_out, token_rooms
from crossbranch.drawing.measure import shorten, text_width
from crossbranch.drawing.panels import DROP, MARGIN, SLANTED_DROP, STEM, Panel, height_above, stack
from crossbranch.drawing.rows import Mark, Row, Wording, letters_of, marked_vertices, notes_on
from crossbranch.drawing.shapes import (
    ROW_HEIGHTS,
    SIZES,
    Band,
    Bar,
    Box,
    Line,
    Outline,
    Slant,
    Text,
)
from crossbranch.drawing.writing import is_right_to_left, visible
from crossbranch.errors import UsageError
from crossbranch.span import Span
from crossbranch.tree import Tree

_GAP = 12  # between tokens: wider than a halo, so that a crossed bar shows between two lines
_NEAR = _GAP // 3  # a node so near to a child's column moves there
_PADDING = 4  # beside a label, for the outline of marked nodes
_CLEAR = 2  # from a slanted branch to what it leads to
_BETWEEN = 18  # from a panel to the next
_NARROWEST = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What to show, and the maximal width."""

    marked: Iterable[Mark] = ()
    mark: str = ""
    edge_labels: bool = True
    tags: bool = True
    morphology: bool = False
    secondary_edges: bool = False
    blocks: bool = True
    width: int | None = None
    right_to_left: bool | None = None
    slanted: bool = False
    is_first: bool = False
    """Whether marked nodes are what only the first of two trees has: dashed, in another colour."""

    is_forest: bool = False
    """Whether the root is only there to hold several trees together. It is not drawn."""

    items: Mapping[int, str] = field(default_factory=dict)
    """Vertices to outline, and what kind of item each of them is; see `looks.ITEMS`."""

    least_widths: Sequence[int] = ()
    """The room that each token has at least, so that its place is the same in several pictures."""

    color_turns: Mapping[Span, int] = field(default_factory=dict)
    """The numbers of colours, by span, if they are to be the same in several pictures."""

    def __post_init__(self) -> None:
        """Raise a UsageError if the width is too small."""
        if self.width is not None and self.width < _NARROWEST:
            raise UsageError(f"the width is {self.width}, expected {_NARROWEST} or more")


@dataclass(frozen=True, slots=True)
class Picture:
    """All shapes of a drawing, in the order of the fields. Later shapes cover earlier ones."""

    width: int
    height: int
    bands: tuple[Band, ...]
    bars: tuple[Bar, ...]
    slants: tuple[Slant, ...]
    """Used instead of bars if branches are slanted."""

    lines: tuple[Line, ...]
    curves: tuple[Curve, ...]
    outlines: tuple[Outline, ...]
    texts: tuple[Text, ...]
    colors: dict[int, int]
    """The numbers of the discontinuous nodes. Each has its own colour, if there are enough."""

    marked: frozenset[int]
    is_first: bool
    """Whether marked nodes are what only the first of two trees has."""

    bottom: int
    """Where the words of the last panel end."""


def scale_of(font_size: float, normal: float = SIZES["word"]) -> float:
    """Return the scale at which the words of a picture have this size."""
    if not 1 <= font_size <= 500:
        raise UsageError(f"the font size is {font_size:g}, expected 1 to 500")
    return font_size / normal


def inner_width(width: int | None, scale: float) -> int | None:
    """Return the width of a picture before scaling."""
    return width if width is None or scale == 1 else int(width / scale)


def picture_of(tree: Tree, options: Options) -> Picture:
    """Draw a tree as shapes."""
    width = options.width
    rows = Wording.of(
        tree,
        edge_labels=options.edge_labels,
        tags=options.tags,
        morphology=options.morphology,
        signs=dict.fromkeys(marked_vertices(tree, options.marked), visible(options.mark)),
        letters={},
    )
    painter = _Painter(rows, options, None)
    if width is not None and painter.picture_width > width:
        if options.secondary_edges:  # ends in different panels: a list, not curves
            rows = replace(rows, letters=letters_of(tree))
        # A slanted branch cannot continue in another panel, so panels have bars.
        painter = _Painter(rows, replace(options, slanted=False), width)
    return painter.picture()


def token_widths(tree: Tree, options: Options) -> list[int]:
    """Return the room that each token has in a picture that is not cut into panels."""
    rows = Wording.of(
        tree,
        edge_labels=options.edge_labels,
        tags=options.tags,
        morphology=options.morphology,
        signs={},
        letters={},
    )
    return token_rooms(tree, _Painter(rows, options, None).widths)


class _Painter:
    """Gives everything its position on the paper."""

    def __init__(self, rows: Wording, options: Options, width: int | None) -> None:
        self.rows, self.options, self.width = rows, options, width
        self.tree = tree = rows.tree
        self.size = len(tree.sentence)
        self.cut_room = text_width(str(len(tree.nodes)), SIZES["cut"]) + 6
        room = None if width is None else width - 2 * (MARGIN + self.cut_room)
        self.texts = [self._texts(vertex, room) for vertex in range(len(tree.parents))]
        self.widths = [max(map(_room, texts)) for texts in self.texts]
        if options.is_forest:
            self.widths[self.size] = 0
        for token in filter(lambda vertex: vertex < self.size, options.items):
            self.widths[token] += 2 * _PADDING  # for the outline of its word
        for token, least in enumerate(options.least_widths):
            self.widths[token] = max(self.widths[token], least)
        right_to_left = options.right_to_left
        if right_to_left is None:
            right_to_left = is_right_to_left(token.form for token in tree.sentence)
        layout = lay_out(tree, self.widths, gap=_GAP, width=room, right_to_left=right_to_left)
        self.layout = _straighten(tree, layout)
        found = [n for n, node in enumerate(tree.nodes, self.size) if node.is_discontinuous]
        turns = options.color_turns
        self.colors = {
            node: turns.get(tree.nodes[node - self.size].span, turn)
            for turn, node in enumerate(found)
        }
        words = [self._word_edges(token) for token in range(self.size)]
        self.bands = Bands(tree, self.layout, self.colors if options.blocks else (), words)
        self.panels = stack(
            tree,
            self.layout,
            self.texts,
            left=MARGIN + (self.cut_room if len(self.layout.panels) > 1 else 0),
            between=self.bands.height + _BETWEEN,
            drop=SLANTED_DROP if options.slanted else DROP,
            is_forest=options.is_forest,
        )

    def _texts(self, vertex: int, room: int | None) -> list[Row]:
        affix = self.rows.longest_affix

        def cut(row: Row) -> str:
            text = visible(row.text)
            if room is None:
                return text
            size = SIZES[row.kind]
            return shorten(text, size, room - _GAP - 2 * _PADDING - text_width(affix, size))

        return self.rows.at(vertex, cut)

    @property
    def picture_width(self) -> int:
        """The width of the widest panel, with its margins."""
        sides = 2 * MARGIN + (2 * self.cut_room if len(self.layout.panels) > 1 else 0)
        return max(stop - start for start, stop in self.layout.panels) + sides

    def _is_hidden(self, vertex: int) -> bool:
        """Whether this is a root that is not drawn."""
        return self.options.is_forest and vertex == self.size

    def _place(self, vertex: int) -> tuple[int, int]:
        """The middle and the top of a vertex."""
        column = self.layout.columns[vertex]
        panel = next(panel for panel in self.panels if panel.holds(column))
        return column + panel.x, panel.tops[self.layout.levels[vertex]]

    def _bar_y(self, node: int, panel: Panel) -> int:
        rows = sum(ROW_HEIGHTS[row.kind] for row in self.texts[node])
        return panel.tops[self.layout.levels[node]] + rows + STEM

    def picture(self) -> Picture:
        """Return all shapes."""
        texts = self._writing() + self._cuts()
        width, height = self.picture_width, self.panels[-1].bottom + self.bands.height + MARGIN
        marked = self.rows.signs.keys()
        curves: tuple[Curve, ...] = ()
        if self.rows.letters:
            room = None if self.width is None else self.width - 2 * MARGIN
            for note in notes_on(self.tree, self.rows.letters):
                text = note if room is None else shorten(note, SIZES["note"], room)
                texts.append(Text("note", MARGIN, height + 8, text, -1, -1))
                width = max(width, 2 * MARGIN + text_width(text, SIZES["note"]))
                height += ROW_HEIGHTS["note"]
        elif self.options.secondary_edges and self.tree.secondary_edges:
            edges, paper = self.tree.secondary_edges, (width, height)
            curves, labels, (width, height) = route(edges, texts, self._strokes(), paper)
            texts += labels
        return Picture(
            width=width,
            height=height,
            bands=tuple(self.bands.on(self.panels)),
            bars=() if self.options.slanted else tuple(self._bars()),
            slants=tuple(self._slants()) if self.options.slanted else (),
            lines=tuple(self._lines()),
            curves=curves,
            outlines=(
                *(self._outline(vertex, kind) for vertex, kind in self.options.items.items()),
                *map(self._outline, marked),
            ),
            texts=tuple(texts),
            colors=self.colors,
            marked=frozenset(marked),
            is_first=self.options.is_first,
            bottom=self.panels[-1].bottom,
        )

    def _strokes(self) -> list[Box]:
        """The boxes of bars and lines; a slanted branch is a row of small ones."""
        if self.options.slanted:
            bars = [box for slant in self._slants() for box in _steps(slant)]
        else:
            bars = [Box(bar.left, bar.y - 1, bar.right, bar.y + 1) for bar in self._bars()]
        return bars + [Box(x - 1, top, x + 1, bottom) for x, top, bottom, _ in self._lines()]

    def _writing(self) -> list[Text]:
        """The texts at the vertices. An edge label has the colour of the node above it."""
        texts = []
        for vertex, rows in enumerate(self.texts):
            if self._is_hidden(vertex):
                continue
            x, y = self._place(vertex)
            for row in rows:
                height, size = ROW_HEIGHTS[row.kind], SIZES[row.kind]
                owner = self.tree.parents[vertex] if row.kind == "edge" else vertex
                if row.text:
                    base = y + (height + size) // 2 - 2
                    texts.append(Text(row.kind, x, base, row.text, vertex, owner))
                y += height
        return texts

    def _bars(self) -> Iterable[Bar]:
        """The bars, cut into pieces at panel ends. The stem belongs to one of the pieces."""
        for node, (start, stop) in enumerate(self.layout.bars, self.size):
            if not self.tree.nodes[node - self.size].children or self._is_hidden(node):
                continue
            stem = self.layout.columns[node]
            for panel in self.panels:
                left, right = max(start, panel.columns[0]), min(stop, panel.columns[1])
                if left < right:
                    top = stem + panel.x if panel.holds(stem) else None
                    y = self._bar_y(node, panel)
                    yield Bar(y, left + panel.x, right - 1 + panel.x, top, y - STEM, node)

    def _slants(self) -> Iterable[Slant]:
        """A straight line from each node to the column of each child, as high as the next level."""
        (panel,) = self.panels
        for vertex, parent in enumerate(self.tree.parents):
            if parent >= 0 and not self._is_hidden(parent):
                x, top = self._place(parent)[0], self._bar_y(parent, panel) - STEM
                yield Slant(x, top, self._place(vertex)[0], self._branch_y(parent, panel), parent)

    def _branch_y(self, node: int, panel: Panel) -> int:
        """Where the lines to the children of a node begin to go straight down."""
        if self.options.slanted:
            return self._bar_y(node, panel) + SLANTED_DROP - _CLEAR
        return self._bar_y(node, panel)

    def _cuts(self) -> list[Text]:
        """The numbers of bars that continue in other panels, from top to bottom."""
        if len(self.panels) == 1:
            return []
        cuts = [panel.columns[0] for panel in self.panels]
        bars = list(enumerate(self.layout.bars, self.size))[self.options.is_forest :]
        cut = [node for node, (left, right) in bars if any(left < c < right for c in cuts)]
        cut.sort(key=lambda node: -self.layout.levels[node])
        texts = []
        for number, node in enumerate(cut, 1):
            start, stop = self.layout.bars[node - self.size]
            for panel in self.panels:
                left, right = panel.edges
                for edge, x in ((panel.columns[0], left), (panel.columns[1], right)):
                    if start < edge < stop:
                        side = -1 if x == left else 1
                        place = x + side * self.cut_room // 2
                        base = self._bar_y(node, panel) + 4
                        texts.append(Text("cut", place, base, str(number), -1, node))
        return texts

    def _lines(self) -> Iterable[Line]:
        """A line from the bar of the parent down to each vertex."""
        for vertex, parent in enumerate(self.tree.parents):
            if parent < 0 or self._is_hidden(parent):
                continue
            x, stop = self._place(vertex)
            stop += height_above(self.texts[vertex])
            panel = next(p for p in self.panels if p.holds(self.layout.columns[vertex]))
            top = self._branch_y(parent, panel)
            if not self.options.slanted or top < stop - _CLEAR:
                yield Line(x, top, stop, parent)

    def _word_edges(self, token: int) -> tuple[int, int]:
        half = text_width(self.texts[token][-1].text, SIZES["word"]) // 2
        return self.layout.columns[token] - half, self.layout.columns[token] + half

    def _outline(self, vertex: int, item: str = "") -> Outline:
        """The box around the label of a node, or around a word."""
        x, y = self._place(vertex)
        last = self.texts[vertex][-1]
        height = ROW_HEIGHTS[last.kind]
        width = text_width(last.text, SIZES[last.kind]) + 2 * _PADDING
        top = y + sum(ROW_HEIGHTS[row.kind] for row in self.texts[vertex]) - height
        return Outline(x - width / 2, top, width, height, vertex, item)


def _room(row: Row) -> int:
    """The room of a text, with its outline if it can have one."""
    return text_width(row.text, SIZES[row.kind]) + (2 * _PADDING if row.kind == "label" else 0)


def _steps(slant: Slant, count: int = 8) -> Iterable[Box]:
    """Small boxes along a slanted line."""
    across, down = (slant.to_x - slant.x) / count, (slant.bottom - slant.top) / count
    for step in range(count):
        x, y = slant.x + step * across, slant.top + step * down
        yield Box(min(x, x + across) - 1, y, max(x, x + across) + 1, y + down)


def _straighten(tree: Tree, layout: Layout) -> Layout:
    """Move nodes that are almost above a child exactly above it. The gap leaves room for this."""
    size = len(tree.sentence)
    columns, bars = list(layout.columns), list(layout.bars)
    children: list[list[int]] = [[] for _ in tree.nodes]
    for vertex, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent - size].append(vertex)
    for number in reversed(range(len(tree.nodes))):
        column = columns[size + number]
        below = [columns[child] for child in children[number]]
        near = [place for place in below if abs(place - column) <= _NEAR]
        column = columns[size + number] = near[0] if near else column
        bars[number] = (min([column, *below]), max([column, *below]) + 1)
    return replace(layout, columns=tuple(columns), bars=tuple(bars))

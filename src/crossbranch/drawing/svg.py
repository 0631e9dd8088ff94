"""Trees as pictures: SVG that needs nothing else, neither scripts nor fonts.

Bars are drawn first, then the lines that drop from them, each with a halo in the colour of the
paper. So a line that crosses a bar interrupts it; lines touch only where they branch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape

from crossbranch.drawing.layout import Layout, lay_out
from crossbranch.drawing.measure import text_width
from crossbranch.drawing.writing import ABSENT, visible
from crossbranch.tree import Bracket, Node, Tree

# Font size and height of a row in points, by what is written there.
_SIZES = {"edge": (11, 15), "label": (13, 17), "tag": (11, 15), "word": (14, 18)}
_GAP = 12  # between tokens: wider than a halo, so that a crossed bar shows between two lines
_NEAR = _GAP // 3  # a node so near to a child's column moves there
_MARGIN = 6
_PADDING = 4  # beside a label, for the outline of marked nodes
_STEM = 4  # from a label down to its bar
_DROP = 9  # from a bar down to what hangs there
_COLORS = 4  # classes c0 .. c3 of the style sheet, taken in turn by discontinuous nodes

STYLE = """\
svg.tree{font-family:Arial,Helvetica,"Liberation Sans","DejaVu Sans",sans-serif;color:#222}
svg.tree .paper{fill:#fff}
svg.tree text{text-anchor:middle;fill:currentColor;unicode-bidi:plaintext}
svg.tree .edge{font-size:11px;font-style:italic}
svg.tree .label{font-size:13px}
svg.tree .tag{font-size:11px}
svg.tree .word{font-size:14px}
svg.tree .edge text,svg.tree .tag text{fill:#595959}
svg.tree path{fill:none;stroke:currentColor;stroke-width:1.2;stroke-linecap:square}
svg.tree .halo{stroke:#fff;stroke-width:7;stroke-linecap:butt}
svg.tree .c0{color:#0060a8}
svg.tree .c1{color:#00734f}
svg.tree .c2{color:#8a3fa0}
svg.tree .c3{color:#7a5700}
svg.tree path.discontinuous,svg.tree path.marked{stroke-width:2}
svg.tree rect.marked{fill:#ffdde2;stroke:#b8143a;stroke-width:1.5}
@media (prefers-color-scheme:dark){
svg.tree{color:#e4e4e4}
svg.tree .paper{fill:#1b1d20}
svg.tree .edge text,svg.tree .tag text{fill:#b0b0b0}
svg.tree .halo{stroke:#1b1d20}
svg.tree .c0{color:#6cbcf5}
svg.tree .c1{color:#46d3a8}
svg.tree .c2{color:#dca4ee}
svg.tree .c3{color:#e3c458}
svg.tree rect.marked{fill:#5c1526;stroke:#ff7d98}
}
"""
"""The style sheet of all pictures; a page that shows many of them needs it only once."""


def draw_svg(
    tree: Tree,
    *,
    marked: Iterable[Bracket] = (),
    edge_labels: bool = True,
    tags: bool = True,
    style: bool = True,
) -> str:
    """Draw a tree as SVG.

    Args:
        tree: The tree to draw.
        marked: Brackets to outline, each as often as it occurs here.
        edge_labels: Write the edge labels above labels and tags, where the tree has some.
        tags: Write the tags above the words, where the tree has some.
        style: Put the style sheet into the picture; without it, the page must hold `STYLE`.

    Returns:
        One `<svg>` element.
    """
    vertices = [tree.vertex(number) for number in range(len(tree.parents))]
    picture = _Picture(
        tree,
        marked=_find(tree, marked),
        edge_labels=edge_labels and any(vertex.edge_label for vertex in vertices),
        tags=tags and any(token.tag for token in tree.sentence),
    )
    return "".join(picture.parts(style))


def _find(tree: Tree, brackets: Iterable[Bracket]) -> set[int]:
    """The vertices of the nodes that these brackets stand for, the highest first."""
    wanted = Counter(brackets)
    found = set()
    for vertex, node in enumerate(tree.nodes, len(tree.sentence)):
        bracket = Bracket(node.label, node.span)
        if wanted[bracket] > 0:
            wanted[bracket] -= 1
            found.add(vertex)
    return found


def _width(kind: str, text: str) -> int:
    """The room that a text takes up, with its outline where it may have one."""
    return text_width(text, _SIZES[kind][0]) + (2 * _PADDING if kind == "label" else 0)


def _straighten(tree: Tree, layout: Layout) -> Layout:
    """Move nodes that stand almost over a child right over it; the gap leaves room for that."""
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


class _Picture:
    """What is written at each vertex, and where."""

    def __init__(self, tree: Tree, *, marked: set[int], edge_labels: bool, tags: bool) -> None:
        self.tree, self.marked = tree, marked
        self.size = len(tree.sentence)
        self.edge_labels, self.tags = edge_labels, tags
        self.texts = [self._texts(vertex) for vertex in range(len(tree.parents))]
        widths = [max(_width(kind, text) for kind, text in texts) for texts in self.texts]
        self.layout = _straighten(tree, lay_out(tree, widths, gap=_GAP))
        self.highest = max(self.layout.levels)
        self.classes = self._classes()

    def _texts(self, number: int) -> list[tuple[str, str]]:
        """What is written at a vertex, from top to bottom; an absent edge label is empty."""
        vertex = self.tree.vertex(number)
        texts = [("edge", vertex.edge_label)] if self.edge_labels else []
        if isinstance(vertex, Node):
            texts.append(("label", vertex.label or ABSENT))
        else:
            texts += [("tag", vertex.tag or ABSENT)] if self.tags else []
            texts.append(("word", vertex.form or ABSENT))
        return [(kind, visible(text)) for kind, text in texts]

    def _classes(self) -> dict[int, str]:
        """The classes of the nodes that do not look like the others."""
        classes: dict[int, str] = {}
        turn = 0
        for vertex, node in enumerate(self.tree.nodes, self.size):
            names = []
            if node.is_discontinuous:
                names += ["discontinuous", f"c{turn % _COLORS}"]
                turn += 1
            if vertex in self.marked:
                names.append("marked")
            if names:
                classes[vertex] = " ".join(names)
        return classes

    def _x(self, vertex: int) -> int:
        return _MARGIN + self.layout.columns[vertex]

    def _top(self, vertex: int) -> int:
        """Where the rows of a vertex begin."""
        label = _SIZES["label"][1] + (_SIZES["edge"][1] if self.edge_labels else 0)
        above = self.highest - self.layout.levels[vertex]
        return _MARGIN + above * (label + _STEM + _DROP)

    def _bottom(self, vertex: int) -> int:
        return self._top(vertex) + sum(_SIZES[kind][1] for kind, _ in self.texts[vertex])

    def _bar(self, node: int) -> int:
        return self._bottom(node) + _STEM

    def parts(self, style: bool) -> Iterator[str]:
        """Yield the picture from the paper up."""
        width = self.layout.panels[-1][1] + 2 * _MARGIN
        height = max(map(self._bottom, range(len(self.texts)))) + _MARGIN
        words = " ".join(visible(token.form or ABSENT) for token in self.tree.sentence)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" '
            f'aria-label="{escape(words)}" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">'
        )
        if style:
            yield f"<style>{escape(STYLE, quote=False)}</style>"
        yield f'<rect class="paper" width="{width}" height="{height}"/>'
        yield from self._lines()
        for vertex in sorted(self.marked):
            yield self._outline(vertex)
        for kind in _SIZES:
            yield from self._writing(kind)
        yield "</svg>"

    def _lines(self) -> Iterator[str]:
        """Bars, halos and lines; those of one class in one path."""
        bars: dict[str, list[str]] = {}
        lines: dict[str, list[str]] = {}
        halos = []
        for vertex, parent in enumerate(self.tree.parents):
            if parent < 0:
                continue
            name, bar, x = self.classes.get(parent, ""), self._bar(parent), self._x(vertex)
            stop = self._top(vertex)
            if not self.texts[vertex][0][1]:  # no edge label: on to the next row
                stop += _SIZES["edge"][1]
            lines.setdefault(name, []).append(f"M{x} {bar}V{stop}")
            halos.append(f"M{x} {bar + 3}V{stop}")
        for node, (start, stop) in enumerate(self.layout.bars, self.size):
            if self.tree.nodes[node - self.size].children:
                bar = self._bar(node)
                bars.setdefault(self.classes.get(node, ""), []).append(
                    f"M{self._x(node)} {bar - _STEM}V{bar}M{_MARGIN + start} {bar}"
                    f"H{_MARGIN + stop - 1}"
                )
        for name, pieces in [*bars.items(), ("halo", halos), *lines.items()]:
            if pieces:
                names = f' class="{name}"' if name else ""
                yield f'<path{names} d="{"".join(pieces)}"/>'

    def _outline(self, vertex: int) -> str:
        """The box around the label of a marked node."""
        height, width = _SIZES["label"][1], _width(*self.texts[vertex][-1])
        return (
            f'<rect class="marked" x="{self._x(vertex) - width / 2:g}" '
            f'y="{self._bottom(vertex) - height}" width="{width}" height="{height}" rx="3"/>'
        )

    def _writing(self, kind: str) -> Iterator[str]:
        """All texts of one kind, each in the colour of its node; an edge label in its parent's."""
        texts = []
        for vertex, lines in enumerate(self.texts):
            y = self._top(vertex)
            owner = self.tree.parents[vertex] if kind == "edge" else vertex
            names = f' class="{self.classes[owner]}"' if owner in self.classes else ""
            for found, text in lines:
                size, height = _SIZES[found]
                if found == kind and text:
                    base = y + (height + size) // 2 - 2
                    texts.append(
                        f'<text{names} x="{self._x(vertex)}" y="{base}">{escape(text)}</text>'
                    )
                y += height
        if texts:
            yield f'<g class="{kind}">{"".join(texts)}</g>'

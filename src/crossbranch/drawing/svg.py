"""Trees as SVG pictures without scripts or fonts.

Bars are drawn first, then the lines from the bars to the children, each with a halo in the colour
of the paper. So a line that crosses a bar interrupts it. Lines touch only where they branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from math import ceil
from typing import Literal

from crossbranch.doors import door
from crossbranch.drawing.looks import (
    COLORS,
    STYLE,
    Attributes,
    Classes,
    Theme,
    check_theme,
    style_sheet,
)
from crossbranch.drawing.picture import Options, Picture, inner_width, picture_of, scale_of
from crossbranch.drawing.rows import Mark
from crossbranch.drawing.shapes import SIZES, Text
from crossbranch.drawing.writing import ABSENT, visible
from crossbranch.tree import Tree

__all__ = ["STYLE", "draw_svg", "render"]

StyleChoice = bool | Literal["plain"]


@door
def draw_svg(
    tree: Tree,
    *,
    marked: Iterable[Mark] = (),
    mark: str = "",
    edge_labels: bool = True,
    tags: bool = True,
    morphology: bool = False,
    secondary_edges: bool = False,
    blocks: bool = True,
    style: StyleChoice = True,
    width: int | None = None,
    right_to_left: bool | None = None,
    slanted: bool = False,
    font_size: float = SIZES["word"],
    theme: Theme = "auto",
    vertices: bool = False,
) -> str:
    """Draw a tree as SVG.

    Args:
        tree: The tree to draw.
        marked: Vertices or brackets to outline. A bracket that is listed twice is outlined twice.
        mark: Written before the labels of marked nodes.
        edge_labels: Write edge labels above labels and tags, if the tree has any.
        tags: Write tags above the words, if the tree has any.
        morphology: Write morphology between tags and words, if the tree has any.
        secondary_edges: Draw secondary edges as dashed arrows from the child to its additional
            parent. If there are several panels, list the edges below the picture instead.
        blocks: Underline the words of each discontinuous node, block by block.
        style: Put the style sheet into the picture. If False, the page must contain `STYLE`. If
            "plain", use attributes instead of a style sheet, which every program understands.
        width: Cut wider pictures into panels. Bars that continue in another panel get a number.
        right_to_left: Put the first word at the right (None: if most letters are right-to-left).
        slanted: Draw straight lines from a node to its children, not right angles. Pictures in
            several panels always have right angles.
        font_size: The size of the words in pixels. Everything else grows with it.
        theme: Use light or dark colours; "auto" does as the reader's system. Plain pictures are
            always light.
        vertices: Give texts and lines the attribute `data-vertex` with the number of their vertex,
            for pages with scripts.

    Returns:
        One `<svg>` element.
    """
    scale = scale_of(font_size)
    options = Options(
        marked=marked,
        mark=mark,
        edge_labels=edge_labels,
        tags=tags,
        morphology=morphology,
        secondary_edges=secondary_edges,
        blocks=blocks,
        width=inner_width(width, scale),
        right_to_left=right_to_left,
        slanted=slanted,
    )
    check_theme(theme)
    picture = picture_of(tree, options)
    return "".join(render(tree, picture, style=style, scale=scale, theme=theme, vertices=vertices))


def render(
    tree: Tree,
    picture: Picture,
    *,
    style: StyleChoice,
    y: int = 0,
    scale: float = 1,
    above: int = 0,
    theme: Theme = "auto",
    vertices: bool = False,
) -> Iterator[str]:
    """Yield the parts of an `<svg>` element, from back to front.

    Args:
        tree: The tree that was drawn.
        picture: Its shapes.
        style: As in `draw_svg`.
        y: The place of the element in another one.
        scale: How large it is.
        above: The free space above the picture.
        theme: As in `draw_svg`.
        vertices: As in `draw_svg`.
    """
    drawing = _Elements(picture, Attributes() if style == "plain" else Classes(), vertices)
    words = " ".join(visible(token.form or ABSENT) for token in tree.sentence)
    height = picture.height + above
    size = f'width="{picture.width}" height="{height}"'
    size = f'y="{-above}" {size}' if above else size
    outer = size_of(picture.width, height, scale)
    place = f' y="{y}"' if y else ""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg"{drawing.looks.picture()} role="img" '
        f'aria-label="{escape(words)}"{place} {outer} '
        f'viewBox="0 {-above} {picture.width} {height}">'
    )
    if style is True:
        yield f"<style>{escape(style_sheet(theme), quote=False)}</style>"
    yield f"<rect{drawing.looks.paper()} {size}/>"
    yield from drawing.bands()
    yield from drawing.lines()
    yield from drawing.curves()
    yield from drawing.outlines()
    for kind in SIZES:
        yield from drawing.writing(kind)
    yield "</svg>"


def size_of(width: int, height: int, scale: float) -> str:
    """Return the size of an `<svg>` element as attributes, in whole pixels."""
    return f'width="{ceil(width * scale)}" height="{ceil(height * scale)}"'


class _Elements:
    """The shapes of a picture as elements. Shapes that look the same are one path."""

    def __init__(self, picture: Picture, looks: Classes, has_vertices: bool) -> None:
        self.picture, self.looks, self.has_vertices = picture, looks, has_vertices
        self.names = {node: self._names(node) for node in {*picture.colors, *picture.marked}}

    def _names(self, node: int) -> str:
        """The classes of a node if it is discontinuous or marked."""
        names = []
        if node in self.picture.colors:
            names += ["discontinuous", self._color(node)]
        if node in self.picture.marked:
            names.append("marked")
        return " ".join(names)

    def _text_names(self, text: Text) -> str:
        """The classes of a text: those of its node, and "crossing" for some functions."""
        names = self.names.get(text.owner, "")
        is_crossing = text.kind == "edge" and text.vertex in self.picture.colors
        return f"{names} crossing".lstrip() if is_crossing else names

    def _color(self, node: int) -> str:
        return f"c{self.picture.colors[node] % len(COLORS)}"

    def _paths(self, strokes: Iterable[tuple[str, int, str]]) -> Iterator[str]:
        """One path for each class; with numbers of vertices, for each class and node."""
        paths: dict[tuple[str, int], list[str]] = {}
        for names, node, stroke in strokes:
            paths.setdefault((names, node if self.has_vertices else -1), []).append(stroke)
        for (names, node), pieces in paths.items():
            looks = f"{self.looks.stroke(names)}{self._vertex(node)}"
            yield f'<path{looks} d="{"".join(pieces)}"/>'

    def _vertex(self, number: int) -> str:
        """The attribute with the number of a vertex, if it is wanted and there is one."""
        return f' data-vertex="{number}"' if self.has_vertices and number >= 0 else ""

    def bands(self) -> Iterator[str]:
        """The bands below the words."""
        yield from self._paths(
            (f"{'gap' if band.is_gap else 'block'} {self._color(band.node)}", band.node, stroke)
            for band in self.picture.bands
            for stroke in [f"M{band.left} {band.y}H{band.right}"]
        )

    def lines(self) -> Iterator[str]:
        """Bars, halos and lines."""
        bars = []
        for bar in self.picture.bars:
            stem = f"M{bar.stem} {bar.top}V{bar.y}" if bar.stem is not None else ""
            stroke = f"{stem}M{bar.left} {bar.y}H{bar.right}"
            bars.append((self.names.get(bar.node, ""), bar.node, stroke))
        for slant in self.picture.slants:
            stroke = f"M{slant.x} {slant.top}L{slant.to_x} {slant.bottom}"
            bars.append((self.names.get(slant.node, ""), slant.node, stroke))
        yield from self._paths(bars)
        lines = self.picture.lines
        yield from self._paths(
            ("halo", -1, f"M{line.x} {line.halo_top}V{line.bottom}") for line in lines
        )
        yield from self._paths(
            (self.names.get(line.node, ""), line.node, f"M{line.x} {line.top}V{line.bottom}")
            for line in lines
        )

    def curves(self) -> Iterator[str]:
        """The secondary edges."""
        curves = []
        for curve in self.picture.curves:
            start, *rest = (f"{x:.1f} {y:.1f}" for x, y in curve.points)
            curves.append(("secondary", -1, f"M{start}C{' '.join(rest)}"))
            corners = "L".join(f"{x:.1f} {y:.1f}" for x, y in curve.head)
            curves.append(("head secondary", -1, f"M{corners}Z"))
        yield from self._paths(curves)
        for text in self.picture.texts:
            if text.kind == "secondary":  # the curve stops before its label
                left, top, right, bottom = text.box
                yield (
                    f'<rect{self.looks.paper()} x="{left:g}" y="{top:g}" '
                    f'width="{right - left:g}" height="{bottom - top:g}"/>'
                )

    def outlines(self) -> Iterator[str]:
        """The boxes around marked labels."""
        for box in self.picture.outlines:
            if box.item:
                looks = self.looks.item(box.item)
            else:
                looks = self.looks.outline(self.picture.is_first)
            yield (
                f'<rect{looks}{self._vertex(box.vertex)} x="{box.left:g}" y="{box.top}" '
                f'width="{box.width}" height="{box.height}" rx="3"/>'
            )

    def writing(self, kind: str) -> Iterator[str]:
        """All texts of one kind, each in the colour of its owner."""
        texts = [
            f"<text{self.looks.text(kind, self._text_names(text))}{self._vertex(text.vertex)} "
            f'x="{text.x}" y="{text.y}">{escape(text.text)}</text>'
            for text in self.picture.texts
            if text.kind == kind
        ]
        if texts:
            yield f"<g{self.looks.texts(kind)}>{''.join(texts)}</g>"

"""Trees as PDF, one tree per page, with text that can be searched. Needs `crossbranch[pdf]`.

The shapes are those of the SVG picture; one pixel there is 0.75 pt here. matplotlib writes the file
and has a font, DejaVu Sans. Characters outside this font are taken from fonts of the machine.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from crossbranch.doors import door
from crossbranch.drawing.compared import (
    SWATCH,
    ComparedPictures,
    PlacedTree,
    arrange,
    compared,
    pair_up,
)
from crossbranch.drawing.curves import Curve
from crossbranch.drawing.looks import (
    COLORS,
    FAINT,
    FAINT_KINDS,
    FAULT,
    FAULT_PAPER,
    FIRST,
    FIRST_PAPER,
    HALO,
    INK,
    ITALIC_KINDS,
    SECONDARY,
)
from crossbranch.drawing.pdf_fonts import PdfFonts
from crossbranch.drawing.picture import Options, Picture, inner_width, picture_of, scale_of
from crossbranch.drawing.rows import Mark
from crossbranch.drawing.shapes import FROM_LEFT, SIZES, Text
from crossbranch.errors import UsageError
from crossbranch.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_UNIT = 0.75  # points for each pixel of the SVG picture
WORD_SIZE = SIZES["word"] * _UNIT
"""The default size of words, in points."""

_PAPER = (595.28, 841.89)  # A4, in points
_PAPER_MARGIN = 56.0  # about 2 cm
_LARGEST = 14400.0  # points: many programs do not show larger pages


class _PageSize(NamedTuple):
    """The size of a page, its margin, and how large one unit of a picture is; all in points."""

    width: float
    height: float
    margin: float
    unit: float


@door
def draw_pdf(
    trees: Iterable[Tree],
    *,
    compare_with: Iterable[Tree] | None = None,
    names: tuple[str, str] = ("gold", "predicted"),
    edge_labels: bool = True,
    tags: bool = True,
    morphology: bool = False,
    secondary_edges: bool = False,
    blocks: bool = True,
    width: int | None = None,
    right_to_left: bool | None = None,
    slanted: bool = False,
    font_size: float = WORD_SIZE,
    fit: bool = False,
    marks: Callable[[Tree], Iterable[Mark]] | None = None,
) -> bytes:
    """Draw trees as a PDF file with one page for each.

    Args:
        trees: The trees to draw. They are read one at a time.
        compare_with: Other trees of the same sentences, in the same order. Both trees are drawn on
            one page, and nodes that only one of them has are marked.
        names: The names of the two sides of a comparison.
        edge_labels: Write edge labels above labels and tags, if a tree has any.
        tags: Write tags above the words, if a tree has any.
        morphology: Write morphology between tags and words, if a tree has any.
        secondary_edges: Draw secondary edges as dashed arrows from the child to its additional
            parent. If there are several panels, list the edges below the picture instead.
        blocks: Underline the words of each discontinuous node, block by block.
        width: Cut wider pictures into panels; in units of 0.75 pt.
        right_to_left: Put the first word at the right (None: if most letters are right-to-left).
        slanted: Draw straight lines from a node to its children, not right angles. Pictures in
            several panels always have right angles.
        font_size: The size of the words in points. Everything else grows with it.
        fit: Make A4 pages. Trees that are too wide are cut into panels, and trees that are too
            tall are drawn smaller. Without it, each page is as large as its tree, up to 5 metres.
        marks: Returns the vertices or brackets of a tree to outline.

    Returns:
        The bytes of a PDF file.

    Raises:
        UsageError: matplotlib is not installed, there are no trees, or the two sides of a
            comparison do not have the same sentences.
    """
    scale = scale_of(font_size, WORD_SIZE)
    if fit:
        if width is not None:
            raise UsageError("give either a width or fit, not both")
        width = int((_PAPER[0] - 2 * _PAPER_MARGIN) / _UNIT)
    options: dict[str, Any] = {
        "edge_labels": edge_labels,
        "tags": tags,
        "morphology": morphology,
        "secondary_edges": secondary_edges,
        "blocks": blocks,
        "width": inner_width(width, scale),
        "right_to_left": right_to_left,
        "slanted": slanted,
    }
    sheets: Iterator[Picture | ComparedPictures]
    if compare_with is None:
        marked = marks or (lambda tree: ())
        sheets = (picture_of(tree, Options(marked=marked(tree), **options)) for tree in trees)
    else:
        pairs = pair_up(trees, compare_with)
        sheets = (arrange(compared(one, other, names), **options) for one, other in pairs)
    return _write(sheets, scale, fit)


def _write(sheets: Iterator[Picture | ComparedPictures], scale: float, fit: bool) -> bytes:
    first = next(sheets, None)
    if first is None:
        raise UsageError("there are no trees to draw, and a PDF file needs at least one page")
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_pdf import PdfPages
    except ImportError:
        raise UsageError(
            'PDF drawings need matplotlib; try: pip install "crossbranch[pdf]"'
        ) from None
    file, fonts = BytesIO(), PdfFonts()
    # Type 42: fonts as they are, so that text can be searched and copied.
    with (
        rc_context({"pdf.fonttype": 42, "text.usetex": False}),
        PdfPages(file, metadata={"CreationDate": None}) as pages,
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings(
            "ignore", "Glyph .* missing from"
        )  # there is one warning at the end
        for sheet in chain([first], sheets):
            pages.savefig(_figure(sheet, _page_size(sheet, scale, fit), fonts))
    fonts.warn()
    return file.getvalue()


def _page_size(sheet: Picture | ComparedPictures, scale: float, fit: bool) -> _PageSize:
    unit = min(_UNIT * scale, _LARGEST / max(sheet.width, sheet.height))
    if not fit:
        return _PageSize(sheet.width * unit, sheet.height * unit, 0.0, unit)
    width, height = _PAPER
    room = width - 2 * _PAPER_MARGIN, height - 2 * _PAPER_MARGIN
    unit = min(unit, room[0] / sheet.width, room[1] / sheet.height)
    return _PageSize(width, height, _PAPER_MARGIN, unit)


def _figure(sheet: Picture | ComparedPictures, page: _PageSize, fonts: PdfFonts) -> Any:
    """A page: axes whose units are those of the picture, y downwards."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(page.width / 72, page.height / 72))
    left, top = page.margin / page.unit, page.margin / page.unit
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(-left, page.width / page.unit - left)
    axes.set_ylim(page.height / page.unit - top, -top)
    if isinstance(sheet, Picture):
        _Painting(axes, sheet, fonts, unit=page.unit).paint()
        return figure
    for part in sheet.parts:
        painting = _Painting(axes, part.picture, fonts, unit=page.unit, y=part.picture_y)
        painting.paint()
        painting.caption(part)
    return figure


class _Painting:
    """Puts the shapes of a picture on axes. Later shapes cover earlier ones."""

    def __init__(
        self, axes: Axes, picture: Picture, fonts: PdfFonts, *, unit: float, y: int = 0
    ) -> None:
        self.axes, self.picture, self.fonts = axes, picture, fonts
        self.unit, self.y = unit, y
        self.layer = 1

    def paint(self) -> None:
        """Paint everything, from the paper up."""
        picture = self.picture
        for band in picture.bands:
            ends = [(band.left, band.y), (band.right, band.y)]
            if band.is_gap:
                self.line(ends, self.color(band.node), 1.2, dashes=(1.5, 3))
            else:
                self.line(ends, self.color(band.node), 3, capstyle="round", alpha=0.7)
        self.layer += 1
        for bar in picture.bars:
            if bar.stem is not None:
                self.branch([(bar.stem, bar.top), (bar.stem, bar.y)], bar.node)
            if bar.left < bar.right:
                self.branch([(bar.left, bar.y), (bar.right, bar.y)], bar.node)
        for slant in picture.slants:
            self.branch([(slant.x, slant.top), (slant.to_x, slant.bottom)], slant.node)
        self.layer += 1
        for line in picture.lines:
            self.line([(line.x, line.halo_top), (line.x, line.bottom)], "white", HALO)
        self.layer += 1
        for line in picture.lines:
            self.branch([(line.x, line.top), (line.x, line.bottom)], line.node)
        self.layer += 1
        for curve in picture.curves:
            self.curve(curve)
        self.layer += 1
        for text in picture.texts:
            if text.kind == "secondary":  # the curve stops before its label
                left, top, right, bottom = text.box
                self.box(left, top, right - left, bottom - top, "white", "none")
        for outline in picture.outlines:
            self.outline(outline.left, outline.top, outline.width, outline.height)
        self.layer += 1
        for text in picture.texts:
            self.text(text, self.text_color(text))

    def caption(self, part: PlacedTree) -> None:
        """Write the name of one of two trees above it, after a box in its colour."""
        self.y = 0
        self.outline(*part.swatch_place, SWATCH, SWATCH)
        self.text(Text("caption", *part.caption_place, part.caption, -1, -1), INK)

    def color(self, node: int) -> str:
        """The colour of a node and its lines."""
        colors = self.picture.colors
        return COLORS[colors[node] % len(COLORS)] if node in colors else INK

    def branch(self, points: Sequence[tuple[float, float]], node: int) -> None:
        """Draw a line that belongs to a node."""
        strong = node in self.picture.colors or node in self.picture.marked
        self.line(points, self.color(node), 2 if strong else 1.2, capstyle="projecting")

    def line(
        self,
        points: Sequence[tuple[float, float]],
        color: str,
        width: float,
        *,
        capstyle: str = "butt",
        dashes: tuple[float, float] | None = None,
        alpha: float | None = None,
    ) -> None:
        """Draw a line."""
        from matplotlib.lines import Line2D

        style = "-" if dashes is None else (0, tuple(part / width for part in dashes))
        self.axes.add_line(
            Line2D(
                [x for x, _ in points],
                [y + self.y for _, y in points],
                color=color,
                linewidth=width * self.unit,
                linestyle=style,  # type: ignore[arg-type]
                solid_capstyle=capstyle,  # type: ignore[arg-type]
                dash_capstyle="butt",
                alpha=alpha,
                zorder=self.layer,
            )
        )

    def curve(self, curve: Curve) -> None:
        """Draw a secondary edge."""
        from matplotlib.patches import PathPatch, Polygon
        from matplotlib.path import Path

        points = [(x, y + self.y) for x, y in curve.points]
        path = Path(points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
        look = {"linewidth": 1.2 * self.unit, "linestyle": (0, (4.2, 2.5)), "zorder": self.layer}
        self.axes.add_patch(PathPatch(path, facecolor="none", edgecolor=SECONDARY, **look))
        head = [(x, y + self.y) for x, y in curve.head]
        arrow = Polygon(head, closed=True, facecolor=SECONDARY, edgecolor="none")
        arrow.set_zorder(self.layer)
        self.axes.add_patch(arrow)

    def box(self, x: float, y: float, width: float, height: float, fill: str, edge: str) -> Any:
        """Draw a rectangle."""
        from matplotlib.patches import Rectangle

        patch = Rectangle((x, y + self.y), width, height, facecolor=fill, edgecolor=edge)
        patch.set_zorder(self.layer)
        self.axes.add_patch(patch)
        return patch

    def outline(self, x: float, y: float, width: float, height: float) -> None:
        """Draw the box around a marked label."""
        is_first = self.picture.is_first
        colors = (FIRST_PAPER, FIRST) if is_first else (FAULT_PAPER, FAULT)
        patch = self.box(x, y, width, height, *colors)
        patch.set_linewidth(1.5 * self.unit)
        if is_first:
            patch.set_linestyle((0, (4 / 1.5, 2 / 1.5)))

    def text_color(self, text: Text) -> str:
        """The colour of a text: grey, or the colour of its node."""
        if text.kind in FAINT_KINDS:
            return FAINT
        return SECONDARY if text.kind == "secondary" else self.color(text.owner)

    def text(self, text: Text, color: str) -> None:
        """Write a text. None of its characters is read as a command."""
        self.axes.text(
            text.x,
            text.y + self.y,
            text.text,
            fontsize=SIZES[text.kind] * self.unit,
            family=self.fonts.families(text.text),
            style="italic" if text.kind in ITALIC_KINDS else "normal",
            weight="bold" if text.kind == "caption" else "normal",
            color=color,
            horizontalalignment="left" if text.kind in FROM_LEFT else "center",
            verticalalignment="baseline",
            parse_math=False,
            zorder=self.layer,
        )

r"""Trees as TikZ, for papers. The only package needed is tikz, without its libraries.

Positions are those of the SVG picture; one unit is one point there. Texts are escaped, so that
every character is printed as it is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from crossbranch.doors import door
from crossbranch.drawing.curves import Point
from crossbranch.drawing.looks import (
    COLORS,
    FAULT,
    FAULT_PAPER,
    FIRST,
    FIRST_PAPER,
    HALO,
    SECONDARY,
)
from crossbranch.drawing.panels import MARGIN
from crossbranch.drawing.picture import Options, Picture, inner_width, picture_of, scale_of
from crossbranch.drawing.rows import Mark
from crossbranch.drawing.shapes import FROM_LEFT
from crossbranch.tree import Tree

_UNIT = 0.75  # in TeX's points

_LETTERS = "abcd"
_COLORS = {f"tree{letter}": color for letter, color in zip(_LETTERS, COLORS, strict=True)} | {
    "treefault": FAULT,
    "treefaultpaper": FAULT_PAPER,
    "treefirst": FIRST,
    "treefirstpaper": FIRST_PAPER,
    "treesecondary": SECONDARY,
}
_STYLES = {
    "branch": "line width=0.6pt, line cap=rect",
    "discontinuous": "line width=1pt",
    "halo": f"draw=white, line width={_UNIT * HALO:g}pt",
    "block": "line width=1.8pt, line cap=round, opacity=0.7",
    "gap": "line width=0.6pt, dash pattern=on 0.8pt off 1.6pt",
    "arrow": "draw=treesecondary, line width=0.6pt, dash pattern=on 3pt off 2pt",
    "marked": "draw=treefault, fill=treefaultpaper, line width=0.8pt, rounded corners=1.5pt",
    "first": "draw=treefirst, fill=treefirstpaper, dash pattern=on 3pt off 1.5pt",
}
_FONTS = {
    "edge": (8, r"\itshape"),
    "label": (9, ""),
    "tag": (8, ""),
    "morphology": (7, ""),
    "word": (10, ""),
    "cut": (7, ""),
    "secondary": (7, r"\itshape"),
    "note": (8, ""),
    "caption": (9, r"\bfseries"),
}
"""The size and shape of each kind of text, with commands that every LaTeX has."""

WORD_SIZE = _FONTS["word"][0]
"""The default size of words, in points."""

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",  # babel makes this character active in some languages
    "…": r"\ldots{}",
    "−": "$-$",
    "\N{DOTTED CIRCLE}": r"$\circ$",
}
_LIGATING = frozenset("-'`,!?")  # LaTeX makes other characters of --, '', ,, and others

_STANDALONE = """\\documentclass[tikz,border=4pt]{standalone}
\\begin{document}
"""


@door
def draw_tikz(
    tree: Tree,
    *,
    standalone: bool = False,
    marked: Iterable[Mark] = (),
    mark: str = "",
    edge_labels: bool = True,
    tags: bool = True,
    morphology: bool = False,
    secondary_edges: bool = False,
    blocks: bool = True,
    width: int | None = None,
    right_to_left: bool | None = None,
    slanted: bool = False,
    font_size: float = WORD_SIZE,
) -> str:
    r"""Draw a tree as TikZ code.

    Args:
        tree: The tree to draw.
        standalone: Make a complete document. Otherwise, the result is a `tikzpicture` for a
            document with `\usepackage{tikz}`.
        marked: Vertices or brackets to outline. A bracket that is listed twice is outlined twice.
        mark: Written before the labels of marked nodes.
        edge_labels: Write edge labels above labels and tags, if the tree has any.
        tags: Write tags above the words, if the tree has any.
        morphology: Write morphology between tags and words, if the tree has any.
        secondary_edges: Draw secondary edges as dashed arrows from the child to its additional
            parent. If there are several panels, list the edges below the picture instead.
        blocks: Underline the words of each discontinuous node, block by block.
        width: Cut wider pictures into panels; in units of 0.75 pt.
        right_to_left: Put the first word at the right (None: if most letters are right-to-left).
        slanted: Draw straight lines from a node to its children, not right angles. Pictures in
            several panels always have right angles.
        font_size: The size of the words in points. Everything else grows with it.

    Returns:
        Lines of LaTeX, each ended by a newline.
    """
    scale = scale_of(font_size, WORD_SIZE)
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
    code = render_tikz(picture_of(tree, options), scale=scale)
    return f"{_STANDALONE}{code}\\end{{document}}\n" if standalone else code


def escape(text: str) -> str:
    """Return LaTeX code that prints every character of a text as it is."""
    parts: list[str] = []
    last = ""
    for character in unicodedata.normalize("NFC", text):  # pdflatex knows é as one character only
        if last in _LIGATING and character in _LIGATING:
            parts.append("{}")
        parts.append(_ESCAPES.get(character, character))
        last = character
    return "".join(parts)


def render_tikz(picture: Picture, *, scale: float = 1, caption: str = "") -> str:
    """Return a picture as a `tikzpicture`, with a caption above it if there is one."""
    return "\n".join(_lines(picture, scale, caption)) + "\n"


def _lines(picture: Picture, scale: float, caption: str) -> Iterator[str]:
    unit = f"{_UNIT * scale:.4g}"
    yield rf"\begin{{tikzpicture}}[x={unit}pt, y=-{unit}pt,"
    for name, style in _STYLES.items():
        yield f"  tree {name}/.style={{{style}}},"
    for kind, (size, shape) in _FONTS.items():
        anchor = "base west" if kind in FROM_LEFT else "base"
        sizes = f"{{{size * scale:.4g}}}{{{(size + 2) * scale:.4g}}}"
        font = rf"\fontsize{sizes}\selectfont{shape}"
        yield f"  tree {kind}/.style={{anchor={anchor}, inner sep=0pt, font={font}}},"
    yield "]"
    for name, color in _COLORS.items():
        yield rf"\definecolor{{{name}}}{{HTML}}{{{color[1:].upper()}}}"
    yield from _strokes(picture)
    yield from _texts(picture)
    if caption:
        style = "tree marked, tree first" if picture.is_first else "tree marked"
        yield rf"\draw[{style}] {_point((MARGIN, -22))} rectangle {_point((MARGIN + 14, -8))};"
        place = _point((MARGIN + 20, -10))
        yield rf"\node[tree caption] at {place} {{{escape(caption)}}};"
    yield r"\end{tikzpicture}"


def _strokes(picture: Picture) -> Iterator[str]:
    """Everything that is not text, from back to front."""
    for band in picture.bands:
        style = f"tree {'gap' if band.is_gap else 'block'}, {_color(picture, band.node)}"
        yield _line(style, (band.left, band.y), (band.right, band.y))
    for bar in picture.bars:
        style = _branch(picture, bar.node)
        if bar.stem is not None:
            yield _line(style, (bar.stem, bar.top), (bar.stem, bar.y))
        if bar.left < bar.right:
            yield _line(style, (bar.left, bar.y), (bar.right, bar.y))
    for slant in picture.slants:
        style = _branch(picture, slant.node)
        yield _line(style, (slant.x, slant.top), (slant.to_x, slant.bottom))
    for line in picture.lines:
        yield _line("tree halo", (line.x, line.halo_top), (line.x, line.bottom))
    for line in picture.lines:
        yield _line(_branch(picture, line.node), (line.x, line.top), (line.x, line.bottom))
    for curve in picture.curves:
        start, one, two, stop = map(_point, curve.points)
        yield rf"\draw[tree arrow] {start} .. controls {one} and {two} .. {stop};"
        yield rf"\fill[treesecondary] {' -- '.join(map(_point, curve.head))} -- cycle;"
    marked = "tree marked, tree first" if picture.is_first else "tree marked"
    for box in picture.outlines:
        corner = box.left + box.width, box.top + box.height
        yield rf"\draw[{marked}] {_point((box.left, box.top))} rectangle {_point(corner)};"


def _texts(picture: Picture) -> Iterator[str]:
    """All texts. The lowest text of a vertex, its label or word, is the node (v0), (v1), ..."""
    lowest = {text.vertex: text for text in picture.texts}
    for text in picture.texts:
        styles = [f"tree {text.kind}"]
        if text.owner in picture.colors and text.kind == "label":
            styles.append(_color(picture, text.owner))
        if text.kind == "secondary":
            styles += ["treesecondary", "fill=white"]
        name = f" (v{text.vertex})" if text.vertex >= 0 and lowest[text.vertex] is text else ""
        place = _point((text.x, text.y))
        yield rf"\node[{', '.join(styles)}]{name} at {place} {{{escape(text.text)}}};"


def _branch(picture: Picture, node: int) -> str:
    if node in picture.colors:
        return f"tree branch, tree discontinuous, {_color(picture, node)}"
    return "tree branch"


def _color(picture: Picture, node: int) -> str:
    return f"tree{_LETTERS[picture.colors[node] % len(_LETTERS)]}"


def _line(style: str, start: Point, stop: Point) -> str:
    return rf"\draw[{style}] {_point(start)} -- {_point(stop)};"


def _point(point: Point) -> str:
    return f"({_number(point[0])},{_number(point[1])})"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

"""One function for all kinds of drawings. `Tree.draw` and notebooks use it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

from crossbranch.disk import replace_file
from crossbranch.drawing.page import draw_html
from crossbranch.drawing.pdf import draw_pdf
from crossbranch.drawing.png import draw_png
from crossbranch.drawing.svg import draw_svg
from crossbranch.drawing.text import draw_text
from crossbranch.drawing.tikz import draw_tikz
from crossbranch.errors import UsageError
from crossbranch.tree import Tree

ENDINGS = {
    ".txt": "drawn",
    ".svg": "svg",
    ".tex": "tikz",
    ".tikz": "tikz",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".png": "png",
}
"""The formats by file ending."""

DRAWERS: dict[str, Callable[..., Any]] = {
    "drawn": draw_text,
    "svg": draw_svg,
    "tikz": draw_tikz,
    "html": draw_html,
    "pdf": draw_pdf,
    "png": draw_png,
}

FIT_WIDTHS = {"drawn": 80, "svg": 640, "tikz": 460, "html": 1000, "png": 640}
"""The width at which `fit` cuts a drawing: a terminal, a page of paper, a line of text in LaTeX, a
window. PDF has pages of its own."""

NOTEBOOK_WIDTH = 1000
"""In pixels. Notebooks shrink wider pictures, so that they are hard to read."""


class Drawing(str):
    """A drawing as text. The Python prompt shows it without quotes."""

    __slots__ = ()
    mime_type = "text/plain"

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {self.mime_type: str(self)}


class Vectors(Drawing):
    """A drawing as SVG, which notebooks show as a picture."""

    __slots__ = ()
    mime_type = "image/svg+xml"


class Page(Drawing):
    """A drawing as HTML, which notebooks show as a page."""

    __slots__ = ()
    mime_type = "text/html"


class Document(bytes):
    """A drawing as PDF."""

    def _repr_mimebundle_(self, **_: object) -> dict[str, bytes]:
        return {"application/pdf": bytes(self)}


class Pixels(bytes):
    """A drawing as PNG, which notebooks show as a picture."""

    def _repr_png_(self) -> bytes:
        return bytes(self)


def draw(
    tree: Tree,
    path: str | PathLike[str] | None = None,
    *,
    format: str = "",
    fit: bool = False,
    **options: Any,
) -> Drawing | Document | Pixels | None:
    """Draw a tree. Return the drawing, or write it to a file, whose ending decides the format."""
    format = format or ("drawn" if path is None else _format_of(path))
    drawer = _drawer(format)
    _check(format, options)
    if fit:
        options = fitted(format, options)
    drawn: Drawing | Document | Pixels
    if format == "html":
        drawn = Page("".join(drawer([tree], **options)))
    elif format == "pdf":
        drawn = Document(drawer([tree], **options))
    elif format == "png":
        drawn = Pixels(drawer(tree, **options))
    else:
        drawn = (Vectors if format == "svg" else Drawing)(drawer(tree, **options))
    if path is None:
        return drawn
    text = drawn if isinstance(drawn, bytes) else (drawn.rstrip("\n") + "\n").encode()
    replace_file(path, text)
    return None


def fitted(format: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options, with a width for panels that fit a page or a terminal."""
    if options.get("width") is not None:
        raise UsageError("give either a width or fit, not both")
    return options | ({"fit": True} if format == "pdf" else {"width": FIT_WIDTHS[format]})


def draw_for_notebook(tree: Tree) -> str:
    """Return a picture that is not wider than the page of a notebook."""
    return draw_svg(tree, width=NOTEBOOK_WIDTH)


def kind_of(name: str | PathLike[str]) -> str | None:
    """Return the format for a file with this name; None if its ending is unknown."""
    return ENDINGS.get(Path(name).suffix.lower())


def _format_of(path: str | PathLike[str]) -> str:
    if (kind := kind_of(path)) is None:
        known = ", ".join(ENDINGS)
        raise UsageError(
            f"cannot recognise a format by the name {str(path)!r}: "
            f"give a format, or a name that ends in one of {known}"
        )
    return kind


def _drawer(format: str) -> Callable[..., Any]:
    if format not in DRAWERS:
        raise UsageError(f"cannot draw as {format!r}; formats are {', '.join(DRAWERS)}")
    return DRAWERS[format]


def _check(format: str, options: dict[str, Any]) -> None:
    known = _names(DRAWERS[format])
    if format == "png":  # drawn as SVG first, in a style that converters understand
        known += [name for name in _names(draw_svg) if name != "style"]
    for name in options:
        if name not in known:
            raise UsageError(
                f"the format {format} has no option {name!r}; options are {', '.join(known)}"
            )


def _names(drawer: Callable[..., Any]) -> list[str]:
    parameters = inspect.signature(drawer).parameters.values()
    return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]

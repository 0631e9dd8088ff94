"""The trees of a document as pictures."""

from __future__ import annotations

from typing import Any

from spacy.tokens import Doc, Span

from crossbranch.drawing import draw_svg
from crossbranch.drawing.dispatch import NOTEBOOK_WIDTH, Page
from crossbranch.spacy.views import EXTENSIONS


def render(found: Doc | Span, **options: Any) -> Page:
    """Draw the trees of a document, or of the sentences of a span, one below the other.

    Notebooks show the result. It is a text with HTML and SVG, for use in pages.

    Args:
        found: A document, or a span of one.
        **options: The options of `draw_svg`.
    """
    trees = EXTENSIONS[type(found)]["trees"](found)
    options = {"width": NOTEBOOK_WIDTH} | options
    pictures = "\n".join(f"<div>{draw_svg(tree, **options)}</div>" for tree in trees)
    return Page(f"<div>\n{pictures}\n</div>")

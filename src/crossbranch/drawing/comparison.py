"""Two trees over the same words, one above the other, with their differences marked.

A bracket of the first that the second lacks is marked with a minus, one that only the second has
with a plus. Brackets are counted: (label, span), each as often as it occurs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape
from typing import Any, Literal, NamedTuple

from crossbranch.drawing.looks import STYLE, Attributes, Classes
from crossbranch.drawing.measure import shorten, text_width
from crossbranch.drawing.picture import Options, picture_of
from crossbranch.drawing.shapes import SIZES
from crossbranch.drawing.svg import render
from crossbranch.drawing.text import draw_text
from crossbranch.drawing.writing import ABSENT, isolate, visible
from crossbranch.errors import UsageError
from crossbranch.tree import Bracket, Tree

MISSING, EXTRA = "−", "+"
_CAPTION = 24  # the height of a caption's row
_CAPTION_ROOM = 480  # at least so much for a caption, however narrow the tree
_MARGIN = 6


class Differences(NamedTuple):
    """What two trees do not have in common, in preorder."""

    missing: list[Bracket]
    """Brackets that only the first has."""

    extra: list[Bracket]
    """Brackets that only the second has."""


def differences(gold: Tree, predicted: Tree) -> Differences:
    """Compare two trees by their brackets, the roots included.

    Raises:
        UsageError: They do not have the same words.
    """
    words, others = ([token.form for token in tree.sentence] for tree in (gold, predicted))
    if words != others:
        place = next((i for i, (a, b) in enumerate(zip(words, others)) if a != b), None)  # noqa: B905
        if place is None:
            found = f"{len(words)} and {len(others)} words"
        else:
            found = f"{words[place]!r} and {others[place]!r} as word {place + 1}"
        raise UsageError(f"the trees to compare have {found}, expected the same words")
    return Differences(
        missing=list((Counter(gold.brackets) - Counter(predicted.brackets)).elements()),
        extra=list((Counter(predicted.brackets) - Counter(gold.brackets)).elements()),
    )


def draw_comparison(
    gold: Tree,
    predicted: Tree,
    *,
    format: Literal["drawn", "svg"] = "drawn",
    names: tuple[str, str] = ("gold", "predicted"),
    **options: Any,
) -> str:
    """Draw two trees over the same words, what only one of them has marked.

    Args:
        gold: The first tree.
        predicted: The second tree.
        format: The kind of drawing.
        names: What the trees are called.
        options: Those of `draw_text` or `draw_svg`, except `marked` and `mark`.

    Returns:
        Rows joined by newlines, or one `<svg>` element.

    Raises:
        UsageError: The trees do not have the same words.
    """
    found = differences(gold, predicted)
    pairs = [
        _ComparedTree(names[0], gold, found.missing, MISSING),
        _ComparedTree(names[1], predicted, found.extra, EXTRA),
    ]
    if format == "drawn":
        return "\n\n".join(_as_text(side, **options) for side in pairs)
    if format == "svg":
        return "".join(_as_svg(pairs, **options))
    raise UsageError(f"{format!r} is no kind of comparison, expected 'drawn' or 'svg'")


class _ComparedTree(NamedTuple):
    name: str
    tree: Tree
    marked: list[Bracket]
    mark: str

    @property
    def caption(self) -> str:
        """The name of the tree, and its differences in words."""
        name = visible(self.name)
        if not self.marked:
            return name
        labels = ", ".join(visible(bracket.label or ABSENT) for bracket in self.marked)
        return f"{name}, marked {self.mark}: {labels}"


def _as_text(side: _ComparedTree, *, ascii: bool = False, **options: Any) -> str:
    side = side._replace(mark="-") if ascii and side.mark == MISSING else side
    drawing = draw_text(side.tree, ascii=ascii, marked=side.marked, mark=side.mark, **options)
    return f"{isolate(visible(side.caption, options.get('width')))}\n{drawing}"


def _as_svg(
    sides: list[_ComparedTree], *, style: bool | Literal["plain"] = True, **options: Any
) -> Iterator[str]:
    looks = Attributes() if style == "plain" else Classes()
    pictures = [
        picture_of(side.tree, Options(marked=side.marked, mark=side.mark, **options))
        for side in sides
    ]
    size = SIZES["caption"]
    room = max(_CAPTION_ROOM, *(picture.width - 2 * _MARGIN for picture in pictures))
    captions = [shorten(side.caption, size, room) for side in sides]
    widths = [text_width(caption, size) + 2 * _MARGIN for caption in captions]
    width = max(*widths, *(picture.width for picture in pictures))
    height = sum(picture.height + _CAPTION for picture in pictures)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg"{looks.picture()} '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    )
    if style is True:
        yield f"<style>{escape(STYLE, quote=False)}</style>"
    yield f'<rect{looks.paper()} width="{width}" height="{height}"/>'
    y = 0
    for side, picture, caption in zip(sides, pictures, captions, strict=True):
        text = f'<text{looks.text("caption", "")} x="{_MARGIN}" y="{y + _CAPTION - 6}">'
        yield f"<g{looks.texts('caption')}>{text}{escape(caption)}</text></g>"
        inner: bool | Literal["plain"] = "plain" if style == "plain" else False
        yield from render(side.tree, picture, style=inner, y=y + _CAPTION)
        y += _CAPTION + picture.height
    yield "</svg>"

"""Two trees of the same words, one above the other, with their differences marked.

A minus marks brackets that only the first tree has. A plus marks brackets that only the second has.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any, Literal, overload

from crossbranch.doors import door
from crossbranch.drawing.canvas import FIRST_COLOR, SECOND_COLOR
from crossbranch.drawing.compared import MISSING, SWATCH, ComparedTree, arrange, compared
from crossbranch.drawing.looks import Attributes, Classes, Theme, check_theme, style_sheet
from crossbranch.drawing.pdf import draw_pdf
from crossbranch.drawing.picture import inner_width, scale_of
from crossbranch.drawing.png import svg_to_png
from crossbranch.drawing.shapes import SIZES
from crossbranch.drawing.svg import StyleChoice, render, size_of
from crossbranch.drawing.text import draw_text
from crossbranch.drawing.tikz import WORD_SIZE, render_tikz
from crossbranch.drawing.writing import isolate, visible
from crossbranch.errors import UsageError
from crossbranch.tree import Tree

FORMATS = ("drawn", "svg", "tikz", "png", "pdf")


@overload
def draw_comparison(
    gold: Tree,
    predicted: Tree,
    *,
    format: Literal["png", "pdf"],
    names: tuple[str, str] = ...,
    **options: Any,
) -> bytes: ...


@overload
def draw_comparison(
    gold: Tree,
    predicted: Tree,
    *,
    format: Literal["drawn", "svg", "tikz"] = ...,
    names: tuple[str, str] = ...,
    **options: Any,
) -> str: ...


@door
def draw_comparison(
    gold: Tree,
    predicted: Tree,
    *,
    format: str = "drawn",
    names: tuple[str, str] = ("gold", "predicted"),
    **options: Any,
) -> str | bytes:
    """Draw two trees of the same words, one above the other, with their differences marked.

    Nodes that only the first tree has get a minus and a dashed amber outline. Nodes that only the
    second tree has get a plus and a red outline. Each tree has a caption with its colour.

    Args:
        gold: The first tree.
        predicted: The second tree.
        format: The kind of drawing.
        names: The names of the two trees.
        options: The options of the function that draws one tree in this format, except `marked`,
            `mark` and `standalone`.

    Returns:
        Rows joined by newlines, one `<svg>` element, two `tikzpicture`s, or the bytes of a file.

    Raises:
        UsageError: The trees do not have the same words.
    """
    trees = compared(gold, predicted, names)
    if format == "drawn":
        return "\n\n".join(_as_text(tree, **options) for tree in trees)
    if format == "svg":
        return "".join(_as_svg(trees, **options))
    if format == "tikz":
        return "\n".join(_as_tikz(trees, **options))
    if format == "png":
        scale = options.pop("scale", None)
        return svg_to_png("".join(_as_svg(trees, style="plain", **options)), scale=scale)
    if format == "pdf":
        return draw_pdf([gold], compare_with=[predicted], names=names, **options)
    known = ", ".join(FORMATS)
    raise UsageError(f"cannot draw a comparison as {format!r}; formats are {known}")


def _as_text(side: ComparedTree, *, ascii: bool = False, **options: Any) -> str:
    if ascii and side.mark == MISSING:
        side = side._replace(mark="-")
    color = FIRST_COLOR if side.is_first else SECOND_COLOR
    drawing = draw_text(
        side.tree,
        ascii=ascii,
        marked=side.marked,
        mark=side.mark,
        mark_color=color,
        **options,
    )
    caption = isolate(visible(side.caption, options.get("width")))
    if options.get("color"):
        caption = f"\x1b[1;{color}m{caption}\x1b[0m"
    return f"{caption}\n{drawing}"


def _as_svg(
    trees: list[ComparedTree],
    *,
    style: StyleChoice = True,
    width: int | None = None,
    font_size: float = SIZES["word"],
    theme: Theme = "auto",
    vertices: bool = False,
    **options: Any,
) -> Iterator[str]:
    check_theme(theme)
    looks = Attributes() if style == "plain" else Classes()
    scale = scale_of(font_size)
    sheet = arrange(trees, width=inner_width(width, scale), **options)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg"{looks.picture()} '
        f'{size_of(sheet.width, sheet.height, scale)} viewBox="0 0 {sheet.width} {sheet.height}">'
    )
    if style is True:
        yield f"<style>{escape(style_sheet(theme), quote=False)}</style>"
    yield f'<rect{looks.paper()} width="{sheet.width}" height="{sheet.height}"/>'
    inner: StyleChoice = "plain" if style == "plain" else False
    for part in sheet.parts:
        x, y = part.swatch_place
        size = f'width="{SWATCH}" height="{SWATCH}" rx="3"'
        yield f'<rect{looks.outline(part.tree.is_first)} x="{x}" y="{y}" {size}/>'
        x, y = part.caption_place
        text = f'<text{looks.text("caption", "")} x="{x}" y="{y}">'
        yield f"<g{looks.texts('caption')}>{text}{escape(part.caption)}</text></g>"
        place = part.picture_y
        yield from render(part.tree.tree, part.picture, style=inner, y=place, vertices=vertices)
    yield "</svg>"


def _as_tikz(
    trees: list[ComparedTree],
    *,
    width: int | None = None,
    font_size: float = WORD_SIZE,
    **options: Any,
) -> Iterator[str]:
    scale = scale_of(font_size, WORD_SIZE)
    for tree in trees:
        picture = tree.picture(width=inner_width(width, scale), **options)
        yield render_tikz(picture, scale=scale, caption=tree.caption)

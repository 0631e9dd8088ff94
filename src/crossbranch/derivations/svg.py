"""One SVG picture for each step of a derivation."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from crossbranch.derivations.pictures import forest_pictures
from crossbranch.derivations.shows import Frame, Item, Show
from crossbranch.derivations.text import heading_of, score_text
from crossbranch.doors import door
from crossbranch.drawing.looks import STYLE
from crossbranch.drawing.measure import shorten, text_width
from crossbranch.drawing.shapes import SIZES
from crossbranch.drawing.writing import visible

_MARGIN = 12
_LINE = 17  # the height of a line of text
_ROW = 26  # the height of a row of items
_GAP = 8  # between items
_NARROWEST = 420


@door
def draw_steps(show: Show) -> Iterator[str]:
    """Yield an `<svg>` element for each configuration. All have the same width."""
    pictures = list(forest_pictures(show))
    width = max(_NARROWEST, max(picture.size[0] for picture in pictures) + 2 * _MARGIN)
    for frame, picture in zip(show.frames, pictures, strict=True):
        sheet = _Sheet(width)
        sheet.line("caption", heading_of(frame))
        sheet.lines(frame.explanation)
        sheet.y += _GAP
        body = picture.svg(sheet.y)
        sheet.y += picture.size[1] + _GAP
        names = max((text_width(part.name, SIZES["caption"]) for part in frame.parts), default=0)
        for part in frame.parts:
            sheet.row(part.name, part.items, _MARGIN + names + _GAP)
        _write_next(frame, show, sheet)
        yield sheet.svg(body, f"step {frame.number}: {show.title}")


def _write_next(frame: Frame, show: Show, sheet: _Sheet) -> None:
    """Write the choice that comes next."""
    sheet.y += _GAP
    if not frame.taken:
        return
    texts = [
        f"{'→ ' if choice.is_taken else ''}{choice.name} {score_text(choice)}".rstrip()
        for choice in frame.choices
    ]
    sheet.lines(f"{show.wording.choice.lower()}: {', '.join(texts)}")


class _Sheet:
    """A picture that is written from top to bottom."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.y = _MARGIN
        self._parts: list[str] = []

    def line(self, kind: str, text: str, x: int = _MARGIN) -> None:
        """Write one line of text."""
        self._text(kind, x, self.y + _LINE - 4, text)
        self.y += _LINE

    def lines(self, text: str) -> None:
        """Write a text in as many lines as it needs."""
        size, room = SIZES["note"], self.width - 2 * _MARGIN
        line = ""
        for word in visible(text).split(" "):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, size) > room:
                self.line("note", line)
                longer = word
            line = shorten(longer, size, room)
        self.line("note", line)

    def row(self, name: str, items: tuple[Item, ...], start: int) -> None:
        """Write a part of the configuration: its name, and its items in boxes."""
        self._text("caption", _MARGIN, self.y + _ROW - 9, name)
        x, size = start, SIZES["label"]
        for item in items:
            text = shorten(visible(item.text), size, self.width - start - _MARGIN - 2 * _GAP)
            width = text_width(text, size) + _GAP
            if x > start and x + width > self.width - _MARGIN:
                x = start
                self.y += _ROW
            self._parts.append(
                f'<rect class="item {item.kind}" x="{x}" y="{self.y + 2}" width="{width}" '
                f'height="{_ROW - 4}" rx="4"/>'
            )
            self._text("label", x + width // 2, self.y + _ROW - 9, text)
            x += width + _GAP
        self.y += _ROW

    def _text(self, kind: str, x: int, y: int, text: str) -> None:
        written = escape(visible(text))
        self._parts.append(f'<g class="{kind}"><text x="{x}" y="{y}">{written}</text></g>')

    def svg(self, body: str, title: str) -> str:
        """Return the whole picture."""
        size = f'width="{self.width}" height="{self.y + _MARGIN}"'
        inside = body.replace("<svg ", f'<svg x="{_MARGIN}" ', 1)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" '
            f'aria-label="{escape(visible(title))}" {size} '
            f'viewBox="0 0 {self.width} {self.y + _MARGIN}">'
            f"<style>{escape(STYLE, quote=False)}</style>"
            f'<rect class="paper" {size}/>{inside}{"".join(self._parts)}</svg>'
        )

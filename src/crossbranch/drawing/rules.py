"""Rules of grammars as SVG: the blocks of a symbol, made of the blocks of its children.

Each rule is a row. The frames are the blocks of its symbol, with dots between them for gaps. The
boxes inside are blocks of children. A child with several blocks has a colour and numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import ceil
from typing import NamedTuple

from crossbranch.doors import door
from crossbranch.drawing.looks import COLORS, FAINT, INK
from crossbranch.drawing.measure import text_width
from crossbranch.drawing.writing import visible
from crossbranch.errors import UsageError

Part = tuple[int, int] | str

_ROW, _BOX, _MARGIN = 46, 24, 16
_GAP, _SPACE, _FRAME = 44, 5, 5  # between blocks, between boxes, around boxes
_TEXT, _NUMBER = 13, 9  # font sizes
_FONTS = "Arial,Helvetica,'Liberation Sans','DejaVu Sans',sans-serif"
_DARK = """\
@media (prefers-color-scheme:dark){
svg.rules .paper{fill:#1b1d20}
svg.rules .ink{fill:#e4e4e4}
svg.rules .frame{stroke:#e4e4e4}
svg.rules .plain{stroke:#7c848b}
svg.rules .gap{stroke:#b0b0b0}
svg.rules .c0{stroke:#6cbcf5;fill:#6cbcf5}
svg.rules .c1{stroke:#46d3a8;fill:#46d3a8}
svg.rules .c2{stroke:#dca4ee;fill:#dca4ee}
svg.rules .c3{stroke:#e3c458;fill:#e3c458}
}"""


class DrawnRule(NamedTuple):
    """A rule: a name, the names of its children, and the parts of each of its blocks."""

    left: str
    right: Sequence[str]
    blocks: Sequence[Sequence[Part]]
    """Each part is (child, block of the child), counted from 0, or a terminal."""


class _Box(NamedTuple):
    text: str
    number: str
    names: str
    width: float


@door
def draw_rules(rules: Iterable[DrawnRule]) -> str:
    """Draw rules below each other as one `<svg>` element.

    Raises:
        UsageError: There are no rules.
    """
    found = list(rules)
    if not found:
        raise UsageError("cannot draw a grammar without rules")
    left = 2 * _MARGIN + max(text_width(visible(rule.left), _TEXT) for rule in found)
    rows = [[list(map(_sized, block)) for block in _boxes(rule)] for rule in found]
    width = ceil(left + max(map(_row_width, rows)) + _MARGIN)
    height = len(found) * _ROW + _MARGIN
    size = f'width="{width}" height="{height}"'
    title = "; ".join(rule.left for rule in found)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rules" role="img" '
        f'aria-label="{escape(title)}" font-family="{_FONTS}" {size} '
        f'viewBox="0 0 {width} {height}"><style>{_DARK}</style>'
        f'<rect class="paper" fill="#fff" {size}/>'
    ]
    for number, (rule, row) in enumerate(zip(found, rows, strict=True)):
        y = _MARGIN / 2 + number * _ROW + _ROW / 2
        parts.append(_text(_MARGIN, y, visible(rule.left), "", weight="bold"))
        parts += _row(left, y, row)
    return "".join([*parts, "</svg>"])


def _boxes(rule: DrawnRule) -> Iterator[list[tuple[str, str, str]]]:
    """Yield the boxes of each block: text, number, and how they look."""
    counts = Counter(
        part[0] for block in rule.blocks for part in block if not isinstance(part, str)
    )
    several = [child for child in range(len(rule.right)) if counts[child] > 1]
    for block in rule.blocks:
        boxes = []
        for part in block:
            if isinstance(part, str):
                boxes.append((visible(part), "", "terminal"))
                continue
            child, number = part
            color = f"c{several.index(child) % len(COLORS)}" if child in several else "plain"
            shown = str(number + 1) if child in several else ""
            boxes.append((visible(rule.right[child]), shown, color))
        yield boxes


def _sized(box: tuple[str, str, str]) -> _Box:
    text, number, _ = box
    return _Box(*box, text_width(text, _TEXT) + text_width(number, _NUMBER) + 14)


def _block_width(block: Sequence[_Box]) -> float:
    return sum(box.width for box in block) + _SPACE * (len(block) - 1) + 2 * _FRAME


def _row_width(row: Sequence[Sequence[_Box]]) -> float:
    return sum(map(_block_width, row)) + _GAP * (len(row) - 1)


def _row(x: float, y: float, row: Sequence[Sequence[_Box]]) -> Iterator[str]:
    """Yield the blocks of a rule, and the gaps between them."""
    for number, block in enumerate(row):
        if number:
            yield (
                f'<path class="gap" fill="none" stroke="{FAINT}" stroke-width="1.5" '
                f'stroke-dasharray="2 4" d="M{x + 4:g} {y:g}h{_GAP - 8}"/>'
            )
            x += _GAP
        width, height = _block_width(block), _BOX + 2 * _FRAME
        yield (
            f'<rect class="frame" x="{x:g}" y="{y - height / 2:g}" width="{width:g}" '
            f'height="{height}" rx="8" fill="none" stroke="{INK}" stroke-width="1.4"/>'
        )
        inside = x + _FRAME
        for box in block:
            yield from _box(inside, y, box)
            inside += box.width + _SPACE
        x += width


def _box(x: float, y: float, box: _Box) -> Iterator[str]:
    """Yield a block of a child; a terminal is only its text."""
    if box.names != "terminal":
        color = COLORS[int(box.names[1:])] if box.names != "plain" else "#8d969e"
        yield (
            f'<rect class="{box.names}" x="{x:g}" y="{y - _BOX / 2:g}" width="{box.width:g}" '
            f'height="{_BOX}" rx="5" fill="{color}" fill-opacity="0.12" stroke="{color}"/>'
        )
    yield _text(x + 7, y, box.text, box.number, italic=box.names == "terminal")


def _text(
    x: float, y: float, text: str, number: str, *, weight: str = "normal", italic: bool = False
) -> str:
    below = f'<tspan font-size="{_NUMBER}" dy="3">{number}</tspan>' if number else ""
    style = ' font-style="italic"' if italic else ""
    return (
        f'<text class="ink" x="{x:g}" y="{y + 4.5:g}" font-size="{_TEXT}" font-weight="{weight}"'
        f'{style} fill="{INK}">{escape(text)}{below}</text>'
    )

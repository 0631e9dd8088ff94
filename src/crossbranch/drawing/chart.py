"""A chart of a short sentence as SVG: how probable its constituents are.

Continuous spans are the cells of a triangle above the words. The darker a cell, the more probable
it is that its tokens are a constituent. Discontinuous constituents are rows of blocks below the
words. What is in the best tree has a thick outline, or a colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import ceil
from typing import NamedTuple

from crossbranch.doors import door
from crossbranch.drawing.looks import COLORS, FAINT, INK
from crossbranch.drawing.measure import shorten, text_width
from crossbranch.drawing.writing import ABSENT, is_right_to_left, visible
from crossbranch.errors import UsageError

Block = tuple[int, int]

_ROW, _BAND_ROW, _MARGIN = 44, 24, 16
_LEGEND = 208  # where it ends
_NARROWEST, _WIDEST = 60, 120  # columns
_LABEL, _NUMBER, _WORD, _NOTE = 13, 11, 14, 11  # font sizes
_SCALE = (0.0, 0.25, 0.5, 0.75, 1.0)  # the shades of the legend
_SHADE = COLORS[0]
_FONTS = "Arial,Helvetica,'Liberation Sans','DejaVu Sans',sans-serif"
_DARK = """\
@media (prefers-color-scheme:dark){
svg.chart .paper{fill:#1b1d20}
svg.chart .ink{fill:#e4e4e4}
svg.chart .faint{fill:#b0b0b0}
svg.chart .inside{fill:#10202c}
svg.chart .cell{fill:#6cbcf5;stroke:#4a5157}
svg.chart .chosen{stroke:#e4e4e4}
svg.chart .band.c0{stroke:#6cbcf5}
svg.chart .band.c1{stroke:#46d3a8}
svg.chart .band.c2{stroke:#dca4ee}
svg.chart .band.c3{stroke:#e3c458}
svg.chart .band.other{stroke:#b0b0b0}
}"""


class ChartConstituent(NamedTuple):
    """A constituent that a tree may have."""

    label: str
    blocks: Sequence[Block]
    """The ranges of its tokens, in their order: the first token, and the one after the last."""

    probability: float
    in_tree: bool = False
    """Whether the best tree has it."""


@door
def draw_chart(
    tokens: Sequence[str],
    constituents: Iterable[ChartConstituent],
    *,
    least: float = 0.01,
    right_to_left: bool | None = None,
) -> str:
    """Draw the probable constituents of a sentence as SVG.

    Args:
        tokens: The words.
        constituents: Constituents with their probabilities. A span may have several labels: the
            cell shows the most probable one, and the others if somebody points at it.
        least: Leave out constituents that are less probable, unless they are in the tree.
        right_to_left: Put the first word at the right (None: if most letters are right-to-left).

    Returns:
        One `<svg>` element.

    Raises:
        UsageError: There are no tokens, or a constituent has others than these.
    """
    if not tokens:
        raise UsageError("cannot draw the chart of a sentence without tokens")
    kept = [one for one in constituents if one.in_tree or one.probability >= least]
    for one in kept:
        _check(one, len(tokens))
    words = [visible(token or ABSENT) for token in tokens]
    if right_to_left is None:
        right_to_left = is_right_to_left(words)
    return "".join(_Chart(words, kept, right_to_left).parts())


def _check(one: ChartConstituent, count: int) -> None:
    places = [place for block in one.blocks for place in block]
    if not places or sorted({*places}) != places or places[0] < 0 or places[-1] > count:
        raise UsageError(
            f"{one.label} has the blocks {list(one.blocks)}, expected ranges of {count} tokens"
        )


class _Chart:
    """The places of everything, and the elements."""

    def __init__(
        self, words: list[str], constituents: list[ChartConstituent], right_to_left: bool
    ) -> None:
        self.count, self.right_to_left = len(words), right_to_left
        self.cells: dict[Block, list[ChartConstituent]] = {}
        for one in sorted(constituents, key=lambda one: -one.probability):
            if len(one.blocks) == 1:
                start, stop = one.blocks[0]
                self.cells.setdefault((start, stop), []).append(one)
        self.bands = sorted(
            (one for one in constituents if len(one.blocks) > 1),
            key=lambda one: (not one.in_tree, -one.probability),
        )
        widest = max(text_width(word, _WORD) for word in words) + 14
        self.column = min(max(_NARROWEST, widest), _WIDEST)
        self.words = [shorten(word, _WORD, self.column - 8) for word in words]
        names = [text_width(self._name(one), _NUMBER) + 12 for one in self.bands]
        self.left = _MARGIN + max([0, *names])
        self.top = _MARGIN
        if self._x(self.count / 2) - self.column / 2 < _LEGEND + 8:  # no corner is empty
            self.top += 60
        self.base = self.top + self.count * _ROW  # below the cells
        self.width = ceil(max(self.left + self.count * self.column + _MARGIN, 300))
        self.height = self.base + 40 + len(self.bands) * _BAND_ROW

    @staticmethod
    def _name(one: ChartConstituent) -> str:
        return f"{visible(one.label)}  {_number(one.probability)}"

    def _x(self, place: float) -> float:
        """Where a place between tokens is."""
        if self.right_to_left:
            place = self.count - place
        return self.left + place * self.column

    def parts(self) -> Iterator[str]:
        """Yield the parts of the picture, from back to front."""
        size = f'width="{self.width:g}" height="{self.height}"'
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" '
            f'aria-label="{escape(" ".join(self.words))}" font-family="{_FONTS}" {size} '
            f'viewBox="0 0 {self.width:g} {self.height}"><style>{_DARK}</style>'
            f'<rect class="paper" fill="#fff" {size}/>'
        )
        yield from self._legend()
        for length in range(1, self.count + 1):
            for start in range(self.count - length + 1):
                yield from self._cell((start, start + length))
        for place, word in enumerate(self.words):
            yield _text(self._x(place + 0.5), self.base + 18, word, _WORD, anchor="middle")
        for row, one in enumerate(self.bands):
            yield from self._band(row, one)
        yield "</svg>"

    def _legend(self) -> Iterator[str]:
        """What shades mean, in the empty corner above the triangle."""
        y = _MARGIN
        yield _text(_MARGIN, y + 10, "probability", _NOTE, names="faint")
        for at, shade in enumerate(_SCALE, -len(_SCALE)):
            x = _LEGEND + 24 * at
            yield _box(x, y, 22, 14, shade, chosen=False)
            yield _text(x + 11, y + 27, _number(shade), 10, anchor="middle", names="faint")
        yield _box(_MARGIN + 1, y + 38, 22, 14, 0, chosen=True)
        yield _text(_MARGIN + 32, y + 49, "in the best tree", _NOTE, names="faint")

    def _cell(self, span: Block) -> Iterator[str]:
        """A continuous span: its shade, and its most probable label."""
        start, stop = span
        here = self.cells.get(span, [])
        total = min(sum(one.probability for one in here), 1.0)
        x = self._x((start + stop) / 2) - self.column / 2 + 2
        y = self.base - (stop - start) * _ROW + 2
        chosen = next((one for one in here if one.in_tree), None)
        box = _box(x, y, self.column - 4, _ROW - 4, total, chosen=chosen is not None)
        if not here:
            yield box
            return
        shown = chosen or here[0]
        middle, names = x + self.column / 2 - 2, "inside" if total > 0.5 else "ink"
        label = shorten(visible(shown.label), _LABEL, self.column - 10)
        several = "".join(f"\n{self._name(one)}" for one in here)
        tip = f"{' '.join(self.words[start:stop])}{several}"
        yield f"<g><title>{escape(tip)}</title>{box}"
        weight = "bold" if chosen else "normal"
        yield _text(middle, y + 17, label, _LABEL, anchor="middle", names=names, weight=weight)
        number = _number(shown.probability)
        yield _text(middle, y + 32, number, _NUMBER, anchor="middle", names=names)
        yield "</g>"

    def _band(self, row: int, one: ChartConstituent) -> Iterator[str]:
        """A discontinuous constituent: its blocks, and dots in its gaps."""
        y = self.base + 40 + row * _BAND_ROW
        color = f"c{row % len(COLORS)}" if one.in_tree else "other"
        stroke = COLORS[row % len(COLORS)] if one.in_tree else FAINT
        weight = "bold" if one.in_tree else "normal"
        yield _text(_MARGIN, y + 4, self._name(one), _NUMBER, weight=weight)
        looks = f'class="band {color}" fill="none" stroke="{stroke}"'
        opacity = 0.25 + 0.75 * min(one.probability, 1)
        blocks = "".join(
            f"M{self._x(start + 0.12):g} {y}H{self._x(stop - 0.12):g}" for start, stop in one.blocks
        )
        gaps = "".join(
            f"M{self._x(stop):g} {y}H{self._x(start):g}"
            for (_, stop), (start, _) in zip(one.blocks, one.blocks[1:], strict=False)
        )
        yield (
            f'<path {looks} stroke-width="8" stroke-linecap="round" '
            f'stroke-opacity="{opacity:.2f}" d="{blocks}"/>'
            f'<path {looks} stroke-width="1.5" stroke-dasharray="2 4" d="{gaps}"/>'
        )


def _number(probability: float) -> str:
    """Two digits without the zero, as in .75; what is nearly certain is 1."""
    text = f"{probability:.2f}"
    return {"1.00": "1", "0.00": "0"}.get(text, text.removeprefix("0"))


def _box(x: float, y: float, width: float, height: float, shade: float, *, chosen: bool) -> str:
    stroke = INK if chosen else "#c9ced3"
    names = "cell chosen" if chosen else "cell"
    return (
        f'<rect class="{names}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" '
        f'fill="{_SHADE}" fill-opacity="{shade:.3f}" stroke="{stroke}" '
        f'stroke-width="{2.2 if chosen else 0.8}"/>'
    )


def _text(
    x: float,
    y: float,
    text: str,
    size: int,
    *,
    anchor: str = "start",
    names: str = "ink",
    weight: str = "normal",
) -> str:
    color = {"ink": INK, "faint": FAINT, "inside": "#fff"}[names]
    return (
        f'<text class="{names}" x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="{color}">{escape(text)}</text>'
    )

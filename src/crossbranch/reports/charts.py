"""Bar plots as SVG, for pages that contain the style sheet `STYLE`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from crossbranch.drawing.measure import text_width
from crossbranch.drawing.writing import ABSENT, visible
from crossbranch.errors import UsageError
from crossbranch.evaluation import Evaluation, SentenceRow
from crossbranch.evaluation.scores import Scores

Value = float | None
"""A number, or None if there is nothing to measure."""

# Okabe and Ito's colours, for light and dark pages. Colour-blind people can distinguish them.
STYLE = """\
svg.bars{font-family:Arial,Helvetica,"Liberation Sans","DejaVu Sans",sans-serif;font-size:12px}
svg.bars text{fill:#222}
svg.bars .name{text-anchor:end}
svg.bars a .name{text-decoration:underline;text-underline-offset:2px}
svg.bars .axis{stroke:#767676;stroke-width:1}
svg.bars .s0{fill:#0072b2}
svg.bars .s1{fill:#d98200}
svg.bars .s2{fill:#009e73}
svg.bars .s3{fill:#b85c91}
svg.bars .s4{fill:#4a4a4a}
@media (prefers-color-scheme:dark){
svg.bars text{fill:#e4e4e4}
svg.bars .s0{fill:#56b4e9}
svg.bars .s1{fill:#f0ad32}
svg.bars .s2{fill:#2fcf9f}
svg.bars .s3{fill:#e39cc4}
svg.bars .s4{fill:#c4c4c4}
}
"""
_MOST_SERIES = 5  # s0 .. s4
_FONT = 12
_BAR, _BETWEEN = 14, 8  # the height of a bar, and of the space between two groups
_LONGEST = 320  # the length of the bar for the maximum
_LENGTHS = 10  # the number of sentence lengths in a group of bars


class Plot(NamedTuple):
    """Groups of horizontal bars, one bar for each series."""

    heading: str
    series: Sequence[str]
    """The meanings of the values of a group."""

    groups: Sequence[tuple[str, Sequence[Value]]]
    """The name of each group, and one value for each series."""

    maximum: float | None = None
    """The value at the end of the axis, for example 100. None means the largest value."""

    sentences: Sequence[Sequence[int]] = ()
    """For each group, the numbers of its sentences. They make its name a link."""


def show(value: Value) -> str:
    """Return a number as text: integers unchanged, other numbers with two decimals."""
    if value is None:
        return ABSENT
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def link(*names: str) -> str:
    """Return the address of a figure on its page."""
    return f"#figure={quote(figure_name(*names), safe='')}"


def figure_name(*names: str) -> str:
    """Return the name of a figure: its table, row and column, or its plot and group."""
    return " / ".join(visible(name) for name in names if name)


def draw_bars(plot: Plot) -> str:
    """Return a plot as one `<svg>` element, without its heading."""
    for name, values in plot.groups:
        if len(values) != len(plot.series) or len(values) > _MOST_SERIES:
            raise UsageError(
                f"{plot.heading}: found {len(values)} values for {name!r}, expected one for each "
                f"series ({len(plot.series)}), and at most {_MOST_SERIES}"
            )
    return "".join(_parts(plot))


def _parts(plot: Plot) -> Iterator[str]:
    names = [visible(name or ABSENT) for name, _ in plot.groups]
    left = max((text_width(name, _FONT) for name in names), default=0) + 8
    group = _BAR * len(plot.series) + _BETWEEN
    legend = 24 if len(plot.series) > 1 else 0
    keys = sum(map(_key_width, plot.series)) if legend else 0
    width, height = max(left + _LONGEST + 60, keys), legend + group * len(names)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bars" role="img" '
        f'aria-label="{escape(visible(plot.heading))}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">'
    )
    if legend:
        yield from _legend(plot.series)
    longest = _maximum(plot)
    for place, (name, (_, values)) in enumerate(zip(names, plot.groups, strict=True)):
        top = legend + place * group
        middle = top + _BAR * len(values) / 2 + 4
        text = f'<text class="name" x="{left - 8}" y="{middle:g}">{escape(name)}</text>'
        linked = plot.sentences and plot.sentences[place]
        yield f'<a href="{link(plot.heading, name)}">{text}</a>' if linked else text
        for series, value in enumerate(values):
            yield from _bar(series, value, left, top + _BAR * series, longest)
    yield f'<path class="axis" d="M{left - 0.5} {legend}V{height - _BETWEEN}"/></svg>'


def _bar(series: int, value: Value, left: int, top: int, longest: float) -> Iterator[str]:
    length = 0.0
    if value is not None:
        length = max(0.0, min(value / longest, 1.0)) * _LONGEST
        yield (
            f'<rect class="s{series}" x="{left}" y="{top + 1}" width="{length:.1f}" '
            f'height="{_BAR - 2}"/>'
        )
    yield f'<text x="{left + length + 4:.1f}" y="{top + _BAR - 3}">{show(value)}</text>'


def _legend(series: Sequence[str]) -> Iterator[str]:
    x = 0
    for number, name in enumerate(series):
        yield f'<rect class="s{number}" x="{x}" y="2" width="12" height="12"/>'
        yield f'<text x="{x + 17}" y="12">{escape(visible(name))}</text>'
        x += _key_width(name)


def _key_width(name: str) -> int:
    return text_width(visible(name), _FONT) + 30


def _maximum(plot: Plot) -> float:
    values = [value for _, values in plot.groups for value in values if value is not None]
    return plot.maximum or max([value for value in values if value > 0], default=1.0)


def plots(evaluation: Evaluation) -> list[Plot]:
    """Return two plots: F1 by sentence length, and the number of sentences by F1."""
    return [_by_length(evaluation.sentences), _by_quality(evaluation.sentences)]


def _by_length(sentences: Sequence[SentenceRow]) -> Plot:
    classes: dict[int, list[SentenceRow]] = {}
    for row in sentences:
        classes.setdefault(max(row.length - 1, 0) // _LENGTHS, []).append(row)
    groups = []
    numbers = []
    for number, rows in sorted(classes.items()):
        numbers.append([row.number for row in rows])
        column = Scores.of_columns([row.column for row in rows], 0).all
        gaps = column.discontinuous.brackets
        values = (
            100 * column.f1,
            100 * gaps.f1 if gaps.gold + gaps.predicted else None,
        )
        groups.append((f"{number * _LENGTHS + 1} to {number * _LENGTHS + _LENGTHS} tokens", values))
    return Plot("F1 by sentence length", ("all", "discontinuous"), groups, 100, numbers)


def _by_quality(sentences: Sequence[SentenceRow]) -> Plot:
    numbers: list[list[int]] = [[] for _ in range(11)]
    for row in sentences:
        numbers[int(10 * row.column.f1)].append(row.number)
    names = [f"{10 * k} to {10 * k + 10}" for k in range(10)] + ["100"]
    groups = [(name, (len(some),)) for name, some in zip(names, numbers, strict=True)]
    return Plot("sentences by F1", ("sentences",), groups, sentences=numbers)

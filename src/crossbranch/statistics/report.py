"""Statistics as tables for a terminal: one column for each treebank, and their total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from crossbranch.doors import door
from crossbranch.statistics.counts import Statistics
from crossbranch.statistics.discontinuity import DiscontinuityCounts
from crossbranch.statistics.distribution import Distribution

Named = Sequence[tuple[str, Statistics]]
"""Treebanks: what to call them, and their statistics."""

_EIGHTHS = " ▏▎▍▌▋▊▉"
_WIDEST_BAR = 30
_BIN, _LAST_BIN = 10, 100  # sentence lengths are shown in tens, the longest together
ABSENT = "--"
"""Shown where there is no tag or label, as in export files."""


@door
def report(named: Named, *, top: int = 15) -> RenderableType:
    """Return tables of figures and distributions, to be printed with rich.

    Args:
        named: The treebanks, side by side; if there are several, the last column is the total.
        top: How many labels, tags and edge labels are listed; the others are added up.
    """
    columns = list(named)
    if len(columns) > 1:
        columns.append(("total", sum((one for _, one in named), Statistics())))
    return _Report(columns, top)


class _Share(NamedTuple):
    part: int
    whole: int

    @property
    def percent(self) -> float:
        return percent(self.part, self.whole)


_Row = tuple[str, list[_Share]]


@dataclass(frozen=True)
class _Report:
    """Tables that adapt to the width of the terminal."""

    columns: Named
    top: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._figures()
        sections = list(_distributions([one for _, one in self.columns], self.top))
        if sections:
            yield self._distributions(sections, options.max_width, ascii=options.ascii_only)

    def _figures(self) -> Table:
        table = _table()
        for name, _ in self.columns:
            table.add_column(Text(name), justify="right", overflow="fold")
        for name, show in _FIGURES:
            table.add_row(name, *(show(statistics) for _, statistics in self.columns))
        return table

    def _distributions(
        self, sections: list[tuple[str, list[_Row]]], width: int, *, ascii: bool
    ) -> Table:
        names = [name for title, rows in sections for name in (title, *(row[0] for row in rows))]
        room = (width - 2 - max(map(cell_len, names))) // len(self.columns) - 2
        counted = len(self.columns) <= 2  # of many columns, only shares and bars are shown
        text_width = 17 if counted else 7
        bar_width = min(max(room - text_width, 0), _WIDEST_BAR)
        table = _table()
        for name, _ in self.columns:
            table.add_column(Text(name), overflow="fold", width=text_width + bar_width)
        for title, rows in sections:
            table.add_row(Text(title, style="bold"))
            peak = max(share.percent for _, shares in rows for share in shares)
            for name, shares in rows:
                bars = [_bar(share.percent / peak * bar_width, ascii) for share in shares]
                cells = [_cell(*pair, counted) for pair in zip(shares, bars, strict=True)]
                table.add_row(Text(name), *cells)
            table.add_section()
        return table


def _table() -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True)
    return table


def _cell(share: _Share, bar: str, counted: bool) -> Text:
    text = f"{share.part:9,} " if counted else ""
    if not share.part:
        return Text(text)
    return Text.assemble(f"{text}{share.percent:6.2f} ", (bar, "cyan"), no_wrap=True)


def _bar(length: float, ascii: bool) -> str:
    """A bar in eighths of a cell, at least one eighth."""
    if ascii:
        return "#" * round(length)
    eighths = max(round(length * 8), 1)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def percent(part: int, whole: int) -> float:
    """Return a part in per cent; 0 if the total is 0."""
    return 100 * part / whole if whole else 0.0


def ranked(counters: Sequence[Counter[str]], top: int) -> list[str]:
    """Return the names that are most frequent in all counters together, in this order."""
    together: Counter[str] = sum(counters, Counter())
    return sorted(together, key=lambda name: (-together[name], name))[:top]


def _part(part: int, whole: int) -> str:
    return f"{part:,} ({percent(part, whole):.2f})"


def _sentences(crossing: DiscontinuityCounts) -> str:
    return _part(crossing.discontinuous_sentences, crossing.sentences.total())


def _constituents(crossing: DiscontinuityCounts) -> str:
    return _part(crossing.discontinuous_constituents, crossing.constituents.total())


_WITHOUT = "  without punctuation"
_FIGURES: list[tuple[str, Callable[[Statistics], str]]] = [
    ("sentences", lambda s: f"{s.sentences:,}"),
    ("tokens", lambda s: f"{s.tokens:,}"),
    ("  of which punctuation", lambda s: f"{s.punctuation:,}"),
    ("tokens per sentence (max)", lambda s: f"{s.mean_length:.1f} ({s.max_length})"),
    ("types", lambda s: f"{s.types:,}"),
    ("constituents", lambda s: f"{s.constituents:,}"),
    ("  of which unary", lambda s: f"{s.unary_constituents:,}"),
    ("  most in a sentence", lambda s: f"{s.max_constituents:,}"),
    ("labels", lambda s: f"{len(s.labels):,}"),
    ("tags", lambda s: f"{len(s.tags):,}"),
    ("edge labels", lambda s: f"{len(s.edge_labels):,}"),
    ("secondary edges", lambda s: f"{s.secondary_edges.total():,}"),
    ("discontinuous sentences (%)", lambda s: _sentences(s.with_punctuation)),
    (_WITHOUT, lambda s: _sentences(s.without_punctuation)),
    ("discontinuous constituents (%)", lambda s: _constituents(s.with_punctuation)),
    (_WITHOUT, lambda s: _constituents(s.without_punctuation)),
    ("largest fan-out", lambda s: f"{s.with_punctuation.max_fan_out}"),
    (_WITHOUT, lambda s: f"{s.without_punctuation.max_fan_out}"),
    ("ill-nested sentences", lambda s: f"{s.with_punctuation.ill_nested:,}"),
    (_WITHOUT, lambda s: f"{s.without_punctuation.ill_nested:,}"),
]


def _distributions(every: list[Statistics], top: int) -> Iterator[tuple[str, list[_Row]]]:
    """Titles and their rows; nothing without rows, and nothing twice."""
    seen: list[_Row] = []
    for title, numbers, show in _NUMBERS:
        rows = _by_number([numbers(one) for one in every], show)
        if rows and rows != seen:
            yield title, rows
        seen = rows
    for title, names in _NAMES:
        if rows := _by_name([names(one) for one in every], top):
            yield title, rows
    if rows := _discontinuous_labels(every, top):
        yield "% discontinuous by label", rows


_NUMBERS: list[tuple[str, Callable[[Statistics], Distribution], Callable[[int], str]]] = [
    ("% of sentences by length", lambda s: _bins(s.lengths), lambda start: _bin(start)),
    ("% of sentences by gap degree", lambda s: s.with_punctuation.sentences, str),
    (_WITHOUT, lambda s: s.without_punctuation.sentences, str),
    ("% of constituents by gap degree", lambda s: s.with_punctuation.constituents, str),
    (_WITHOUT, lambda s: s.without_punctuation.constituents, str),
    ("% of unary chains by length", lambda s: s.unary_chains, str),
]
_NAMES: list[tuple[str, Callable[[Statistics], Counter[str]]]] = [
    ("% of tags", lambda s: s.tags),
    ("% of edge labels", lambda s: s.edge_labels),
    ("% of labels", lambda s: s.labels),
]


def _by_number(counters: list[Distribution], show: Callable[[int], str]) -> list[_Row]:
    return [
        (show(number), [_Share(one[number], one.total()) for one in counters])
        for number in sorted(set().union(*counters))
    ]


def _by_name(counters: list[Counter[str]], top: int) -> list[_Row]:
    names = ranked(counters, top)
    rows = [
        (name or ABSENT, [_Share(one[name], one.total()) for one in counters]) for name in names
    ]
    others = [
        _Share(one.total() - sum(one[name] for name in names), one.total()) for one in counters
    ]
    kinds = len(set().union(*counters)) - len(names)
    return [*rows, (f"{kinds:,} others", others)] if kinds else rows


def _discontinuous_labels(every: list[Statistics], top: int) -> list[_Row]:
    names = ranked([one.with_punctuation.labels for one in every], top)
    return [
        (
            name or ABSENT,
            [_Share(one.with_punctuation.labels[name], one.labels[name]) for one in every],
        )
        for name in names
    ]


def _bins(lengths: Distribution) -> Distribution:
    binned: Distribution = Counter()
    for length, count in lengths.items():
        binned[min((length - 1) // _BIN * _BIN, _LAST_BIN)] += count
    return binned


def _bin(start: int) -> str:
    if start < 0:
        return "0"
    return f"over {_LAST_BIN}" if start == _LAST_BIN else f"{start + 1} to {start + _BIN}"

"""Tables of a page. Every figure is a link that shows its sentences."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise

from crossbranch.drawing.writing import visible
from crossbranch.reports.charts import Plot, figure_name, link, show
from crossbranch.reports.figure_sentences import row_name
from crossbranch.reports.tables import Cell, FigureTable


def draw_table(table: FigureTable) -> str:
    """Return a table as HTML."""
    head = "".join(f'<th scope="col">{_text(column)}</th>' for column in table.columns)
    rows = "\n".join(_rows(table))
    return (
        f'<div class="scroll"><table><caption>{_text(table.heading)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def figure_data(tables: Iterable[FigureTable], plots: Iterable[Plot]) -> str:
    """Return the numbers of the sentences of each figure, for the script of the page.

    Each number is written as its distance from the one before, which is short.
    """
    found = {
        figure_name(table.name, *names): _distances(numbers)
        for table in tables
        for names, numbers in _figures(table)
    }
    for plot in plots:
        for (name, _), numbers in zip(plot.groups, plot.sentences, strict=False):
            found[figure_name(plot.heading, name)] = _distances(numbers)
    # A treebank may contain "</script>".
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="figures">{text}</script>'


def _figures(table: FigureTable) -> Iterator[tuple[tuple[str, str], Sequence[int]]]:
    columns = table.columns[table.names :]
    for row, figures in zip(table.rows, table.sentences, strict=False):
        for column, numbers in zip(columns, figures, strict=True):
            if numbers:
                yield (row_name(table, row), column), numbers


def _distances(numbers: Sequence[int]) -> str:
    return " ".join(str(after - before) for before, after in pairwise([0, *numbers]))


def _rows(table: FigureTable) -> Iterator[str]:
    linked = {names for names, _ in _figures(table)}
    for row in table.rows:
        name = row_name(table, row)
        cells = []
        for place, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
            is_link = place >= table.names and (name, column) in linked
            cells.append(_cell(cell, link(table.name, name, column) if is_link else ""))
        yield f"<tr>{''.join(cells)}</tr>"


def _cell(cell: Cell, address: str) -> str:
    if isinstance(cell, str):
        return f'<td dir="auto">{_text(cell)}</td>'
    shown = show(cell)
    if address:
        shown = f'<a href="{address}">{shown}</a>'
    return f'<td class="number">{shown}</td>'


def _text(text: str) -> str:
    return escape(visible(text))

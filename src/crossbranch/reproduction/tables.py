"""The tables of a reproduction as text: one for each figure, with a column for each corpus."""

from __future__ import annotations

import json
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any

from crossbranch.doors import door
from crossbranch.experiments.formats import TextTable, markdown
from crossbranch.reproduction.description import Column, Figure, Row
from crossbranch.reproduction.reproducing import Reproduction, TableResult
from crossbranch.reproduction.work import Values

_OURS = "crossbranch"  # the column of examples, which need no corpus
_NOTHING = "–"


@door
def in_words(found: Reproduction) -> list[TextTable]:
    """Return a table for each figure: our figures by corpus, then those of the paper."""
    return [
        _figure(one, name, column)
        for one in found.tables
        for name, column in one.table.columns.items()
    ]


@door
def to_markdown(found: Reproduction) -> str:
    """Return all tables as Markdown, below the title of the paper and the notes."""
    notes = "".join(f"- {note}\n" for note in found.notes)
    head = f"# {found.paper.title}\n\n{notes}" + ("\n" if notes else "")
    return head + "\n".join(map(markdown, in_words(found)))


@door
def to_json(found: Reproduction) -> str:
    """Return all figures as JSON: the values of all seeds, and those of the paper."""
    tables = [_record(one) for one in found.tables]
    value = {"paper": found.paper.title, "notes": list(found.notes), "tables": tables}
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _figure(one: TableResult, name: str, column: Column) -> TextTable:
    """Return the table of one figure."""
    table = one.table
    reported = _reported(one, name)
    titles = [""]
    sources: list[tuple[str, bool]] = []  # a corpus, and whether its figures are the paper's
    for corpus in one.cells:
        titles.append(corpus or _OURS)
        sources.append((corpus, False))
        if corpus in reported:
            titles.append(f"{corpus}, paper")
            sources.append((corpus, True))
    for corpus in reported:
        if corpus not in one.cells:
            titles.append(f"{corpus}, paper")
            sources.append((corpus, True))
    rows = []
    for place, row in enumerate(table.rows):
        cells = [
            _paper_cell(row, corpus, name, column)
            if is_paper
            else _our_cell(one.cells[corpus][place].get(name, ()), column)
            for corpus, is_paper in sources
        ]
        rows.append([row.name, *cells])
    name = f"Table {table.name}" if table.name.isdigit() else table.name.replace("-", " ")
    name = name[0].upper() + name[1:]
    return TextTable(f"{name}, {table.title}: {column.title}", titles, rows)


def _reported(one: TableResult, name: str) -> list[str]:
    """Return the corpora for which the paper reports a figure."""
    known = dict.fromkeys(one.table.corpora)
    for row in one.table.rows:
        known.update(dict.fromkeys(row.paper))
    return [c for c in known if any(name in row.paper.get(c, {}) for row in one.table.rows)]


def _our_cell(values: Values, column: Column) -> str:
    numbers = [value for value in values if isinstance(value, int | float)]
    if not numbers:
        return next((value for value in values if isinstance(value, str) and value), _NOTHING)
    mean = _number(fmean(numbers), column)
    return mean if len(numbers) == 1 else f"{mean} ± {_number(stdev(numbers), column)}"


def _paper_cell(row: Row, corpus: str, name: str, column: Column) -> str:
    value: Figure | None = row.paper.get(corpus, {}).get(name)
    if value is None:
        return _NOTHING
    return value if isinstance(value, str) else _number(value, column)


def _number(value: float, column: Column) -> str:
    return f"{value:,.{column.digits}f}"


def _record(one: TableResult) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for place, row in enumerate(one.table.rows):
        found = {
            corpus: {name: _plain(values) for name, values in cells[place].items()}
            for corpus, cells in one.cells.items()
        }
        rows.append({"name": row.name, "found": found, "paper": row.paper})
    return {
        "name": one.table.name,
        "title": one.table.title,
        "parts": dict(one.parts),
        "columns": {name: column.title for name, column in one.table.columns.items()},
        "rows": rows,
    }


def _plain(values: Values) -> Sequence[Figure | None]:
    return list(values)

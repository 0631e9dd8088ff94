"""Which sentences a figure of an evaluation counts.

The tables of one sentence say whether it counts: it belongs to a figure if the figure counts
something in it. A count leads to the sentences with what is counted. A share such as recall leads
to the sentences that lower it: those in which something is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from crossbranch.reports.tables import FigureTable

SCORES = "scores"
"""The name of the main table. Its heading is the name of a file."""


class FigureSentences:
    """The numbers of the sentences of each figure, by table, row and column."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, dict[str, list[int]]]] = {}

    def add(self, number: int, tables: Iterable[FigureTable]) -> None:
        """Add a sentence with its own tables. Sentences must come in ascending order."""
        for table in tables:
            for row, column, count in _counted(table):
                if count:
                    rows = self._numbers.setdefault(table.name, {})
                    rows.setdefault(row, {}).setdefault(column, []).append(number)

    def of(self, table: str, row: str, column: str) -> Sequence[int]:
        """Return the numbers of the sentences of a figure."""
        return self._numbers.get(table, {}).get(row, {}).get(column, ())

    def fill(self, table: FigureTable) -> FigureTable:
        """Return a table of all sentences with the numbers of the sentences of each figure."""
        rows = list(table.rows)
        names = table.columns[table.names :]
        return table._replace(
            rows=rows,
            sentences=[
                [self.of(table.name, row_name(table, row), column) for column in names]
                for row in rows
            ],
        )

    def to_dict(self) -> dict[str, dict[str, dict[str, list[int]]]]:
        """Return table → row → column → numbers of sentences, for JSON."""
        return self._numbers


def row_name(table: FigureTable, row: Sequence[object]) -> str:
    """Return the name of a row: its first cell, or both names of a confusion."""
    return " → ".join(map(str, row[: table.names]))


def _counted(table: FigureTable) -> Iterator[tuple[str, str, int]]:
    columns = table.columns[table.names :]
    for row, counts in zip(table.rows, table.counted, strict=True):
        name = row_name(table, row)
        for column, count in zip(columns, counts, strict=True):
            yield name, column, count

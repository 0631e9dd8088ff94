"""Tables: fitted to a terminal, complete in a pipe, and as CSV or JSON for programs."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from crossbranch.cli.show import write_text

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

Form = Literal["csv", "json"]
"""The form of a table for programs; None means a table for people."""

Record = Mapping[str, Any]
"""One row: column names and raw values. Values may be lists or dicts."""

_UNLIMITED = 100_000  # columns: wider than any row


def form_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --csv and --json. The command gets the choice as `form`."""
    for option in (
        click.option("--json", "form", flag_value="json", help="Print JSON instead of a table."),
        click.option("--csv", "form", flag_value="csv", help="Print the table as CSV."),
    ):
        command = option(command)
    return command


def open_console() -> Console:
    """Return a console for standard output. Only a terminal limits the width of tables."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else _UNLIMITED, highlight=False)


def print_tables(*tables: RenderableType) -> None:
    """Print tables and texts below each other. In a pipe, wide tables are not cut."""
    console = open_console()
    if sys.stdout.isatty():
        for table in tables:
            console.print(table)
        return
    with console.capture() as captured:
        for table in tables:
            console.print(table)
    lines = captured.get().removesuffix("\n").split("\n")
    click.echo("\n".join(line.rstrip() for line in lines))


def plain_table(left: Sequence[str] = (), right: Sequence[str] = ()) -> Table:
    """Return an empty table without lines: columns of text, then columns of numbers."""
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in left:
        table.add_column(name, overflow="fold")
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def print_records(records: Sequence[Record], form: Form) -> None:
    """Print rows as CSV, or as a JSON list of objects."""
    if form == "csv":
        write_csv("-", records)
    else:
        write_json("-", list(records))


def write_json(target: str, value: object) -> None:
    """Write a value as JSON to a file, or to standard output for `-`."""
    write_text(target, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_csv(target: str, records: Iterable[Record]) -> None:
    """Write rows as CSV to a file, or to standard output for `-`.

    The first line names the columns of all rows. A dict becomes several columns (`scores.f1`). A
    list becomes one text, its items separated by blanks.
    """
    rows = [dict(_cells(record)) for record in records]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    if columns:
        writer.writeheader()
    writer.writerows(rows)
    write_text(target, text.getvalue())


def _cells(record: Record, prefix: str = "") -> Iterable[tuple[str, object]]:
    for column, value in record.items():
        if isinstance(value, Mapping):
            yield from _cells(value, f"{prefix}{column}.")
        elif isinstance(value, list | tuple):
            yield prefix + column, " ".join(map(str, value))
        elif isinstance(value, bool):
            yield prefix + column, str(value).lower()  # as in JSON
        else:
            yield prefix + column, value

"""crossbranch formats, crossbranch transforms: what there is."""

from __future__ import annotations

import dataclasses
import inspect

import click


@click.command(short_help="List the formats.")
def formats() -> None:
    """List the formats, their file names, and what they cannot hold."""
    from rich.console import Console
    from rich.table import Table

    from crossbranch.treebank import FORMATS

    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("format", "what it is", "file names", "cannot hold"):
        table.add_column(column, overflow="fold")
    for name, format in FORMATS.items():
        missing = [
            field.name.replace("_", " ")
            for field in dataclasses.fields(format.holds)
            if getattr(format.holds, field.name) is False and field.name not in ("bare_root",)
        ]
        table.add_row(name, format.summary, " ".join(format.suffixes), ", ".join(missing))
    Console().print(table)


@click.command(short_help="List the transforms.")
def transforms() -> None:
    """List the transforms for --apply and --undo, with their options."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from crossbranch.transforms import TRANSFORMS

    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("transform", "what it does", "options", "can be undone"):
        table.add_column(column, overflow="fold")
    for name in sorted(TRANSFORMS):
        kind = TRANSFORMS[name]
        summary = (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " ")
        options = ", ".join(_option(field) for field in dataclasses.fields(kind))  # type: ignore[arg-type]
        table.add_row(name, escape(summary), escape(options), "yes" if kind.has_inverse else "no")
    Console().print(table)


def _option(field: dataclasses.Field[object]) -> str:
    if field.default is dataclasses.MISSING:
        return field.name
    return f"{field.name}={field.default}"

"""crossbranch formats, crossbranch transforms: lists of both."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import click

from crossbranch.cli.tables import Form, form_options, plain_table, print_records, print_tables


@click.command(short_help="List the treebank formats.")
@form_options
def formats(*, form: Form | None) -> None:
    """List the treebank formats, their file names, and what each of them cannot hold.

    \b
    Examples:
      crossbranch formats
      crossbranch formats --json
    """  # noqa: D301 - click reads \b
    from crossbranch.treebank import FORMATS

    records = [format.to_dict() for format in FORMATS.values()]
    if form is not None:
        print_records(records, form)
        return
    table = plain_table(["format", "what it is", "file names", "cannot hold"])
    for one in records:
        missing = ", ".join(one["cannot_hold"]).replace("_", " ")
        table.add_row(one["format"], one["summary"], " ".join(one["file_names"]), missing)
    print_tables(table)


@click.command(short_help="List the transforms.")
@form_options
def transforms(*, form: Form | None) -> None:
    """List the transforms for --apply and --undo, with their options.

    Transforms are joined with "|". Options go in brackets.

    \b
    Examples:
      crossbranch transforms
      crossbranch convert wsj.mrg wsj.export --apply "traces | functions(strip)"
    """  # noqa: D301 - click reads \b
    from rich.text import Text

    from crossbranch.transforms import TRANSFORMS

    records: list[dict[str, Any]] = [
        {
            "transform": name,
            "summary": (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " "),
            "options": [_option(field) for field in dataclasses.fields(kind)],  # type: ignore[arg-type]
            "can_be_undone": kind.has_inverse,
        }
        for name, kind in sorted(TRANSFORMS.items())
    ]
    if form is not None:
        print_records(records, form)
        return
    table = plain_table(["transform", "what it does", "options", "can be undone"])
    for one in records:
        options = ", ".join(one["options"])
        undone = "yes" if one["can_be_undone"] else "no"
        table.add_row(one["transform"], Text(one["summary"]), Text(options), undone)
    print_tables(table)


def _option(field: dataclasses.Field[object]) -> str:
    if field.default is dataclasses.MISSING:
        return field.name
    return f"{field.name}={field.default}"

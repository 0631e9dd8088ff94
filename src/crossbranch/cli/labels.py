"""crossbranch labels: what the labels, tags and functions of a model mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from crossbranch.cli.tables import (
    Form,
    form_options,
    plain_table,
    print_tables,
    write_csv,
    write_json,
)
from crossbranch.models.explanations import (
    Explained,
    FoundLabels,
    explain,
    find_labels,
    label_records,
)

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text


_HEADINGS = {
    "phrase": "labels of phrases",
    "tag": "tags of words",
    "function": "functions of phrases and words",
}


@click.command(
    short_help="Explain the labels, tags and functions of a model.",
    context_settings={"ignore_unknown_options": True},  # -LRB- is a tag
)
@click.argument("model", metavar="MODEL")
@click.argument("labels", metavar="[LABEL]...", nargs=-1)
@form_options
def labels(model: str, labels: tuple[str, ...], *, form: Form | None) -> None:
    """Explain the labels, tags and functions of MODEL, with examples.

    MODEL is a shipped model, a model folder, or a label set: alpino, craft, icepahc, masc or
    squoia. To explain only some labels, tags and functions, name them.

    \b
    Examples:
      crossbranch labels en
      crossbranch labels en VP SBJ
      crossbranch labels nl INF obj1
    """  # noqa: D301 - click reads \b
    found = find_labels(model)
    explained = explain(found, labels)
    if form == "json":
        about = {
            "model": found.name,
            "label_set": found.known.name if found.known else None,
            "language": found.known.language if found.known else None,
        }
        write_json("-", about | {"labels": label_records(explained)})
    elif form == "csv":
        write_csv("-", label_records(explained))
    else:
        print_tables(*_tables(found, explained))


def _tables(found: FoundLabels, explained: list[Explained]) -> Iterator[RenderableType]:
    from rich.text import Text

    if found.known:
        title = f"{found.name}: {found.known.title} ({found.known.language})"
    else:
        title = f"{found.name}: no explanation is known for its labels and tags"
    yield Text(title)
    for kind, heading in _HEADINGS.items():
        rows = [one for one in explained if one.kind == kind]
        if not rows:
            continue
        table = plain_table()
        table.add_column(heading.split()[0].removesuffix("s"), style="cyan", no_wrap=True)
        table.add_column("meaning", overflow="fold", ratio=3)
        table.add_column("example", overflow="fold", ratio=2)
        for _, label, meaning in rows:
            text, example = meaning or ("no explanation is known", "")
            table.add_row(Text(label), Text(text), _bold(example))
        yield ""
        yield Text(heading, style="bold")
        yield table


def _bold(example: str) -> Text:
    """Return the example, with the parts in brackets in bold."""
    from rich.text import Text

    text = Text(example)
    for match in re.finditer(r"\[[^\]]*\]", example):
        text.stylize("bold", *match.span())
    return text

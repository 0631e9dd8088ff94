"""crossbranch derive: trees as derivations, step by step."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import click

from crossbranch.cli.options import input_options, report
from crossbranch.errors import TransformError, UsageError
from crossbranch.transitions.systems import SYSTEMS
from crossbranch.tree import Tree

if TYPE_CHECKING:
    from crossbranch.transitions import Derivation


@click.command(short_help="Show how a parser builds trees, step by step.")
@click.argument("source", metavar="FILE")
@input_options
@click.option(
    "--system",
    type=click.Choice(list(SYSTEMS)),
    default="gap",
    show_default=True,
    help="The transition system.",
)
@click.option(
    "--oracle", metavar="NAME", help="swap and cswap: strict (default), eager, lazy or lazier."
)
@click.option(
    "--heads",
    default="auto",
    show_default=True,
    metavar="TABLE",
    help="Head rules: a table, a file, none (heads as marked), or auto (the table that fits best).",
)
@click.option(
    "--sentence",
    "sentences",
    multiple=True,
    metavar="ID",
    help="Only the sentence with this id, or else this number; repeatable.",
)
@click.option("--apply", "applied", metavar="PIPELINE", help="Transforms to apply first.")
def derive(
    source: str,
    *,
    source_format: str | None,
    encoding: str | None,
    on_error: Literal["stop", "skip"],
    system: str,
    oracle: str | None,
    heads: str,
    sentences: tuple[str, ...],
    applied: str | None,
) -> None:
    """Print the derivations of the trees of FILE: each configuration, and what led to it.

    Trees are binarized as the system needs it, unless they have temporary labels (S: for gap, @S
    for swap) already.

    \b
      crossbranch derive dev.export --sentence 17
      crossbranch derive dev.export --system swap --oracle lazier --heads negra
    """  # noqa: D301 - click reads \b
    from crossbranch.transforms import pipeline
    from crossbranch.transitions import TransitionSystem, make_ready
    from crossbranch.transitions import derive as derive_tree
    from crossbranch.treebank import read

    oracle = SYSTEMS[system].oracle(oracle)
    before = pipeline(applied or "")
    trees = list(
        read(source, format=source_format, encoding=encoding, on_error=on_error, report=report)
    )
    table = head_table(heads, trees)
    for tree in _chosen(trees, sentences):
        try:
            binary = make_ready(before.apply(tree), system, table)
            known = TransitionSystem.open([binary], name=system, oracle=oracle)
            _show(derive_tree(binary, known))
        except TransformError as error:
            if on_error == "stop":
                raise
            report(error)


def head_table(heads: str, trees: Sequence[Tree]) -> str | None:
    """Return the table of head rules that an option names; None to leave heads as marked."""
    from crossbranch.transforms.head_choice import choose_head_table

    if heads == "none":
        return None
    return choose_head_table(trees) if heads == "auto" else heads


def _chosen(trees: Sequence[Tree], wanted: Sequence[str]) -> Iterator[Tree]:
    """Yield the wanted trees, each with an id."""
    numbered = [tree if tree.id else tree.replace(id=str(n)) for n, tree in enumerate(trees, 1)]
    if not wanted:
        yield from numbered
    for name in wanted:
        found = [tree for tree in numbered if tree.id == name]
        if not found and name.isdecimal() and 0 < int(name) <= len(trees):
            found = [numbered[int(name) - 1]]
        if not found:
            raise UsageError(f"there is no sentence {name} among {len(trees):,}")
        yield from found


def _show(derivation: Derivation) -> None:
    from crossbranch.drawing.writing import visible
    from crossbranch.transitions import columns, steps

    rows = [
        [visible(" ".join(part)) for part in (*step.parts, [step.transition])]
        for step in steps(derivation)
    ]
    title = f"sentence {derivation.id}: {len(derivation)} transitions"
    names = columns(derivation.system)
    if sys.stdout.isatty():
        _print_table(title, names, rows)
    else:
        _print_columns(title, names, rows)


def _print_table(title: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in names:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)


def _print_columns(title: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(names, *rows, strict=True)]
    click.echo(title)
    for row in (names, *rows):
        cells = [
            text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True)
        ]
        click.echo("  ".join(cells).rstrip())
    click.echo()

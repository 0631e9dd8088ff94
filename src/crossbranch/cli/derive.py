"""crossbranch derive: trees as derivations, step by step."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import click

from crossbranch.cli.options import apply_option, input_options, report
from crossbranch.cli.tables import (
    Form,
    Record,
    form_options,
    print_records,
    print_tables,
)
from crossbranch.errors import TransformError, UsageError
from crossbranch.transitions.systems import SYSTEMS
from crossbranch.tree import Tree

if TYPE_CHECKING:
    from crossbranch.transforms import Pipeline
    from crossbranch.transitions import Derivation


@click.command(short_help="Show how a parser builds trees, step by step.")
@click.argument("source", metavar="FILE")
@input_options
@click.option(
    "--system",
    type=click.Choice(list(SYSTEMS)),
    default="gap",
    show_default=True,
    help="Choose the transition system.",
)
@click.option(
    "--oracle",
    metavar="NAME",
    help="Choose the oracle. swap and cswap: strict (default), eager, lazy, lazier."
    " ml-gap, ml-gap-lex, ml-cgap and stack-free: static (default), dynamic.",
)
@click.option(
    "--heads",
    default="auto",
    show_default=True,
    metavar="TABLE",
    help="Choose head rules: a table, a file, none (use marked heads), or auto (best table).",
)
@click.option(
    "--sentence",
    "sentences",
    multiple=True,
    metavar="ID",
    help="Show only the sentence with this id or number; repeatable.",
)
@apply_option
@form_options
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
    steps: Pipeline,
    form: Form | None,
) -> None:
    """Print the derivations of the trees in FILE.

    Each row shows a configuration and the transition that led to it. For gap, cgap, swap and cswap,
    trees are binarized. Trees that are binarized already are used as they are; they have temporary
    labels, such as S: (gap) or @S (swap). The other systems build trees that are not binary.

    \b
    Examples:
      crossbranch derive dev.export --sentence 17
      crossbranch derive dev.export --system swap --oracle lazier --heads negra
      crossbranch derive dev.export --system stack-free --sentence 17
    """  # noqa: D301 - click reads \b
    from crossbranch.transitions import TransitionSystem, make_ready
    from crossbranch.transitions import derive as derive_tree
    from crossbranch.treebank import read

    oracle = SYSTEMS[system].oracle(oracle)
    trees = list(
        read(source, format=source_format, encoding=encoding, on_error=on_error, report=report)
    )
    table = head_table(heads, trees)
    records: list[Record] = []
    for tree in _chosen(trees, sentences):
        try:
            binary = make_ready(steps.apply(tree), system, table)
            known = TransitionSystem.open([binary], name=system, oracle=oracle)
            derivation = derive_tree(binary, known)
            if form is None:
                _show(derivation)
            else:
                records += _records(derivation)
        except TransformError as error:
            if on_error == "stop":
                raise
            report(error)
    if form is not None:
        print_records(records, form)


def head_table(heads: str, trees: Sequence[Tree]) -> str | None:
    """Return the head table for the value of --heads, or None to use marked heads."""
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
            raise UsageError(
                f"there is no sentence {name} (sentences in the input: {len(trees):,})"
            )
        yield from found


def _records(derivation: Derivation) -> Iterator[Record]:
    from crossbranch.transitions import columns
    from crossbranch.transitions import steps as steps_of

    *parts, transition = columns(derivation.system)
    for number, step in enumerate(steps_of(derivation)):
        cells = dict(zip(parts, map(list, step.parts), strict=True))
        place = {"sentence": derivation.id, "step": number}
        yield place | cells | {transition: step.transition}


def _show(derivation: Derivation) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from crossbranch.drawing.writing import visible
    from crossbranch.transitions import columns
    from crossbranch.transitions import steps as steps_of

    title = Text(f"sentence {derivation.id}: {len(derivation)} transitions")
    lines = box.SIMPLE_HEAD if sys.stdout.isatty() else None
    table = Table(title_justify="left", box=lines, pad_edge=False, padding=(0, 2, 0, 0))
    for name in columns(derivation.system):
        table.add_column(name, overflow="fold")
    for step in steps_of(derivation):
        cells = (*step.parts, [step.transition])
        table.add_row(*(Text(visible(" ".join(cell))) for cell in cells))
    print_tables(title, table, "")

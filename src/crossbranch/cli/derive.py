"""crossbranch derive: trees as derivations, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from crossbranch.cli.derivation_target import KINDS, kind_of, meanings_of, write_derivations
from crossbranch.cli.options import apply_option, input_options, report
from crossbranch.cli.tables import Form, Record, form_options, print_records
from crossbranch.errors import TransformError, UsageError
from crossbranch.transitions.systems import SYSTEMS
from crossbranch.tree import Tree

if TYPE_CHECKING:
    from crossbranch.derivations import Show
    from crossbranch.transforms import Pipeline


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
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    help="Write to this file, or to this folder for svg (default: standard output).",
)
@click.option(
    "--to",
    "kind",
    type=click.Choice(KINDS),
    help="Write text drawings, JSON, one picture for each step, or a player (default: by the"
    " output's name; a table if there is none).",
)
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
    output: str | None,
    kind: str | None,
    form: Form | None,
) -> None:
    """Show the derivations of the trees in FILE.

    Each row shows a configuration and the transition that led to it. For gap, cgap, swap and cswap,
    trees are binarized. Trees that are binarized already are used as they are; they have temporary
    labels, such as S: (gap) or @S (swap). The other systems build trees that are not binary.

    An output that ends in .html is a player: it shows partial trees and explains each transition.
    To see what a model does, use `crossbranch parse MODEL TEXT --derivation`.

    \b
    Examples:
      crossbranch derive dev.export --sentence 17
      crossbranch derive dev.export --system swap --oracle lazier --heads negra
      crossbranch derive dev.export --system stack-free --sentence 17
      crossbranch derive dev.export --sentence 17 -o steps.html
    """  # noqa: D301 - click reads \b
    from crossbranch.derivations.gold_trees import head_table, show_tree
    from crossbranch.treebank import read

    oracle = SYSTEMS[system].oracle(oracle)
    if form is not None and (output is not None or kind is not None):
        raise UsageError(f"--{form} prints a table; it cannot be used with --to or -o")
    chosen = None if form is not None else kind_of(output, kind)
    trees = list(
        read(source, format=source_format, encoding=encoding, on_error=on_error, report=report)
    )
    table = head_table(heads, trees)

    def shown(tree: Tree) -> Show:
        return show_tree(steps.apply(tree), system, oracle=oracle, heads=table)

    shows = _derived(_chosen(trees, sentences), shown, on_error)
    if chosen is None:
        assert form is not None
        print_records([record for one in shows for record in _records(one, form)], form)
        return
    labels = {node.label for tree in trees for node in tree.nodes}
    tags = {token.tag for tree in trees for token in tree.sentence}
    write_derivations(
        shows, chosen, output, title=Path(source).name, meanings=meanings_of(labels, tags)
    )


def _derived(
    trees: Iterator[Tree], shown: Callable[[Tree], Show], on_error: Literal["stop", "skip"]
) -> Iterator[Show]:
    """Yield the derivations of trees. Trees that have none are reported, or stop the command."""
    for tree in trees:
        try:
            found = shown(tree)
        except TransformError as error:
            if on_error == "stop":
                raise
            report(error)
        else:
            yield found


def _records(show: Show, form: Form) -> Iterator[Record]:
    """The rows of a derivation. A cell of CSV has no room for lists of moves and scores."""
    from crossbranch.derivations import records

    for record in records(show):
        if form == "csv":
            yield {key: record[key] for key in record if key not in ("next", "legal", "scores")}
        else:
            yield record


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

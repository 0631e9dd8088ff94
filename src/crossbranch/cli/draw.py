"""crossbranch draw: trees as text."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from typing import Literal

import click

from crossbranch.cli.options import input_options, report
from crossbranch.tree import Tree


@click.command(short_help="Draw trees as text.")
@click.argument("source", metavar="FILE")
@input_options
@click.option(
    "--number", "-n", type=int, multiple=True, help="Draw only the Nth sentence; repeatable."
)
@click.option("--id", "ids", multiple=True, help="Draw only the sentence with this id; repeatable.")
@click.option("--discontinuous", is_flag=True, help="Draw only trees with crossing branches.")
@click.option("--limit", type=int, help="Draw at most this many trees.")
@click.option("--apply", "applied", metavar="PIPELINE", help="Transforms to apply first.")
@click.option("--ascii", is_flag=True, help="Use ASCII characters only.")
@click.option("--width", type=int, help="Columns to use (default: the terminal's).")
def draw(
    source: str,
    *,
    source_format: str | None,
    encoding: str | None,
    on_error: Literal["stop", "skip"],
    number: tuple[int, ...],
    ids: tuple[str, ...],
    discontinuous: bool,
    limit: int | None,
    applied: str | None,
    ascii: bool,
    width: int | None,
) -> None:
    """Draw the trees of FILE as text, crossing branches and all."""
    from crossbranch.drawing import draw_text
    from crossbranch.transforms import pipeline
    from crossbranch.treebank import read

    steps = pipeline(applied or "")
    reader = read(source, format=source_format, encoding=encoding, on_error=on_error, report=report)
    drawn = 0
    for tree in _chosen(reader, set(number), set(ids)):
        changed = steps.apply(tree)
        if discontinuous and not changed.is_discontinuous:
            continue
        if limit is not None and drawn >= limit:
            break
        drawn += 1
        columns = width or shutil.get_terminal_size((100, 24)).columns
        title = " ".join([tree.id, *tree.comments]) if tree.id else ""
        picture = draw_text(changed, ascii=ascii, width=columns, color=sys.stdout.isatty())
        click.echo(f"{title}\n{picture}\n" if title else f"{picture}\n")


def _chosen(trees: Iterator[Tree], numbers: set[int], ids: set[str]) -> Iterator[Tree]:
    """Pass the wanted trees on, and stop when all numbers are found."""
    for number, tree in enumerate(trees, 1):
        if not (numbers or ids) or number in numbers or tree.id in ids:
            yield tree
        if numbers and not ids and number >= max(numbers):
            return

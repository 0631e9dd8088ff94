"""crossbranch stats: a treebank in figures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from crossbranch.cli.options import input_options, report
from crossbranch.cli.show import progress, write_text
from crossbranch.tree import Tree

if TYPE_CHECKING:
    from rich.console import RenderableType

    from crossbranch.transitions import Lengths


@click.command(short_help="Describe treebanks in figures.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@input_options
@click.option("--apply", "applied", metavar="PIPELINE", help="Transforms to apply first.")
@click.option(
    "--json", "json_file", metavar="FILE", help="Write the figures as JSON (- for standard output)."
)
@click.option("--plot", "plot_file", metavar="FILE", help="Draw the figures (.png, .svg, .pdf).")
@click.option(
    "--transitions", is_flag=True, help="How long derivations are, by transition system, as well."
)
@click.option(
    "--heads",
    default="auto",
    show_default=True,
    metavar="TABLE",
    help="Head rules for --transitions: a table, a file, none, or auto (what fits best).",
)
def stats(
    files: tuple[str, ...],
    *,
    source_format: str | None,
    encoding: str | None,
    on_error: Literal["stop", "skip"],
    applied: str | None,
    json_file: str | None,
    plot_file: str | None,
    transitions: bool,
    heads: str,
) -> None:
    """Describe treebanks: sizes, labels, tags, gaps, fan-outs, unary chains, lengths.

    Several files are shown side by side and in sum. Discontinuity is counted with punctuation as
    annotated, and without it, where a gap made of punctuation alone is no gap. With --transitions,
    the derivations of all trees are measured as well: the longest, gaps or swaps, how many of these
    come in a row, and transitions per token.
    """
    from rich.console import Console

    from crossbranch.statistics import Statistics, plot
    from crossbranch.statistics import report as table
    from crossbranch.transforms import pipeline
    from crossbranch.treebank import read

    steps = pipeline(applied or "")
    columns: list[tuple[str, Statistics]] = []
    lengths: list[list[Lengths]] = []
    for file in files:
        trees = read(
            file, format=source_format, encoding=encoding, on_error=on_error, report=report
        )
        changed: Iterable[Tree] = map(steps.apply, progress(trees, f"reading {file}"))
        if transitions:
            changed = list(changed)
            lengths.append(_lengths(changed, heads, file))
        columns.append((Path(file).name, Statistics.of(changed)))
    if json_file is not None:
        found = {name: figures.to_dict() for name, figures in columns}
        for (name, _), some in zip(columns, lengths, strict=False):
            found[name]["transitions"] = [one.to_dict() for one in some]
        write_text(json_file, json.dumps(found, indent=2) + "\n")
    if plot_file is not None:
        plot(columns, plot_file)
    if json_file != "-":
        Console().print(table(columns))
        for (name, _), some in zip(columns, lengths, strict=False):
            Console().print(_table(name, some))
        if len(lengths) > 1:
            totals = zip(*lengths, strict=True)
            Console().print(_table("total", [reduce(add, some) for some in totals]))


def _lengths(trees: Sequence[Tree], heads: str, file: str) -> list[Lengths]:
    from crossbranch.cli.derive import head_table
    from crossbranch.transitions import compare

    return compare(progress(trees, f"deriving {file}", len(trees)), head_table(heads, trees))


def _table(name: str, lengths: Sequence[Lengths]) -> RenderableType:
    """Return the lengths of derivations as the rows of a table."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(f"derivations: {name}"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("", no_wrap=True)
    for title in ("longest for n", "longest", "gaps or swaps", "in a row", "per token"):
        table.add_column(title, justify="right", no_wrap=True)
    for one in lengths:
        table.add_row(
            one.title,
            one.bound,
            f"{one.longest:,}",
            f"{one.moved:,}",
            f"{one.most_in_a_row:,}",
            f"{one.average:.2f}",
        )
    return table

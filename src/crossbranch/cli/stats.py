"""crossbranch stats: a treebank in figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import click

from crossbranch.cli.options import input_options, report
from crossbranch.cli.show import progress, write_text


@click.command(short_help="Describe treebanks in figures.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@input_options
@click.option("--apply", "applied", metavar="PIPELINE", help="Transforms to apply first.")
@click.option(
    "--json", "json_file", metavar="FILE", help="Write the figures as JSON (- for standard output)."
)
@click.option("--plot", "plot_file", metavar="FILE", help="Draw the figures (.png, .svg, .pdf).")
def stats(
    files: tuple[str, ...],
    *,
    source_format: str | None,
    encoding: str | None,
    on_error: Literal["stop", "skip"],
    applied: str | None,
    json_file: str | None,
    plot_file: str | None,
) -> None:
    """Describe treebanks: sizes, labels, tags, gaps, fan-outs, unary chains, lengths.

    Several files are shown side by side and in sum. Discontinuity is counted with punctuation as
    annotated, and without it, where a gap made of punctuation alone is no gap.
    """
    from rich.console import Console

    from crossbranch.statistics import Statistics, plot
    from crossbranch.statistics import report as table
    from crossbranch.transforms import pipeline
    from crossbranch.treebank import read

    steps = pipeline(applied or "")
    columns: list[tuple[str, Statistics]] = []
    for file in files:
        trees = read(
            file, format=source_format, encoding=encoding, on_error=on_error, report=report
        )
        changed = map(steps.apply, progress(trees, f"reading {file}"))
        columns.append((Path(file).name, Statistics.of(changed)))
    if json_file is not None:
        text = json.dumps({name: figures.to_dict() for name, figures in columns}, indent=2)
        write_text(json_file, text + "\n")
    if plot_file is not None:
        plot(columns, plot_file)
    if json_file != "-":
        Console().print(table(columns))

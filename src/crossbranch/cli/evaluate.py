"""crossbranch evaluate: predictions against gold, in figures."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

import click

from crossbranch.cli.options import FORMAT, report
from crossbranch.cli.show import progress, say

if TYPE_CHECKING:
    from rich.table import Table

    from crossbranch.evaluation import Column, Evaluation, Figures


@click.command(short_help="Compare predicted trees with gold trees.")
@click.argument("gold", metavar="GOLD")
@click.argument("predicted", metavar="PREDICTED...", nargs=-1, required=True)
@click.option(
    "--params",
    default="proper",
    show_default=True,
    metavar="NAME|FILE",
    help="What counts: proper (published figures), spmrl, or a file for EVALB or disco-dop.",
)
@click.option("--unlabelled", is_flag=True, help="Compare spans without their labels.")
@click.option("--la", is_flag=True, help="Also compute leaf-ancestor.")
@click.option("--ted", is_flag=True, help="Also compute tree distance.")
@click.option(
    "--missing",
    type=click.Choice(["count", "ignore"]),
    default="count",
    show_default=True,
    help="Gold sentences without a parse: count them against recall, or leave them out.",
)
@click.option(
    "--align",
    "by",
    type=click.Choice(["order", "id"]),
    default="order",
    show_default=True,
    help="Which prediction belongs to which gold tree.",
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="At a bad sentence, or one with other tokens: stop, or report it and leave it out.",
)
@click.option("--from", "source_format", type=FORMAT, metavar="FORMAT", help="Format of all files.")
@click.option("--encoding", help="Encoding of all files (default: detected).")
@click.option("--json", "json_file", metavar="FILE", help="Write figures as JSON (- for output).")
@click.option("--csv", "csv_file", metavar="FILE", help="Write a row for each sentence as CSV.")
def evaluate(
    gold: str,
    predicted: tuple[str, ...],
    *,
    params: str,
    unlabelled: bool,
    la: bool,
    ted: bool,
    missing: Literal["count", "ignore"],
    by: Literal["order", "id"],
    on_error: Literal["stop", "skip"],
    source_format: str | None,
    encoding: str | None,
    json_file: str | None,
    csv_file: str | None,
) -> None:
    """Compare one or more PREDICTED treebanks with GOLD.

    Figures agree with those of disco-dop's evaluator to the second decimal: all and discontinuous
    brackets in one run, for all sentences and for those up to the cut-off. Formats may differ.
    """
    from rich.console import Console

    from crossbranch.evaluation import evaluate as compare
    from crossbranch.evaluation import find_parameters
    from crossbranch.treebank import read

    parameters = find_parameters(params)
    for key in parameters.unknown_keys:
        say(f"warning: {params}: unknown key {key}")
    results: list[tuple[str, Evaluation]] = []
    for path in predicted:
        trees = [
            read(file, format=source_format, encoding=encoding, on_error=on_error, report=report)
            for file in (gold, path)
        ]
        result = compare(
            trees[0],
            progress(trees[1], f"evaluating {path}"),
            parameters=parameters,
            labelled=False if unlabelled else None,
            leaf_ancestor=la or None,
            tree_distance=ted or None,
            missing=missing,
            by=by,
            report=report if on_error == "skip" else None,
        )
        results.append((path, result))
        if result.scores.all.missing:
            say(f"warning: {path}: {result.scores.all.missing:,} gold sentences have no parse")
    if json_file is not None:
        figures = {path: result.to_dict() for path, result in results}
        _write_text(json_file, json.dumps(figures, indent=2) + "\n")
    if csv_file is not None:
        _write_csv(csv_file, results)
    if json_file != "-":
        console = Console()
        for path, result in results:
            console.print(_table(path, result))


def _table(path: str, result: Evaluation) -> Table:
    from rich.table import Table

    scores = result.scores
    cutoff = f"up to {result.parameters.cutoff} tokens"
    table = Table(title=path, title_justify="left", box=None, header_style="bold", pad_edge=False)
    table.add_column("")
    for name in ("all", f"all, {cutoff}", "discontinuous", f"discontinuous, {cutoff}"):
        table.add_column(name, justify="right")
    columns = (scores.all, scores.cutoff)
    cells = [_cells(column, kind) for kind in ("all", "discontinuous") for column in columns]
    for name in cells[0]:
        table.add_row(name, *(column[name] for column in cells))
    return table


def _cells(column: Column, kind: str) -> dict[str, str]:
    figures: Figures = getattr(column, kind)
    counts = figures.brackets
    cells = {
        "sentences": f"{figures.sentences:,}",
        "gold brackets": f"{counts.gold:,}",
        "predicted brackets": f"{counts.predicted:,}",
        "matching brackets": f"{counts.matched:,}",
        "recall": f"{100 * counts.recall:.2f}",
        "precision": f"{100 * counts.precision:.2f}",
        "F1": f"{100 * counts.f1:.2f}",
        "exact match": f"{100 * figures.exact_match:.2f}",
        "tag accuracy": f"{100 * column.tag_accuracy:.2f}",
    }
    if column.leaf_ancestor_sentences:
        cells["leaf-ancestor"] = f"{100 * column.mean_leaf_ancestor:.2f}"
    if column.distance_vertices:
        cells["tree distance"] = f"{100 * column.tree_likeness:.2f}"
    return cells


def _rows(results: Iterable[tuple[str, Evaluation]]) -> Iterator[dict[str, object]]:
    for path, result in results:
        for row in result.sentences:
            column = row.column
            counts, gaps = column.all.brackets, column.discontinuous.brackets
            yield {
                "prediction": path,
                "number": row.number,
                "id": row.id,
                "length": row.length,
                "gold": counts.gold,
                "predicted": counts.predicted,
                "matched": counts.matched,
                "f1": f"{100 * counts.f1:.2f}",
                "discontinuous_gold": gaps.gold,
                "discontinuous_predicted": gaps.predicted,
                "discontinuous_matched": gaps.matched,
                "exact": column.all.exact,
                "missing": column.missing,
            }


def _write_csv(target: str, results: list[tuple[str, Evaluation]]) -> None:
    rows = list(_rows(results))
    if target == "-":
        _dump(rows, sys.stdout)
    else:
        with Path(target).open("w", newline="", encoding="utf-8") as stream:
            _dump(rows, stream)


def _dump(rows: list[dict[str, object]], stream: TextIO) -> None:
    if rows:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _write_text(target: str, text: str) -> None:
    if target == "-":
        click.echo(text, nl=False)
    else:
        Path(target).write_text(text, encoding="utf-8")

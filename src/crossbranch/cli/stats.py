"""crossbranch stats: the statistics of a treebank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from crossbranch.cli.options import (
    apply_option,
    input_options,
    limit_option,
    named_sentences,
    number_option,
    report,
    sentences_option,
)
from crossbranch.cli.show import progress
from crossbranch.cli.stats_phenomena import Numbered, count_phenomena, phenomena_table
from crossbranch.cli.tables import Record, print_tables, write_csv, write_json
from crossbranch.errors import UsageError
from crossbranch.tree import Tree

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from crossbranch.statistics import Coverage, PhenomenonCounts
    from crossbranch.transforms import Pipeline
    from crossbranch.transitions import Lengths


@click.command(short_help="Describe treebanks in figures.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@input_options
@number_option
@limit_option
@apply_option
@click.option(
    "--json", "json_file", metavar="FILE", help="Write the figures as JSON (- for standard output)."
)
@click.option(
    "--csv", "csv_file", metavar="FILE", help="Write the figures as CSV (- for standard output)."
)
@click.option("--plot", "plot_file", metavar="FILE", help="Plot the figures (.png, .svg, .pdf).")
@click.option(
    "--transitions",
    is_flag=True,
    help="Also compare the lengths of derivations in each transition system.",
)
@click.option(
    "--heads",
    default="auto",
    show_default=True,
    metavar="TABLE",
    help="Choose head rules for --transitions: a table, a file, none, or auto (best table).",
)
@click.option(
    "--coverage",
    is_flag=True,
    help="Also show how many constituents exact span charts of each kind can find.",
)
@click.option(
    "--phenomena",
    metavar="auto|FILE",
    help="Also show kinds of discontinuity: detected (auto), or read from a FILE of ids.",
)
@sentences_option
def stats(
    files: tuple[str, ...],
    *,
    source_format: str | None,
    encoding: str | None,
    on_error: Literal["stop", "skip"],
    numbers: tuple[range, ...],
    limit: int | None,
    steps: Pipeline,
    json_file: str | None,
    csv_file: str | None,
    plot_file: str | None,
    transitions: bool,
    heads: str,
    coverage: bool,
    phenomena: str | None,
    sentences: int | None,
) -> None:
    """Describe treebanks: sizes, labels, tags, gaps, fan-outs, unary chains, lengths.

    Several files are shown side by side, with a total. Discontinuity is counted twice: with
    punctuation as annotated, and without punctuation. In the second case, a gap that contains only
    punctuation does not count. With --transitions, derivations are measured, too: the longest one,
    the number of gaps or swaps, the longest run of them, and the transitions per token. With
    --coverage, a table shows how many constituents an exact parser can find, by its search space.
    With --phenomena, a table shows kinds of discontinuity and their sentences.

    \b
    Examples:
      crossbranch stats train.export dev.export
      crossbranch stats tiger.xml --plot figures.png --json figures.json
      crossbranch stats dev.export --transitions --heads negra
      crossbranch stats dev.export --coverage
      crossbranch stats dev.export --phenomena auto --sentences all
    """  # noqa: D301 - click reads \b
    from crossbranch.statistics import Coverage, Statistics, plot
    from crossbranch.statistics import report as table
    from crossbranch.transforms import transform_each
    from crossbranch.treebank import read
    from crossbranch.treebank.selection import select

    if json_file == csv_file == "-":
        raise UsageError(
            "only one of --json and --csv can write to standard output; give the other a file"
        )
    most = named_sentences(sentences, phenomena)
    names = _short_names(files)
    columns: list[tuple[str, Statistics]] = []
    lengths: list[list[Lengths]] = []
    covered: list[Coverage] = []
    kinds: list[PhenomenonCounts] = []
    for file in files:
        trees = Numbered(
            read(file, format=source_format, encoding=encoding, on_error=on_error, report=report)
        )
        changed: Iterable[Tree] = transform_each(
            progress(select(trees, numbers=numbers, limit=limit), f"reading {file}"),
            steps.apply,
            report=report if on_error == "skip" else None,
        )
        if transitions or coverage or phenomena is not None:
            numbered = [(trees.number, tree) for tree in changed]
            changed = kept = [tree for _, tree in numbered]
        if phenomena is not None:
            kinds.append(count_phenomena(numbered, phenomena, file))
        if transitions:
            lengths.append(_lengths(kept, heads, file))
        if coverage:
            covered.append(Coverage.of(progress(kept, f"covering {file}", len(kept))))
        columns.append((names[file], Statistics.of(changed)))
    found = [(name, figures.to_dict()) for name, figures in columns]
    for (_, figures), some in zip(found, lengths, strict=False):
        figures["transitions"] = [one.to_dict() for one in some]
    for (_, figures), one in zip(found, covered, strict=False):
        figures["coverage"] = one.to_dict()
    for (_, figures), some_kinds in zip(found, kinds, strict=False):
        figures["phenomena"] = some_kinds.to_dict()
    if json_file is not None:
        write_json(json_file, dict(found))
    if csv_file is not None:
        write_csv(csv_file, [row for name, figures in found for row in _rows(name, figures)])
    if plot_file is not None:
        plot(columns, plot_file)
    if "-" not in (json_file, csv_file):
        tables = [_table(name, some) for (name, _), some in zip(columns, lengths, strict=False)]
        if len(lengths) > 1:
            totals = zip(*lengths, strict=True)
            tables.append(_table("total", [reduce(add, some) for some in totals]))
        tables += [
            _coverage_table(name, one) for (name, _), one in zip(columns, covered, strict=False)
        ]
        if len(covered) > 1:
            tables.append(_coverage_table("total", reduce(Coverage.add, covered)))
        tables += [
            phenomena_table(name, one, most) for (name, _), one in zip(columns, kinds, strict=False)
        ]
        print_tables(table(columns), *tables)


def _short_names(files: Sequence[str]) -> dict[str, str]:
    """Return a short name for each file: its name, or its path if two files have the same name."""
    names = {file: Path(file).name for file in files}
    return names if len(set(names.values())) == len(names) else {file: file for file in files}


def _rows(treebank: str, figures: Record, path: str = "") -> Iterator[Record]:
    """Yield a row for each figure: `labels.NP` is its place in the JSON."""
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _rows(treebank, value, f"{path}{name}.")
        elif isinstance(value, list) and path.startswith("phenomena."):
            yield {"treebank": treebank, "figure": path + name, "value": value}
        elif isinstance(value, list):  # of transition systems
            for one in value:
                yield from _rows(treebank, one, f"{path}{name}.{one['system']}-{one['oracle']}.")
        else:
            yield {"treebank": treebank, "figure": path + name, "value": value}


def _lengths(trees: Sequence[Tree], heads: str, file: str) -> list[Lengths]:
    from crossbranch.derivations.gold_trees import head_table
    from crossbranch.transitions import compare

    return compare(progress(trees, f"deriving {file}", len(trees)), head_table(heads, trees))


def _table(name: str, lengths: Sequence[Lengths]) -> RenderableType:
    """Return the lengths of derivations as the rows of a table."""
    titles = ("longest for n", "longest", "gaps or swaps", "in a row", "per token")
    table = _frame(f"derivations: {name}", titles)
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


def _coverage_table(name: str, covered: Coverage) -> RenderableType:
    """Return what each search space can find as the rows of a table."""
    titles = ("all", "at most two blocks", "two blocks", "number of these")
    table = _frame(f"constituents that span charts can find, %: {name}", titles)
    for (title, shares), count in zip(covered.shares().items(), covered.found_gaps, strict=True):
        table.add_row(title, *(f"{100 * share:.2f}" for share in shares), f"{count:,}")
    return table


def _frame(title: str, columns: Sequence[str]) -> Table:
    """Return a table without rows. Its first column has no title."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(title),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table

"""crossbranch clauses: who did what to whom, as a table, CSV or JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from crossbranch.cli.options import apply_option, input_options, limit_option, number_option, report
from crossbranch.cli.show import progress, say_left_out
from crossbranch.cli.tables import Form, plain_table, print_records, print_tables
from crossbranch.errors import CrossbranchError, TransformError, TreeError

if TYPE_CHECKING:
    from crossbranch.clause import Clause
    from crossbranch.transforms import Pipeline
    from crossbranch.tree import Tree

COLUMNS = ("sentence", "subject", "predicate", "objects", "indirect objects", "complements")


@click.command(short_help="Show who did what to whom: the clauses of trees.")
@click.argument("source", metavar="FILE")
@input_options
@number_option
@limit_option
@apply_option
@click.option(
    "--json",
    "form",
    flag_value="json",
    help="Print JSON: one line for each clause, with all its parts.",
)
@click.option("--csv", "form", flag_value="csv", help="Print the table as CSV.")
def clauses(
    source: str,
    *,
    source_format: str | None,
    encoding: str | None,
    on_error: Literal["stop", "skip"],
    numbers: Sequence[range],
    limit: int | None,
    steps: Pipeline,
    form: Form | None,
) -> None:
    """Print the clauses of the trees in FILE: subject, predicate and objects of each verb.

    For raw text, parse it first (see the last example). If the trees have functions such as
    "subject", these are used. Otherwise the positions of the constituents decide. Negations such
    as "not" stand in square brackets after the predicate. With --json, each line is a JSON object
    with all parts of a clause, their tokens, and their offsets in the raw text.

    \b
    Examples:
      crossbranch clauses treebank.export
      crossbranch clauses treebank.export --csv > clauses.csv
      crossbranch parse en "She gave him a book." --to json | crossbranch clauses -
    """  # noqa: D301 - click reads \b
    from crossbranch.treebank import read
    from crossbranch.treebank.selection import select

    skipped: list[CrossbranchError] = []

    def note(error: CrossbranchError) -> None:
        skipped.append(error)
        report(error)

    reader = read(source, format=source_format, encoding=encoding, on_error=on_error, report=note)
    trees = select(reader, numbers=numbers, limit=limit)
    found = _found(progress(trees, "finding clauses"), steps, note if on_error == "skip" else None)
    if form == "json":
        for name, clause in found:
            line = {"sentence": name, **clause.to_dict()}
            click.echo(json.dumps(line, ensure_ascii=False))
    elif form == "csv":
        print_records([_row(name, clause) for name, clause in found], form)
    else:
        table = plain_table(COLUMNS)
        for name, clause in found:
            table.add_row(*map(_plain, _row(name, clause).values()))
        print_tables(table)
    say_left_out(skipped)


def _found(trees: Any, steps: Pipeline, note: Any) -> Iterator[tuple[str, Clause]]:
    """The clauses of all trees, with the id or number of the sentence."""
    for number, tree in enumerate(trees, 1):
        try:
            clauses_of_tree = _clauses_of(tree, steps)
        except (TreeError, TransformError) as error:
            if note is None:
                raise
            note(error)
            continue
        for clause in clauses_of_tree:
            yield tree.id or str(number), clause


def _clauses_of(tree: Tree, steps: Pipeline) -> list[Clause]:
    return steps.apply(tree).clauses()


def _row(name: str, clause: Clause) -> dict[str, str]:
    """The most important parts of a clause as texts."""
    complements = (*clause.predicatives, *clause.complements, *clause.agents)
    negation = "".join(f" [{part.text}]" for part in clause.negations)
    cells = (
        name,
        "" if clause.subject is None else clause.subject.text,
        clause.predicate + negation,
        _texts(clause.objects),
        _texts(clause.indirect_objects),
        _texts(complements),
    )
    return dict(zip(COLUMNS, cells, strict=True))


def _texts(parts: Sequence[Any]) -> str:
    return "; ".join(part.text for part in parts)


def _plain(text: str) -> Any:
    from rich.text import Text  # so that square brackets are no mark-up

    return Text(text)

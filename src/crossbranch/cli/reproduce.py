"""crossbranch reproduce: the tables of papers, with your own treebanks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crossbranch.cli.options import in_range
from crossbranch.cli.show import end_interrupted, say
from crossbranch.disk import replace_file
from crossbranch.ranges import Beam, Few, Threads

if TYPE_CHECKING:
    from crossbranch.reproduction import Reproduction

_FAILED = 1  # the exit code


@click.command(short_help="Make the tables of papers with your treebanks.")
@click.argument("name", metavar="NAME")
@click.option(
    "--corpus",
    "corpora",
    metavar="[NAME=]DIR",
    multiple=True,
    help="Use the train, dev and test files in this folder; repeatable.",
)
@click.option(
    "--out",
    "-o",
    metavar="DIR",
    required=True,
    help="Write models, predicted trees and tables to this folder.",
)
@click.option("--only", metavar="TABLE", multiple=True, help="Make only this table; repeatable.")
@click.option(
    "--jobs",
    "-j",
    type=in_range(Threads),
    default=1,
    metavar="N",
    help="Train N models at once (default: 1).",
)
@click.option(
    "--seeds",
    type=in_range(Few),
    default=1,
    metavar="N",
    help="Train each model with N random seeds, and show means (default: 1).",
)
@click.option(
    "--train-beam",
    type=in_range(Beam),
    metavar="N",
    help="Train all models with beam N; one model then serves all beams of a table.",
)
@click.option(
    "--set",
    "assignments",
    metavar="KEY=VALUE",
    multiple=True,
    help="Change a setting of all parsers that have it, such as epochs=5; repeatable.",
)
@click.option(
    "--to",
    "target_format",
    type=click.Choice(("table", "markdown", "json")),
    default="table",
    help="Print the tables in this format (default: table).",
)
def reproduce(
    name: str,
    *,
    corpora: tuple[str, ...],
    out: str,
    only: tuple[str, ...],
    jobs: int,
    seeds: int,
    train_beam: int | None,
    assignments: tuple[str, ...],
    target_format: str,
) -> None:
    """Make the tables of the paper NAME, beside the figures that the paper reports.

    NAME is coavoux-crabbe-2017, maier-2015 or oracles. A corpus is a folder with the files train,
    dev and test in any known format, such as train.export; `crossbranch prepare` makes it. If there
    is no test file, the dev file is used. The NAME of a corpus says which figures of the paper
    belong to it: negra, negra-30, tiger-spmrl or tiger-hn08. Without it, the name is what `prepare`
    wrote into the folder, or the name of the folder. Files such as train-tags.conllu and
    test-tags.conllu have the tags of another tagger, for tables with predicted tags.

    If the command is interrupted, repeat it: finished models, trees and scores are used again. The
    tables are also written to tables.md and tables.json in the output folder.

    \b
    Examples:
      crossbranch prepare negra-30 negra.export negra-30
      crossbranch reproduce coavoux-crabbe-2017 --corpus negra-30 --out out --jobs 2
      crossbranch reproduce maier-2015 --corpus mine=folder --out out --only 1 --only 2
    """  # noqa: D301 - click reads \b
    from crossbranch import reproduction
    from crossbranch.cli.reproduce_view import ReproduceView
    from crossbranch.config import read_assignments

    paper = reproduction.read_paper(name)
    options = reproduction.Options(
        jobs=jobs,
        seeds=tuple(range(1, seeds + 1)),
        train_beam=train_beam or 0,
        changes=read_assignments(assignments),
    )
    found_corpora = [reproduction.find_corpus(text) for text in corpora]
    try:
        with ReproduceView() as view:
            found = reproduction.reproduce(
                paper, found_corpora, out, only=only, options=options, watcher=view
            )
    except KeyboardInterrupt as error:
        end_interrupted(error, "; repeat the command to continue")
    _write(found, Path(out))
    _show(found, target_format)
    for failure in found.failures:
        say(f"failed: {failure.corpus}: {failure.what}: {failure.reason}")
    if found.failures:
        say("repeat the command to try again what has failed")
        sys.exit(_FAILED)


def _write(found: Reproduction, out: Path) -> None:
    from crossbranch import reproduction

    replace_file(out / "tables.md", reproduction.to_markdown(found).encode())
    replace_file(out / "tables.json", reproduction.to_json(found).encode())


def _show(found: Reproduction, target_format: str) -> None:
    from crossbranch import reproduction
    from crossbranch.cli.tables import plain_table, print_tables

    if target_format == "markdown":
        click.echo(reproduction.to_markdown(found), nl=False)
        return
    if target_format == "json":
        click.echo(reproduction.to_json(found), nl=False)
        return
    print_tables(found.paper.title, *(f"- {note}" for note in found.notes))
    for part in reproduction.in_words(found):
        shown = plain_table(part.columns[:1], part.columns[1:])
        for row in part.rows:
            shown.add_row(*row)
        print_tables("", part.caption, shown)

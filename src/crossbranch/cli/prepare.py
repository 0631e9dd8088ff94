"""crossbranch prepare: the standard splits of published corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from crossbranch.cli.options import apply_option
from crossbranch.cli.show import progress, say
from crossbranch.cli.tables import Form, form_options, plain_table, print_records, print_tables

if TYPE_CHECKING:
    from crossbranch.transforms import Pipeline


@click.command(short_help="Make the standard train, dev and test sets of a corpus.")
@click.argument("name")
@click.argument("source", metavar="INPUT")
@click.argument("target", metavar="OUT")
@click.option(
    "--recipe",
    type=click.Choice(["2015", "2017", "2019"]),
    default="2017",
    show_default=True,
    help="Choose the recipe. 2015: strip functions, attach children of the root. 2017: also move"
    " punctuation as disco-dop does. 2019: only move punctuation.",
)
@apply_option
@form_options
def prepare(
    name: str, source: str, target: str, *, recipe: str, steps: Pipeline, form: Form | None
) -> None:
    """Make the standard train, dev and test sets of a corpus.

    NAME is the corpus, INPUT is the file or folder that its publisher distributes, and OUT is the
    folder to write.

    \b
    negra, negra-30          the NeGra corpus (export)
    tiger-spmrl, tiger-hn08  the TIGER corpus (TIGER-XML or export)
    dptb                     the Penn Treebank's folder of wsj_*.mrg
    alpino                   Alpino's folder Treebank
    craft                    CRAFT's repository
    icepahc                  IcePaHC's repository

    Each set is written as export and as discbracket. manifest.json records how the sets were made.
    It also lists the sentences that were left out because of annotation errors. A note says if a
    set has another number of sentences than expected. --apply changes the trees after the
    recipe. It does not change the split.

    \b
    Examples:
      crossbranch prepare negra negra-corpus.export negra
      crossbranch prepare tiger-spmrl tiger.xml tiger --recipe 2019
    """  # noqa: D301 - click reads \b
    from crossbranch.prepare import prepare as prepare_corpus

    prepared = prepare_corpus(
        name,
        source,
        target,
        recipe=recipe,
        apply=steps,
        progress=lambda items: progress(items, "preparing"),
    )
    for problem in prepared.problems:
        say(f"note: {problem}")
    records = [
        {"part": part, "sentences": entry["sentences"], "tokens": entry["tokens"]}
        for part, entry in prepared.manifest["parts"].items()
    ]
    if form is not None:
        print_records(records, form)
        return
    table = plain_table(["part"], ["sentences", "tokens"])
    for one in records:
        table.add_row(one["part"], f"{one['sentences']:,}", f"{one['tokens']:,}")
    print_tables(table)

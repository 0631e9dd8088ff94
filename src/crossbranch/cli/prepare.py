"""crossbranch prepare: the standard splits of the field's corpora."""

from __future__ import annotations

import click

from crossbranch.cli.show import progress, say
from crossbranch.cli.tables import Form, form_options, plain_table, print_records, print_tables


@click.command(short_help="Make train, dev and test of a corpus, as published.")
@click.argument("name")
@click.argument("source", metavar="INPUT")
@click.argument("target", metavar="OUT")
@click.option(
    "--recipe",
    type=click.Choice(["2017", "2019"]),
    default="2017",
    show_default=True,
    help="Choose the recipe. 2017: strip functions, attach children of the root, move punctuation;"
    " 2019: only move punctuation.",
)
@form_options
def prepare(name: str, source: str, target: str, *, recipe: str, form: Form | None) -> None:
    """Make train, dev and test of the corpus NAME from its distribution INPUT, in the folder OUT.

    \b
    negra, negra-30          the NeGra corpus (export)
    tiger-spmrl, tiger-hn08  the TIGER corpus (TIGER-XML or export)
    dptb                     the Penn Treebank's folder of wsj_*.mrg
    alpino                   Alpino's folder Treebank
    craft                    CRAFT's repository
    icepahc                  IcePaHC's repository

    Each part is written as export and discbracket; manifest.json says how they came about.
    Sentences with annotation errors are left out and named there.
    """  # noqa: D301 - click reads \b
    from crossbranch.prepare import prepare as prepare_corpus

    prepared = prepare_corpus(
        name, source, target, recipe=recipe, progress=lambda items: progress(items, "preparing")
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

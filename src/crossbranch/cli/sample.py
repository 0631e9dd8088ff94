"""crossbranch sample: treebanks from the grammars that come with crossbranch."""

from __future__ import annotations

import click

from crossbranch.cli.options import FORMAT
from crossbranch.cli.show import progress


@click.command()
@click.argument("count", metavar="N", type=click.IntRange(min=0))
@click.option(
    "--grammar",
    default="german",
    show_default=True,
    help="german, dutch, english, random, or a grammar file of your own.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same treebank.")
@click.option("--output", "-o", "target", default="-", help="Where to write (default: standard output).")
@click.option("--to", "target_format", type=FORMAT, help="Format (default: by name, else export).")
def sample(count: int, *, grammar: str, seed: int, target: str, target_format: str | None) -> None:
    """Make a treebank of N sentences from a hand-written grammar, or of random trees.

    The grammars show the discontinuities of their languages: German topicalization, extraposition and
    scrambling, Dutch cross-serial verbs, English extraction and quotations.
    """
    from crossbranch.treebank import write
    from crossbranch.treebank.sample import sample as sample_trees

    if target_format is None and target == "-":
        target_format = "export"
    trees = sample_trees(count, grammar=grammar, seed=seed)
    write(progress(trees, "sampling", total=count), target, format=target_format)

"""crossbranch sample: treebanks from the grammars that come with crossbranch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from crossbranch.cli.options import FORMAT, apply_option
from crossbranch.cli.show import progress
from crossbranch.errors import UsageError
from crossbranch.grammar.random_trees import SHAPES

if TYPE_CHECKING:
    from crossbranch.transforms import Pipeline


def random_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that are only for --grammar random; those not given are None."""
    for option in (
        click.option("--tags", type=int, help="random: how many tags there are."),
        click.option("--labels", metavar="A,B,...", help="random: the labels to choose from."),
        click.option(
            "--ill-nested/--well-nested", default=None, help="random: allow ill-nested trees."
        ),
        click.option("--unary-rate", type=float, help="random: how often a node has one child."),
        click.option(
            "--discontinuity-rate",
            type=float,
            help="random: how often a node has discontinuous children.",
        ),
        click.option("--max-fan-out", type=int, help="random: the most blocks of a node."),
        click.option("--branching", type=int, help="random: the most children of a node."),
        click.option("--min-length", type=int, help="random: the fewest tokens of a sentence."),
        click.option("--shape", type=click.Choice(SHAPES), help="random: the shape of the trees."),
    ):
        command = option(command)
    return command


@click.command(short_help="Make a treebank from a grammar, or of random trees.")
@click.argument("count", metavar="N", type=click.IntRange(min=0))
@click.option(
    "--grammar",
    default="german",
    show_default=True,
    help="german, dutch, english, random, or a grammar file of your own.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same treebank.")
@click.option(
    "--first",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of the first sentence: pieces of a treebank can be made apart.",
)
@click.option(
    "--max-length", type=int, help="The most tokens of a sentence (default: 60; random 30)."
)
@random_options
@click.option(
    "--output", "-o", "target", default="-", help="Where to write (default: standard output)."
)
@click.option(
    "--to",
    "target_format",
    type=FORMAT,
    metavar="FORMAT",
    help="Format (default: by name, else export).",
)
@apply_option
def sample(
    count: int,
    *,
    steps: Pipeline,
    grammar: str,
    seed: int,
    first: int,
    max_length: int | None,
    target: str,
    target_format: str | None,
    **random_settings: Any,
) -> None:
    """Make a treebank of N sentences from a hand-written grammar, or of random trees.

    The grammars show the discontinuities of their languages: German topicalization, extraposition
    and scrambling, Dutch cross-serial verbs, English extraction and quotations.
    """
    from crossbranch.conversion import write
    from crossbranch.grammar.random_trees import RandomSettings, random_trees
    from crossbranch.grammar.sampling import sample as sample_trees
    from crossbranch.transforms import transform_each

    if target_format is None and target == "-":
        target_format = "export"
    given = {name: value for name, value in random_settings.items() if value is not None}
    if grammar == "random":
        if max_length is not None:
            given["max_length"] = max_length
        if "labels" in given:
            given["labels"] = tuple(filter(None, given["labels"].split(",")))
        trees = random_trees(count, seed=seed, first=first, settings=RandomSettings(**given))
    elif given:
        names = ", ".join(sorted(f"--{name.replace('_', '-')}" for name in given))
        raise UsageError(f"{names}: only for --grammar random")
    else:
        trees = sample_trees(count, grammar=grammar, seed=seed, first=first, max_length=max_length)
    changed = transform_each(progress(trees, "sampling", total=count), steps.apply)
    write(changed, target, format=target_format)

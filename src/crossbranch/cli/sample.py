"""crossbranch sample: treebanks made from grammars, or of random trees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from crossbranch.cli.options import apply_option, in_range
from crossbranch.cli.show import progress
from crossbranch.cli.tree_target import tree_format_option, tree_output_option, write_or_draw
from crossbranch.errors import UsageError
from crossbranch.grammar.random_trees import SHAPES
from crossbranch.ranges import Count, Length, Seed, Share, Size

if TYPE_CHECKING:
    from crossbranch.transforms import Pipeline


def random_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for --grammar random. The value of an option that is not given is None."""
    for option in (
        click.option("--tags", type=in_range(Length), help="Use this many tags (random)."),
        click.option("--labels", metavar="A,B,...", help="Use these labels (random)."),
        click.option(
            "--ill-nested/--well-nested",
            default=None,
            help="Allow or forbid ill-nested trees (random).",
        ),
        click.option(
            "--unary-rate",
            type=in_range(Share),
            help="Set the share of nodes with one child (random).",
        ),
        click.option(
            "--discontinuity-rate",
            type=in_range(Share),
            help="Set the share of nodes with discontinuous children (random).",
        ),
        click.option(
            "--max-fan-out",
            type=in_range(Length),
            help="Set the maximal fan-out of a node (random).",
        ),
        click.option(
            "--branching",
            type=in_range(Length),
            help="Set the maximal number of children of a node (random).",
        ),
        click.option(
            "--min-length",
            type=in_range(Length),
            help="Set the minimal length of a sentence (random).",
        ),
        click.option(
            "--shape", type=click.Choice(SHAPES), help="Choose the shape of the trees (random)."
        ),
    ):
        command = option(command)
    return command


@click.command(short_help="Make a treebank from a grammar, or of random trees.")
@click.argument("count", metavar="N", type=in_range(Count))
@click.option(
    "--grammar",
    default="german",
    show_default=True,
    help="Use german, dutch, english, random, or your own grammar file.",
)
@click.option(
    "--seed",
    type=in_range(Seed),
    default=1,
    show_default=True,
    help="Set the random seed; the same seed gives the same treebank.",
)
@click.option(
    "--first",
    type=in_range(Size),
    default=1,
    show_default=True,
    help="Start at this sentence, to make a large treebank in pieces.",
)
@click.option(
    "--max-length",
    type=in_range(Length),
    help="Set the maximal length of a sentence (default: 60 tokens; random: 30).",
)
@random_options
@tree_output_option
@tree_format_option("export")
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

    The grammars show typical discontinuities of their languages: German topicalization,
    extraposition and scrambling, Dutch cross-serial verbs, English extraction and quotations.
    Options marked (random) work only with --grammar random.

    \b
    Examples:
      crossbranch sample 1000 -o german.export
      crossbranch sample 3 --grammar dutch --to drawn
      crossbranch sample 20 --grammar random --discontinuity-rate 0.5 -o trees.html
    """  # noqa: D301 - click reads \b
    from crossbranch.grammar.random_trees import RandomSettings, random_trees
    from crossbranch.grammar.sampling import sample as sample_trees
    from crossbranch.transforms import transform_each

    given = {name: value for name, value in random_settings.items() if value is not None}
    if grammar == "random":
        if max_length is not None:
            given["max_length"] = max_length
        if "labels" in given:
            given["labels"] = tuple(filter(None, given["labels"].split(",")))
        trees = random_trees(count, seed=seed, first=first, settings=RandomSettings(**given))
    elif given:
        names = ", ".join(sorted(f"--{name.replace('_', '-')}" for name in given))
        raise UsageError(f"{names} can be used only with --grammar random")
    else:
        trees = sample_trees(count, grammar=grammar, seed=seed, first=first, max_length=max_length)
    changed = transform_each(progress(trees, "sampling", total=count), steps.apply)
    title = f"{count:,} trees: {Path(grammar).stem}"
    write_or_draw(changed, target, target_format, default="export", title=title)

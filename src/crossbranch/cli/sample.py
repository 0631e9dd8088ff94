"""crossbranch sample: treebanks from the grammars that come with crossbranch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from crossbranch.cli.draw_target import KINDS, Target, draw_all
from crossbranch.cli.options import apply_option
from crossbranch.cli.show import progress
from crossbranch.drawing.dispatch import kind_of
from crossbranch.errors import UsageError
from crossbranch.grammar.random_trees import SHAPES
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import strip_compression

if TYPE_CHECKING:
    from crossbranch.transforms import Pipeline


def random_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that are only for --grammar random; those not given are None."""
    for option in (
        click.option("--tags", type=int, help="Use so many tags (random)."),
        click.option("--labels", metavar="A,B,...", help="Choose from these labels (random)."),
        click.option(
            "--ill-nested/--well-nested",
            default=None,
            help="Allow ill-nested trees, or not (random).",
        ),
        click.option(
            "--unary-rate", type=float, help="Set how often a node has one child (random)."
        ),
        click.option(
            "--discontinuity-rate",
            type=float,
            help="Set how often a node has discontinuous children (random).",
        ),
        click.option("--max-fan-out", type=int, help="Limit the blocks of a node (random)."),
        click.option("--branching", type=int, help="Limit the children of a node (random)."),
        click.option("--min-length", type=int, help="Make no shorter sentences (random)."),
        click.option(
            "--shape", type=click.Choice(SHAPES), help="Choose the shape of the trees (random)."
        ),
    ):
        command = option(command)
    return command


@click.command(short_help="Make a treebank from a grammar, or of random trees.")
@click.argument("count", metavar="N", type=click.IntRange(min=0))
@click.option(
    "--grammar",
    default="german",
    show_default=True,
    help="Choose german, dutch, english, random, or a grammar file of your own.",
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Choose another treebank; the same seed gives the same one.",
)
@click.option(
    "--first",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Start with this sentence of the treebank, to make a large one in pieces.",
)
@click.option(
    "--max-length", type=int, help="Make no longer sentences (default: 60 tokens; random 30)."
)
@random_options
@click.option(
    "--output", "-o", "target", default="-", help="Write to this file (default: standard output)."
)
@click.option(
    "--to",
    "target_format",
    type=click.Choice([*FORMATS, *KINDS]),
    metavar="FORMAT",
    help=f"Write this format, or {', '.join(KINDS)} (default: by name, else export).",
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
    and scrambling, Dutch cross-serial verbs, English extraction and quotations. Options marked
    with (random) are only for --grammar random.

    \b
      crossbranch sample 1000 -o german.export
      crossbranch sample 3 --grammar dutch --to drawn
      crossbranch sample 20 --grammar random --discontinuity-rate 0.5 -o trees.html
    """  # noqa: D301 - click reads \b
    from crossbranch.conversion import write
    from crossbranch.grammar.random_trees import RandomSettings, random_trees
    from crossbranch.grammar.sampling import sample as sample_trees
    from crossbranch.transforms import transform_each

    kind = _drawing(target, target_format)
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
    if kind is None:
        write(changed, target, format=target_format)
    else:
        _draw(changed, target, kind, title=f"{count:,} trees: {Path(grammar).stem}")


def _drawing(target: str, format: str | None) -> str | None:
    """Return what to draw, if trees are to be drawn; the name .txt stands for tokens."""
    if format is not None:
        return format if format in KINDS else None
    kind = kind_of(strip_compression(target))
    return None if kind == "drawn" else kind


def _draw(trees: Iterator[Tree], target: str, kind: str, *, title: str) -> None:
    look: dict[str, Any] = {"title": title} if kind == "html" else {"width": None}
    place = Target.of(target, kind, is_compared=False)
    draw_all(((tree, None) for tree in trees), place, look)

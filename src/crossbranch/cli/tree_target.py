"""Trees that a command made: written as a treebank, or drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click

from crossbranch.cli.draw_target import KINDS, Target, draw_all
from crossbranch.cli.options import Command
from crossbranch.drawing.dispatch import kind_of
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import strip_compression

tree_output_option = click.option(
    "--output", "-o", "target", default="-", help="Write to this file (default: standard output)."
)


def tree_format_option(default: str) -> Callable[[Command], Command]:
    """Return the option --to: a format of treebanks, or a kind of drawing."""
    return click.option(
        "--to",
        "target_format",
        type=click.Choice([*FORMATS, *KINDS]),
        metavar="FORMAT",
        help=f"Write this format, or {', '.join(KINDS)}"
        f" (default: by the output's name, or {default}).",
    )


def write_or_draw(
    trees: Iterator[Tree],
    target: str,
    format: str | None,
    *,
    default: str,
    title: str,
    marks: Callable[[Tree], Iterable[int]] | None = None,
) -> None:
    """Write or draw trees.

    Args:
        trees: The trees.
        target: A file, or - for standard output.
        format: A format of treebanks, or a kind of drawing.
        default: The format for standard output if none is given.
        title: The heading of a page.
        marks: Returns the vertices of a tree that are marked in its drawing.
    """
    from crossbranch.conversion import write

    if format is None and target == "-":
        format = default
    kind = _drawing(target, format)
    if kind is None:
        write(trees, target, format=format)
        return
    look: dict[str, Any] = {"title": title} if kind == "html" else {"width": None}
    if marks is not None:
        look["marks"] = marks
    place = Target.of(target, kind, is_compared=False)
    draw_all(((tree, None) for tree in trees), place, look)


def _drawing(target: str, format: str | None) -> str | None:
    """Return the kind of drawing, or None to write a treebank; .txt is the format `tokens`."""
    if format is not None:
        return format if format in KINDS else None
    kind = kind_of(strip_compression(target))
    return None if kind == "drawn" else kind

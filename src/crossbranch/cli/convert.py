"""crossbranch convert: from any format to any other, with transforms on the way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

import click

from crossbranch.cli.options import FORMAT, apply_option, input_options, report
from crossbranch.cli.show import progress, say, say_left_out
from crossbranch.errors import CrossbranchError, UsageError
from crossbranch.tree import Tree

if TYPE_CHECKING:
    from crossbranch.transforms import Pipeline


@click.command(short_help="Convert a treebank from one format to another.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@input_options
@click.option(
    "--to",
    "target_format",
    type=FORMAT,
    metavar="FORMAT",
    help="Format of the output (default: by name).",
)
@apply_option
@click.option("--undo", "undone", metavar="PIPELINE", help="Transforms to undo, last one first.")
@click.option(
    "--strict", is_flag=True, help="Fail where the output format cannot hold what the input has."
)
@click.option(
    "--output-encoding", default="utf-8", show_default=True, help="Encoding of the output."
)
def convert(
    source: str,
    target: str,
    *,
    source_format: str | None,
    target_format: str | None,
    encoding: str | None,
    steps: Pipeline,
    undone: str | None,
    on_error: Literal["stop", "skip"],
    strict: bool,
    output_encoding: str,
) -> None:
    """Convert the treebank IN to OUT, one sentence at a time, in constant memory.

    Nothing that OUT's format can hold is lost. What it cannot hold is dropped, and a warning counts
    it. Words are never reordered. If OUT's format has no crossing branches, trees are made
    continuous as with --apply "attach | raise(auto)"; --apply another transform for another way.

    \b
      crossbranch convert tiger.export.gz tiger.xml
      crossbranch convert wsj.mrg wsj.export --apply "traces"
      crossbranch convert negra.export - --to conllu --apply "heads(negra)"
      crossbranch convert tiger.xml tiger.mrg --apply "attach | split"
    """  # noqa: D301 - click reads \b
    from crossbranch.conversion import write
    from crossbranch.transforms import pipeline, transform_each
    from crossbranch.treebank import read
    from crossbranch.treebank.reading import same_file

    backwards = pipeline(undone or "")
    if backwards.without_inverse():
        raise UsageError(f"cannot be undone: {', '.join(backwards.without_inverse())}")
    if target_format is None and target == "-":
        raise UsageError("standard output has no name to tell a format from; give --to FORMAT")
    if same_file(source, target):
        raise UsageError(f"cannot write {target}: it is, or lies in, what is being read")
    skipped: list[CrossbranchError] = []

    def note(error: CrossbranchError) -> None:
        skipped.append(error)
        report(error)

    reader = read(source, format=source_format, encoding=encoding, on_error=on_error, report=note)
    trees: Iterable[Tree] = reader
    for chain, step in ((backwards, backwards.undo), (steps, steps.apply)):
        if chain.steps:
            trees = transform_each(trees, step, report=note if on_error == "skip" else None)
    lost = write(
        progress(trees, "converting"),
        target,
        format=target_format,
        header=reader.header,
        encoding=output_encoding,
        strict=strict,
        on_error=on_error,
        report=note,
    )
    say_left_out(skipped)
    if steps.steps and any("features" in part for part in lost) and not steps.without_inverse():
        say("note: undoing this exactly needs what was dropped; json keeps it")

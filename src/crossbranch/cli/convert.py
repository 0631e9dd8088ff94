"""crossbranch convert: from any format to any other, with transforms on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from crossbranch.cli.options import (
    FORMAT,
    apply_option,
    input_options,
    limit_option,
    number_option,
    report,
)
from crossbranch.cli.show import progress, say, say_left_out
from crossbranch.errors import CrossbranchError, UsageError

if TYPE_CHECKING:
    from crossbranch.transforms import Pipeline


@click.command(short_help="Convert a treebank from one format to another.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@input_options
@number_option
@limit_option
@click.option(
    "--to",
    "target_format",
    type=FORMAT,
    metavar="FORMAT",
    help="Set the format of the output (default: by its name).",
)
@apply_option
@click.option("--undo", "undone", metavar="PIPELINE", help="Undo transforms, the last one first.")
@click.option(
    "--strict", is_flag=True, help="Stop with an error if the output format would lose something."
)
@click.option(
    "--verify",
    is_flag=True,
    help="Read OUT back, and stop with an error if it is not what was written.",
)
@click.option(
    "--output-encoding", default="utf-8", show_default=True, help="Set the encoding of the output."
)
def convert(
    source: str, target: str, *, steps: Pipeline, undone: str | None, **options: Any
) -> None:
    """Convert the treebank IN to OUT, one sentence at a time, in constant memory.

    Everything that OUT's format can hold is kept. The rest is dropped, and a warning counts what
    was dropped. Words keep their order. If OUT's format has no crossing branches, trees are made
    continuous as with --apply "attach | raise(auto)". To do it differently, give other transforms.

    With --verify, the output is read back and compared with what was written, sentence by sentence.
    Only what the warning counts may be missing. Standard output is compared before it is written.

    \b
    Examples:
      crossbranch convert tiger.export.gz tiger.xml
      crossbranch convert wsj.mrg wsj.export --apply "traces"
      crossbranch convert negra.export - --to conllu
      crossbranch convert tiger.xml tiger.mrg --apply "attach | split"
      crossbranch convert tiger.xml dev.export --number 40475-45474
    """  # noqa: D301 - click reads \b
    from crossbranch.conversion import convert as convert_treebank
    from crossbranch.drawing.dispatch import kind_of

    if options["target_format"] is None and target == "-":
        raise UsageError("standard output has no name to guess the format from; give --to FORMAT")
    if options["target_format"] is None and kind_of(target) not in (None, "drawn"):
        raise UsageError(
            f"convert does not draw; to make {target}: crossbranch draw {source} -o {target}"
        )
    skipped: list[CrossbranchError] = []

    def note(error: CrossbranchError) -> None:
        skipped.append(error)
        report(error)

    lost = convert_treebank(
        source,
        target,
        apply=steps,
        undo=undone or "",
        report=note,
        progress=lambda trees: progress(trees, "converting"),
        **options,
    )
    say_left_out(skipped)
    if steps.steps and any("features" in part for part in lost) and not steps.without_inverse():
        say("note: --undo needs what was dropped to restore the trees exactly; json keeps it")

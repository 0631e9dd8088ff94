"""crossbranch grammar: grammars of treebanks and hand-written ones (LCFRS)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import click

from crossbranch.cli.grammar_trees import parse, sample
from crossbranch.cli.grammar_view import check, show
from crossbranch.cli.options import Command, apply_option, input_options, limit_option, report
from crossbranch.cli.show import progress

if TYPE_CHECKING:
    from crossbranch.grammar import Grammar
    from crossbranch.transforms import Pipeline
    from crossbranch.tree import Tree

_FORMATS = click.Choice(["lcfrs", "discodop", "rparse"])
_NORMAL_FORMS = click.Choice(["ordered", "gap-explicit", "tagged", "binary"])


@click.group(short_help="Extract, convert and use grammars (LCFRS).")
def grammar() -> None:
    """Extract grammars from treebanks, look at them, convert them, parse and sample with them.

    The grammars are linear context-free rewriting systems (LCFRS): context-free grammars whose
    constituents may have gaps. GRAMMAR is a file, or german, dutch or english.

    \b
    Examples:
      crossbranch grammar extract train.export -o train.lcfrs
      crossbranch grammar show train.lcfrs
      crossbranch grammar parse my.lcfrs --letters abcccab
      crossbranch grammar convert train.lcfrs train.rules --normal binary
    """  # noqa: D301 - click reads \b


def _writing_options(command: Command) -> Command:
    for option in (
        click.option(
            "--probabilities",
            is_flag=True,
            help="Divide weights by their sum for each symbol.",
        ),
        click.option(
            "--normal",
            "normal_forms",
            type=_NORMAL_FORMS,
            metavar="FORM",
            multiple=True,
            help="Change to a normal form: ordered, gap-explicit, tagged or binary; repeatable.",
        ),
        click.option("--trim", is_flag=True, help="Remove useless rules and words."),
        click.option(
            "--to",
            "target_format",
            type=_FORMATS,
            metavar="FORMAT",
            help="Write lcfrs, discodop or rparse (default: by the output's name, or lcfrs).",
        ),
    ):
        command = option(command)
    return command


@grammar.command(short_help="Read off the grammar of treebanks.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    *("--output", "-o", "target"),
    default="-",
    metavar="FILE",
    help="Write to this file (default: standard output).",
)
@input_options
@limit_option
@apply_option
@_writing_options
def extract(
    files: tuple[str, ...],
    *,
    target: str,
    source_format: str | None,
    encoding: str | None,
    on_error: Literal["stop", "skip"],
    limit: int | None,
    steps: Pipeline,
    **changes: Any,
) -> None:
    """Read off the grammar of the trees in FILEs: a rule for each node, with its count.

    Use --apply to change the trees first: to binarize and Markovize them, or to limit the number
    of blocks of a node.

    \b
    Examples:
      crossbranch grammar extract train.export -o train.lcfrs
      crossbranch grammar extract train.export --apply "heads(negra) | raise(blocks=2)" --to rparse
        -o train.rcg
      crossbranch grammar extract train.export -o train.rules
        --apply "heads(negra) | binarize(head-outward, horizontal=1)"
    """  # noqa: D301 - click reads \b
    from crossbranch.grammar import extract as extract_grammar
    from crossbranch.transforms import transform_each
    from crossbranch.treebank import read
    from crossbranch.treebank.selection import select

    def trees() -> Iterator[Tree]:
        for file in files:
            yield from read(
                file, format=source_format, encoding=encoding, on_error=on_error, report=report
            )

    changed = transform_each(
        progress(select(trees(), numbers=(), limit=limit), "reading trees"),
        steps.apply,
        report=report if on_error == "skip" else None,
    )
    _write(extract_grammar(changed), target, **changes)


@grammar.command(short_help="Convert grammars to other formats and normal forms.")
@click.argument("sources", metavar="GRAMMAR...", nargs=-1, required=True)
@click.argument("target", metavar="TARGET")
@click.option("--from", "source_format", type=_FORMATS, metavar="FORMAT", help="Set the format.")
@_writing_options
def convert(
    sources: tuple[str, ...], *, target: str, source_format: str | None, **changes: Any
) -> None:
    """Write GRAMMAR to TARGET, in another format or in a normal form. Several are merged.

    Normal forms keep the language. In an ordered grammar, the blocks of a child keep their order.
    In a gap-explicit one, there is always something between them. In a tagged one, terminals are
    only words of tags. In a binary one, rules have at most two children. They are made in the order
    in which they are given.

    \b
    Examples:
      crossbranch grammar convert train.lcfrs train.rcg
      crossbranch grammar convert my.lcfrs my.rules --normal ordered --normal tagged --normal binary
      crossbranch grammar convert one.lcfrs two.lcfrs both.lcfrs --probabilities
    """  # noqa: D301 - click reads \b
    from crossbranch.grammar import merge, read

    found = [read(source, format=source_format) for source in sources]
    _write(found[0] if len(found) == 1 else merge(found), target, **changes)


def _write(
    grammar: Grammar,
    target: str,
    *,
    target_format: str | None,
    trim: bool,
    normal_forms: tuple[str, ...],
    probabilities: bool,
) -> None:
    from crossbranch import grammar as grammars

    if trim:
        grammar = grammars.trim(grammar)
    for name in normal_forms:
        grammar = getattr(grammars, name.replace("-", "_"))(grammar)
    if probabilities:
        grammar = grammar.probabilities()
    grammars.write(grammar, target, format=target_format)


for _command in (show, check, parse, sample):
    grammar.add_command(_command)

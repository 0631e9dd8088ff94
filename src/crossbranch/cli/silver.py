"""crossbranch silver: trees for sentences whose dependencies are known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from crossbranch.cli.options import (
    FORMAT,
    beam_option,
    device_option,
    in_range,
    limit_option,
    report,
    search_option,
    threads_option,
)
from crossbranch.cli.show import progress, say, say_left_out
from crossbranch.config import read_assignments
from crossbranch.errors import CrossbranchError, InputError, UsageError
from crossbranch.ranges import KBest

if TYPE_CHECKING:
    from crossbranch.silver_trees import SilverCounts
    from crossbranch.tree import Tree


@click.command(short_help="Make training trees from text with known dependencies.")
@click.argument("model", metavar="MODEL")
@click.argument("sources", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--at-least",
    type=click.FloatRange(0, 1),
    default=0.8,
    show_default=True,
    help="Keep a tree only if at least this share of its words agrees with the dependencies.",
)
@click.option(
    "--k-best",
    type=in_range(KBest),
    default=20,
    show_default=True,
    metavar="K",
    help="Choose from the K best trees of each sentence.",
)
@click.option(
    "--not-compared",
    metavar="RELATIONS",
    help="Do not compare words with these relations (default: punct,cc,fixed,goeswith).",
)
@limit_option
@beam_option
@search_option
@threads_option
@device_option
@click.option(
    *("--output", "-o", "target"),
    default="-",
    help="Write to this file (default: standard output).",
)
@click.option(
    "--to",
    "target_format",
    type=FORMAT,
    metavar="FORMAT",
    help="Write this format (default: by the output's name; export on standard output).",
)
def silver(
    model: str,
    sources: tuple[str, ...],
    *,
    at_least: float,
    k_best: int,
    not_compared: str | None,
    limit: int | None,
    beam: int | None,
    assignments: tuple[str, ...],
    threads: int,
    device: str,
    target: str,
    target_format: str | None,
) -> None:
    """Parse the sentences of FILEs, and write the trees that agree with their dependencies.

    You can use these trees to train a better model. FILEs are in CoNLL-U, with tags and
    dependencies (HEAD and DEPREL). MODEL parses each sentence and uses the tags of the file. Of its
    K best trees, the one that agrees best with the dependencies is chosen. The agreement is the
    share of words whose dependency fits the tree. Each tree gets its agreement as a comment.

    Punctuation and conjunctions are not compared. Sentences without dependencies are reported and
    skipped.

    \b
    Examples:
      crossbranch silver en ewt.conllu.xz --threads 2 -o silver.export.xz
      crossbranch silver my-model ewt.conllu --k-best 50 --beam 64 --at-least 0.95 -o silver.json
    """  # noqa: D301 - click reads \b
    from crossbranch.conversion import write
    from crossbranch.evaluation.agreement import NOT_COMPARED
    from crossbranch.parsers import load
    from crossbranch.silver_trees import SilverCounts
    from crossbranch.silver_trees import silver as silver_trees
    from crossbranch.treebank.reading import same_file
    from crossbranch.treebank.selection import select

    if any(same_file(source, target) for source in sources):
        raise UsageError(f"cannot write {target}: it is the input, or a file of the input")
    files = _Files(sources)

    options = read_assignments(assignments) | {"beam": beam}
    counts = SilverCounts()
    found = silver_trees(
        load(model, device=device),
        progress(select(files.sentences(), limit=limit), "parsing"),
        k_best=k_best,
        at_least=at_least,
        not_compared=NOT_COMPARED if not_compared is None else not_compared.split(","),
        threads=threads,
        counts=counts,
        report=files.note,
        **options,
    )
    if target_format is None and target == "-":
        target_format = "export"
    write(
        (one.tree for one in found),
        target,
        format=target_format,
        on_error="skip",
        report=files.note,
    )
    say_left_out(files.skipped)
    _tell(counts, at_least)


class _Files:
    """The sentences of some files, and the errors of those that were skipped."""

    def __init__(self, sources: tuple[str, ...]) -> None:
        self._sources = sources
        self._present = ""  # the file that is being read
        self.skipped: list[CrossbranchError] = []

    def sentences(self) -> Iterator[Tree]:
        """Yield the sentences of all files."""
        from crossbranch.treebank import read

        for source in self._sources:
            self._present = source
            yield from read(source, format="conllu", on_error="skip", report=self.note)

    def note(self, error: CrossbranchError) -> None:
        """Report a skipped sentence, with the file that it is in."""
        if isinstance(error, InputError) and not error.path:
            found, expected, sentence = error.found, error.expected, error.sentence
            error = InputError(found, expected, path=self._present, sentence=sentence)
        self.skipped.append(error)
        report(error)


def _tell(counts: SilverCounts, at_least: float) -> None:
    say(
        f"kept {counts.kept:,} of {counts.sentences:,} trees: their agreement is at least"
        f" {at_least:g}; in all chosen trees, {counts.share:.2%} of the words agree (in the"
        f" parser's first trees: {counts.share_before:.2%})"
    )
    if counts.without_parse:
        say(f"sentences without a parse: {counts.without_parse:,}")

"""crossbranch parse: sentences in, trees out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from crossbranch.cli.confidence import check_format, in_table, table
from crossbranch.cli.options import FORMAT, input_options, report
from crossbranch.cli.show import progress, say
from crossbranch.errors import CrossbranchError, InputError, UsageError
from crossbranch.tree import Tree

if TYPE_CHECKING:
    from crossbranch.parsers import Parser
    from crossbranch.treebank import Reader


@click.command(short_help="Parse sentences with a trained model.")
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@input_options
@click.option("--beam", type=int, help="Size of the beam (default: as in training).")
@click.option("--threads", type=int, default=1, show_default=True, help="How many cores to use.")
@click.option("--gold-tags", is_flag=True, help="Use the tags of a treebank, which are gold.")
@click.option("--k-best", type=int, help="Write the K best trees of each sentence.", metavar="K")
@click.option(
    "--confidence",
    is_flag=True,
    help="Write how likely trees and constituents are right, as features (--to json).",
)
@click.option(
    "--confidence-table",
    metavar="FILE",
    help="Write that as a table, tab-separated, beside trees in any format.",
)
@click.option(
    "--output", "-o", "target", default="-", help="Where to write (default: standard output)."
)
@click.option(
    "--to",
    "target_format",
    type=FORMAT,
    metavar="FORMAT",
    help="Format of the output (default: by name, else export).",
)
def parse(
    model: str,
    source: str,
    *,
    source_format: str | None,
    encoding: str | None,
    on_error: Literal["stop", "skip"],
    beam: int | None,
    threads: int,
    gold_tags: bool,
    k_best: int | None,
    confidence: bool,
    confidence_table: str | None,
    target: str,
    target_format: str | None,
) -> None:
    """Parse the sentences of FILE with the model in the folder MODEL.

    FILE has one sentence a line, word/tag between blanks, or is a treebank in any format; then its
    words are taken, and, with --gold-tags, its tags. The model needs tags. Sentences keep their
    order, ids and comments, and an empty line its place.

    With --k-best, the trees of a sentence follow each other, the best one first; .1, .2 and so on
    are added to its id, and the score is a comment.

    Confidence is the probability that a tree is right in every bracket, or that a constituent is in
    the right tree. It takes a second search with a wide beam; the trees stay the same.

    \b
      echo "Das/PDS ist/VAFIN gut/ADJD ./$." | crossbranch parse model - --to discbracket
      crossbranch parse model test.export --gold-tags --beam 32 --threads 2 -o parsed.export
      crossbranch parse model test.export --gold-tags --confidence -o parsed.json
    """  # noqa: D301 - click reads \b
    from crossbranch.parsers import load
    from crossbranch.treebank import FORMATS, read, write
    from crossbranch.treebank.reading import guess_format_by_name, same_file

    if target_format is None:
        known = target != "-"
        target_format = guess_format_by_name(FORMATS, target).name if known else "export"
    for written in filter(None, (target, confidence_table)):
        if same_file(source, written):
            raise UsageError(f"cannot write {written}: it is, or lies in, what is being read")
    if confidence_table is not None and _is_same(target, confidence_table):
        raise UsageError(f"cannot write both trees and --confidence-table to {target}")
    if confidence:
        check_format(target_format)
    skipped: list[CrossbranchError] = []

    def note(error: CrossbranchError) -> None:
        skipped.append(error)
        report(error)

    parser = load(model)
    reader = read(source, format=source_format, encoding=encoding, on_error=on_error, report=note)
    _ = reader.header  # reads as far as the first sentence
    _check_tags(reader, source, gold_tags)  # before anything is overwritten
    tagged = _tagged(reader, source, gold_tags, note if on_error == "skip" else None)
    sure = confidence or confidence_table is not None
    trees = _trees(parser, tagged, beam, threads, k_best, sure)
    with ExitStack() as stack:
        if confidence_table is not None:
            add = stack.enter_context(table(confidence_table))
            trees = in_table(trees, add, keep=confidence)
        write(
            progress(trees, "parsing"),
            target,
            format=target_format,
            on_error=on_error,
            report=note,
        )
    if skipped:
        say(f"{len(skipped):,} bad sentences were left out")


def _is_same(one: str, other: str) -> bool:
    return one == other or Path(one).resolve() == Path(other).resolve()


def _trees(
    parser: Parser,
    sentences: Iterator[Tree],
    beam: int | None,
    threads: int,
    k_best: int | None,
    confidence: bool,
) -> Iterator[Tree]:
    if k_best is None:
        return parser.parse_many(sentences, beam=beam, threads=threads, confidence=confidence)
    found = parser.parse_k_best(
        sentences, k_best, beam=beam, threads=threads, confidence=confidence
    )
    return (
        scored.tree.replace(
            id=f"{scored.tree.id}.{rank}",
            comments=(*scored.tree.comments, f"score {scored.score:.6g}"),
        )
        for trees in found
        for rank, scored in enumerate(trees, 1)
    )


def _tagged(
    reader: Reader,
    source: str,
    gold_tags: bool,
    note: Callable[[CrossbranchError], None] | None,
) -> Iterator[Tree]:
    """Pass the sentences on, and see to it that they have tags that may be used."""
    for number, tree in enumerate(reader, 1):
        _check_tags(reader, source, gold_tags)
        if tree.sentence and not any(token.tag for token in tree.sentence):
            found = f"the word {tree.sentence[0].form!r} without a tag"
            place = tree.id or str(number)
            error = InputError(found, "tags, as in word/tag", path=source, sentence=place)
            if note is None:
                raise error
            note(error)
            continue
        yield tree


def _check_tags(reader: Reader, source: str, gold_tags: bool) -> None:
    """Refuse to take gold tags for granted."""
    from crossbranch.treebank import FORMATS

    if reader.format is None or gold_tags or not FORMATS[reader.format].holds.constituents:
        return
    raise UsageError(
        f"{source} is a treebank and this model has no tagger: give --gold-tags to use the tags of"
        " the treebank, or a file with word/tag"
    )

"""crossbranch parse: text or sentences in, trees out."""

from __future__ import annotations

from typing import Any

import click

from crossbranch.cli.options import apply_option, input_options
from crossbranch.treebank import FORMATS


@click.command(short_help="Parse text or sentences with a trained model.")
@click.argument("model", metavar="MODEL")
@click.argument("sources", metavar="[TEXT | FILE]...", nargs=-1)
@input_options
@click.option("--lines", is_flag=True, help="Read raw text with one sentence on each line.")
@click.option(
    "--tokenized", is_flag=True, help="Read one sentence on each line, with spaces between tokens."
)
@click.option(
    "--tagged", is_flag=True, help="Read one sentence on each line, with word/tag between spaces."
)
@click.option(
    *("--gold-tags", "--keep-tags", "keep_tags"),
    is_flag=True,
    help="Use the tags of a treebank (default: predict them).",
)
@click.option("--tags-only", is_flag=True, help="Tag the sentences, and do not parse them.")
@click.option(
    "--beam", type=click.IntRange(1), help="Set the size of the beam (default: as in training)."
)
@click.option(
    "--set",
    "assignments",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set another search option of this kind of parser; repeatable.",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Use this number of cores.",
)
@click.option(
    "--k-best", type=click.IntRange(1), help="Write the K best trees of each sentence.", metavar="K"
)
@click.option(
    "--confidence",
    is_flag=True,
    help="Write how likely trees and constituents are right, as features (--to json).",
)
@click.option(
    "--confidence-table",
    metavar="FILE",
    help="Write how likely they are right to a tab-separated table, beside trees in any format.",
)
@apply_option
@click.option(
    "--output",
    "-o",
    "target",
    default="-",
    help="Write to this file or folder (default: standard output).",
)
@click.option(
    "--to",
    "target_format",
    type=click.Choice([*FORMATS, "drawn", "svg", "tikz", "html", "pdf", "png"]),
    metavar="FORMAT",
    help="Write this format, or drawn, svg, tikz, html, pdf, png (default: by name, or export).",
)
@click.option("--resume", is_flag=True, help="Continue where the same command was interrupted.")
def parse(**options: Any) -> None:
    """Parse a TEXT, the sentences of FILEs, or standard input with MODEL.

    MODEL is the name of a model that ships with the package (see `crossbranch models`) or a folder.
    Put a TEXT in quotes. Raw text is split into sentences and tokens, and tagged. Treebank files
    (recognised by their extension) keep their own sentences and tokens; their tags are predicted
    unless --gold-tags is given. Sentences keep their order, ids and comments. With --lines,
    --tokenized and --tagged, an empty line keeps its place.

    A TEXT is drawn, and so is everything on a terminal. Otherwise the name of the output or --to
    decides on the format. If the format has no crossing branches, trees are made continuous; use
    --apply for another way. With --k-best, the trees of a sentence follow each other, the best one
    first; .1, .2 and so on are added to its id, and the score is a comment.

    Confidence is the probability that a tree is right in every bracket, or that a constituent is in
    the right tree. The trees stay the same.

    Files of any size need little memory. Sentences from a pipe are answered when they come. If a
    long command is interrupted, give it again with --resume: it continues where it was.

    \b
      crossbranch parse nl "Dat boek heb ik gisteren gelezen."
      crossbranch parse nl corpus.txt.gz --threads 2 -o parsed.export.gz
      crossbranch parse model test.export --gold-tags --beam 32 -o parsed.export
      crossbranch parse model test.export --confidence -o parsed.json
    """  # noqa: D301 - click reads \b
    from crossbranch.cli.parse_call import Call

    Call(**options).run()

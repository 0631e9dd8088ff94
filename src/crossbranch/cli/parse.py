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
@click.option("--lines", is_flag=True, help="Raw text has one sentence a line.")
@click.option("--tokenized", is_flag=True, help="One sentence a line, blanks between tokens.")
@click.option("--tagged", is_flag=True, help="One sentence a line, word/tag between blanks.")
@click.option(
    *("--gold-tags", "--keep-tags", "keep_tags"),
    is_flag=True,
    help="Use the tags of a treebank (default: they are predicted).",
)
@click.option("--tags-only", is_flag=True, help="Tag the sentences, and do not parse them.")
@click.option("--beam", type=click.IntRange(1), help="Size of the beam (default: as in training).")
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
    help="How many cores to use.",
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
    help="Write that as a table, tab-separated, beside trees in any format.",
)
@apply_option
@click.option(
    "--output", "-o", "target", default="-", help="Where to write (default: standard output)."
)
@click.option(
    "--to",
    "target_format",
    type=click.Choice([*FORMATS, "drawn", "svg", "tikz", "html", "pdf", "png"]),
    metavar="FORMAT",
    help="Write this format, or drawn, svg, tikz, html, pdf, png (default: by name, or export).",
)
@click.option("--resume", is_flag=True, help="Go on where the same command was interrupted.")
def parse(**options: Any) -> None:
    """Parse a TEXT, the sentences of FILEs, or standard input with MODEL.

    MODEL is the name of a model that is shipped (see `crossbranch models`) or a folder. Raw text is
    cut into sentences and tokens, and tagged. A file whose name tells of a treebank has its own
    sentences and tokens, and its tags are predicted unless --gold-tags is given. Sentences keep
    their order, ids and comments; with --lines, --tokenized and --tagged an empty line keeps its
    place.

    A TEXT is drawn, and so is everything on a terminal; otherwise the output is in the format that
    its name or --to tells. With --k-best, the trees of a sentence follow each other, the best one
    first; .1, .2 and so on are added to its id, and the score is a comment.

    Confidence is the probability that a tree is right in every bracket, or that a constituent is in
    the right tree. It takes a second search with a wide beam; the trees stay the same.

    Files of any size go through in little memory. If a long run is interrupted, give the same
    command again with --resume: it goes on where it was.

    \b
      crossbranch parse nl "Dat boek heb ik gisteren gelezen."
      crossbranch parse nl corpus.txt.gz --threads 2 -o parsed.export.gz
      crossbranch parse model test.export --gold-tags --beam 32 -o parsed.export
      crossbranch parse model test.export --confidence -o parsed.json
    """  # noqa: D301 - click reads \b
    from crossbranch.cli.parse_call import Call

    Call(**options).run()

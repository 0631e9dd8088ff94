"""crossbranch parse: text or sentences in, trees out."""

from __future__ import annotations

from typing import Any

import click

from crossbranch.cli.options import (
    apply_option,
    beam_option,
    device_option,
    in_range,
    input_options,
    search_option,
    threads_option,
)
from crossbranch.errors import UsageError
from crossbranch.ranges import Count, KBest, Size
from crossbranch.treebank import FORMATS


@click.command(short_help="Parse text or sentences with a trained model.")
@click.argument("model", metavar="MODEL")
@click.argument("sources", metavar="[TEXT | FILE]...", nargs=-1)
@input_options
@click.option("--lines", is_flag=True, help="Read raw text with one sentence on each line.")
@click.option(
    "--tokenized", is_flag=True, help="Read one sentence on each line, tokens separated by spaces."
)
@click.option(
    "--tagged", is_flag=True, help="Read one sentence on each line, as word/tag word/tag ..."
)
@click.option(
    *("--gold-tags", "--keep-tags", "keep_tags"),
    is_flag=True,
    help="Use the tags of the input treebank (default: predict them).",
)
@click.option(
    "--tags-from",
    metavar="FILE",
    help="Use the tags in FILE, which has the sentences of the input treebank.",
)
@click.option("--tags-only", is_flag=True, help="Only tag the sentences; do not parse them.")
@click.option(
    "--functions/--no-functions",
    default=True,
    help="Give nodes and words their functions, and mark heads, if the model can (default: yes).",
)
@beam_option
@search_option
@threads_option
@device_option
@click.option(
    "--k-best", type=in_range(KBest), help="Write the K best trees of each sentence.", metavar="K"
)
@click.option(
    "--confidence",
    is_flag=True,
    help="Add the confidence of each tree and constituent, as features (for example --to json).",
)
@click.option(
    "--confidence-table",
    metavar="FILE",
    help="Write confidences to a tab-separated table; the trees may have any format.",
)
@click.option(
    "--distribution",
    "distributions",
    multiple=True,
    metavar="NAME=FILE",
    help="Read the numbers of another program that the model needs, a row for each token.",
)
@click.option(
    "--derivation",
    is_flag=True,
    help="Show how the model finds its trees, step by step, with scores.",
)
@click.option(
    "--items",
    "others",
    type=in_range(Count),
    metavar="N",
    help="With --derivation, show N items that are not in the tree (charts and grammars;"
    " default: 30).",
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
    type=click.Choice([*FORMATS, "drawn", "svg", "tikz", "html", "pdf", "png", "parquet"]),
    metavar="FORMAT",
    help="Write this format, or drawn, svg, tikz, html, pdf, png; parquet with --engine ray"
    " (default: by the output's name).",
)
@click.option("--resume", is_flag=True, help="Continue an interrupted run of the same command.")
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Parse on this machine, or on all machines of a Ray cluster.",
)
@click.option(
    "--workers",
    type=in_range(Size),
    metavar="N",
    help="With --engine ray, use N workers, each with its own model (default: one for each CPU).",
)
def parse(
    *, derivation: bool, others: int | None, engine: str, workers: int | None, **options: Any
) -> None:
    """Parse a TEXT, the sentences of FILEs, or standard input with MODEL.

    MODEL is the name of a shipped model (see `crossbranch models`), a model folder, or a .zip
    archive of one. Put a TEXT in quotes. Raw text is split into sentences and tokens, and tagged.
    Treebank files (recognised by their extension) keep their own sentences and tokens. Their tags
    are predicted unless you give --gold-tags. Sentences keep their order, ids and comments. With
    --lines, --tokenized and --tagged, an empty input line gives an empty sentence.

    Trees are drawn if you parse a TEXT or if the output is a terminal. Otherwise --to or the name
    of the output sets the format; the default is export. If the format has no crossing branches,
    trees are made continuous; choose how with --apply. With --k-best, the trees of a sentence
    follow each other, the best one first. Their ids end in .1, .2 and so on, and their scores are
    comments.

    The confidence of a tree is the probability that all its brackets are right. The confidence of a
    constituent is the probability that it is in the right tree. Confidence does not change the
    trees.

    Files of any size need little memory. A sentence from a pipe is parsed as soon as it arrives. If
    a long run is interrupted, repeat the command with --resume to continue it.

    With --derivation, you see what the model does: the transitions of a transition parser, or the
    items of a chart or grammar in the order in which they are found. It is a table, or with --to or
    the name of the output a player (html), text drawings (drawn), a folder of pictures (svg), or
    JSON.

    With --engine ray, many workers parse FILEs into JSON lines or Parquet: one file, or a folder of
    parts if OUTPUT has no ending. RAY_ADDRESS names the cluster; without it, the workers run on
    this machine. All machines must see the same files.

    \b
    Examples:
      crossbranch parse en "What should I do?"
      crossbranch parse en corpus.txt.gz --threads 2 -o parsed.export.gz
      crossbranch parse model test.export --gold-tags --beam 32 -o parsed.export
      crossbranch parse model test.export --confidence -o parsed.json
      crossbranch parse en "What should I do?" --derivation -o steps.html
      crossbranch parse en corpus/ --engine ray -o parsed.json
    """  # noqa: D301 - click reads \b
    if engine == "ray":
        from crossbranch.cli.parse_ray import RayCall

        refused = derivation or others is not None
        RayCall(**options, workers=workers, derivation=refused).run()
        return
    if workers is not None:
        raise UsageError("--workers is for --engine ray; give both, or use --threads")
    if derivation:
        from crossbranch.cli.parse_derivation import DerivationCall

        DerivationCall(**options, others=others).run()
        return
    if others is not None:
        raise UsageError("--items is for --derivation; give both")

    from crossbranch.cli.parse_call import Call

    Call(**options).run()

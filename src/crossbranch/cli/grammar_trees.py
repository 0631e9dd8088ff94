"""crossbranch grammar parse and sample: the trees of a grammar."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crossbranch.cli.grammar_derivation import write_deductions
from crossbranch.cli.options import apply_option, in_range
from crossbranch.cli.show import progress, say
from crossbranch.cli.tree_target import tree_format_option, tree_output_option, write_or_draw
from crossbranch.errors import UsageError
from crossbranch.ranges import Count, Seed, Tokens

if TYPE_CHECKING:
    from crossbranch.transforms import Pipeline
    from crossbranch.tree import Tree


def _read_undone(_: click.Context, __: click.Parameter, text: str | None) -> Pipeline:
    from crossbranch.transforms import pipeline

    return pipeline(text or "")


@click.command(short_help="Parse sentences, or test if they are in the language.")
@click.argument("source", metavar="GRAMMAR")
@click.argument("sentences", metavar="[SENTENCE]...", nargs=-1)
@click.option("--letters", is_flag=True, help="Make a word of each letter, as in abcccab.")
@click.option("--tagged", is_flag=True, help="Read words with tags, such as the/DT.")
@click.option(
    "--undo",
    "steps",
    metavar="PIPELINE",
    callback=_read_undone,
    help="Undo the transforms of the treebank that the grammar comes from.",
)
@click.option(
    "--derivation",
    is_flag=True,
    help="Show the items of the search in the order in which they are found.",
)
@click.option(
    "--items",
    "others",
    type=in_range(Count),
    metavar="N",
    help="With --derivation, show N items that are not in the tree (default: 30).",
)
@tree_output_option
@tree_format_option("drawn")
def parse(
    source: str,
    sentences: tuple[str, ...],
    *,
    letters: bool,
    tagged: bool,
    steps: Pipeline,
    derivation: bool,
    others: int | None,
    target: str,
    target_format: str | None,
) -> None:
    """Parse SENTENCEs with a GRAMMAR, and draw the most probable tree of each.

    Words are separated by blanks. Without SENTENCE, standard input is read: one sentence in each
    line. Sentences that are not in the language are reported, and the exit code is 1.

    Parsing is exact, and works for every grammar. For text with unknown words, train a parser of
    the kind plcfrs.

    With --derivation, you see how the tree is found: items leave the agenda, the most probable one
    first. It is a table, or with --to or the name of the output a player (html), text drawings
    (drawn), a folder of pictures (svg), or JSON.

    \b
    Examples:
      crossbranch grammar parse my.lcfrs --letters abcccab
      crossbranch grammar parse my.lcfrs --letters abcccab --derivation -o items.html
      crossbranch grammar parse english "what did she see ?" --to discbracket
      crossbranch grammar parse train.lcfrs --tagged "What/WP should/MD I/PRP do/VB ?/."
    """  # noqa: D301 - click reads \b
    from crossbranch.grammar import Deduction, read

    if letters and tagged:
        raise UsageError("--letters and --tagged exclude each other; give one of them")
    grammar = read(source)
    if not tagged and not grammar.words and not any(rule.terminals for rule in grammar.rules):
        raise UsageError(f"{source} has no words; give words with tags, and --tagged")
    deduction = Deduction(grammar)
    if others is not None and not derivation:
        raise UsageError("--items is for --derivation; give both")
    if derivation:
        if steps.steps:
            raise UsageError("--undo cannot be used with --derivation")
        read_sentences = (
            _words(text.strip(), letters=letters, tagged=tagged) for text in sentences or sys.stdin
        )
        write_deductions(deduction, read_sentences, target, target_format, others)
        return
    missing = 0

    def trees() -> Iterator[Tree]:
        nonlocal missing
        for number, text in enumerate(sentences or sys.stdin, 1):
            words, tags = _words(text.strip(), letters=letters, tagged=tagged)
            found = deduction.parse(words, tags) if words else None
            if found is None:
                missing += 1
                say(f"not in the language: {text.strip()}")
            else:
                tree = steps.undo(found.tree)
                yield tree if len(sentences) == 1 else tree.replace(id=str(number))

    title = f"Trees of {Path(source).stem}"
    write_or_draw(trees(), target, target_format, default="drawn", title=title)
    if missing:
        sys.exit(1)


def _words(text: str, *, letters: bool, tagged: bool) -> tuple[list[str], list[str] | None]:
    if letters:
        return list(text.replace(" ", "")), None
    if not tagged:
        return text.split(), None
    pairs = [word.rpartition("/") for word in text.split()]
    for word, slash, tag in pairs:
        if not slash or not word:
            raise UsageError(f"found {tag!r}, expected a word with a tag, such as the/DT")
    return [word for word, _, _ in pairs], [tag for _, _, tag in pairs]


@click.command(short_help="Sample trees from a grammar.")
@click.argument("source", metavar="GRAMMAR")
@click.argument("count", metavar="N", type=in_range(Count))
@click.option(
    "--seed",
    type=in_range(Seed),
    default=1,
    show_default=True,
    help="Set the random seed; the same seed gives the same trees.",
)
@click.option(
    "--max-length",
    type=in_range(Tokens),
    default=60,
    show_default=True,
    help="Set the maximal length of a sentence.",
)
@apply_option
@tree_output_option
@tree_format_option("drawn")
def sample(
    source: str,
    count: int,
    *,
    seed: int,
    max_length: int,
    steps: Pipeline,
    target: str,
    target_format: str | None,
) -> None:
    """Sample N trees from a GRAMMAR: rules are chosen by their weights.

    `crossbranch sample` does the same for hand-written grammars with functions, lemmas and
    morphology.

    \b
    Examples:
      crossbranch grammar sample train.lcfrs 3
      crossbranch grammar sample train.rules 1000 --max-length 20 -o sampled.export
    """  # noqa: D301 - click reads \b
    from crossbranch.grammar import read
    from crossbranch.grammar import sample as sample_trees
    from crossbranch.transforms import transform_each

    trees = sample_trees(count, grammar=read(source), seed=seed, max_length=max_length)
    changed = transform_each(progress(trees, "sampling", total=count), steps.apply)
    title = f"{count:,} trees: {Path(source).stem}"
    write_or_draw(changed, target, target_format, default="drawn", title=title)

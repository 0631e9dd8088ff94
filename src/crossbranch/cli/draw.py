"""crossbranch draw: trees as text characters, pictures and pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from crossbranch.cli.draw_target import KINDS, Drawn, Target, draw_all
from crossbranch.cli.options import apply_option, in_range, input_options, number_option, report
from crossbranch.cli.show import progress, say
from crossbranch.errors import UsageError
from crossbranch.ranges import Length, Points, Size
from crossbranch.tree import Tree

if TYPE_CHECKING:
    from crossbranch.transforms import Pipeline
    from crossbranch.treebank import Reader


@click.command(short_help="Draw trees as text characters, pictures or a page.")
@click.argument("source", metavar="FILE|TREE|SENTENCE")
@click.option(
    *("--output", "-o"),
    metavar="PLACE",
    help="Write to this file or folder (default: standard output).",
)
@click.option(
    "--to",
    "kind",
    type=click.Choice(KINDS),
    help="Choose the kind of drawing (default: by the output's name, or drawn).",
)
@click.option(
    "--compare",
    "other",
    metavar="FILE2",
    help="Compare with the trees in FILE2, which has the same sentences.",
)
@click.option(
    "--chart",
    "model",
    metavar="MODEL",
    help="Draw how probable the constituents of a short sentence are: svg or png.",
)
@input_options
@number_option
@click.option("--id", "ids", multiple=True, help="Draw only the sentence with this id; repeatable.")
@click.option("--search", metavar="TEXT", help="Draw only sentences that contain this text.")
@click.option("--label", metavar="LABEL", help="Draw only trees with this label, tag or function.")
@click.option(
    "--discontinuous",
    is_flag=True,
    help="Draw only trees with a discontinuous node; with --label, it must have that label.",
)
@click.option("--limit", type=in_range(Size), help="Draw at most this many trees.")
@apply_option
@click.option("--functions/--no-functions", default=True, help="Show edge labels (default: yes).")
@click.option("--tags/--no-tags", default=True, help="Show tags (default: yes).")
@click.option("--morphology", is_flag=True, help="Show the morphology of words.")
@click.option("--secondary-edges", is_flag=True, help="Show secondary edges.")
@click.option("--ascii", is_flag=True, help="Use ASCII characters only (drawn).")
@click.option(
    "--width", type=in_range(Length), help="Cut trees into panels of this many columns or pixels."
)
@click.option("--fit", is_flag=True, help="Cut wide trees into panels that fit a page or terminal.")
@click.option("--slanted", is_flag=True, help="Draw slanted branches (pictures).")
@click.option(
    "--font-size",
    type=in_range(Points),
    help="Set the size of the words, in pixels or points (pictures).",
)
@click.option("--standalone", is_flag=True, help="Write a complete LaTeX document (tikz).")
@click.option("--title", help="Set the heading of the page (html; default: the file name).")
def draw(
    source: str,
    *,
    output: str | None,
    kind: str | None,
    other: str | None,
    model: str | None,
    source_format: str | None,
    encoding: str | None,
    on_error: Literal["stop", "skip"],
    numbers: tuple[range, ...],
    ids: tuple[str, ...],
    search: str | None,
    label: str | None,
    discontinuous: bool,
    limit: int | None,
    steps: Pipeline,
    functions: bool,
    tags: bool,
    morphology: bool,
    secondary_edges: bool,
    ascii: bool,
    width: int | None,
    fit: bool,
    slanted: bool,
    font_size: float | None,
    standalone: bool,
    title: str | None,
) -> None:
    """Draw the trees in FILE, or one TREE in brackets; with --chart, the chart of a SENTENCE.

    The name of the output sets the kind of drawing: .txt, .svg, .tex, .html, .pdf or .png. A page
    (.html) contains all trees and can be searched in a browser. A PDF file has one page for each
    tree. To draw several trees as .svg or .png, give a folder: it gets one file for each tree,
    named by the tree's id. With --compare, both trees of each sentence are drawn, and their
    differences are marked. With --chart, a model with span charts tells which constituents the
    SENTENCE may have.

    \b
    Examples:
      crossbranch draw "(S (NP The cat) (VP sat))"
      crossbranch draw "[S [VP 0=What 3=do] [SQ 1=should 2=I]]" -o question.svg
      crossbranch draw dev.export --limit 3
      crossbranch draw dev.export -o dev.html
      crossbranch draw dev.export -n 7 -o tree.svg
      crossbranch draw dev.export --limit 20 --fit -o trees.pdf
      crossbranch draw dev.export -o pictures/ --to png --discontinuous
      crossbranch draw gold.export --compare parsed.export -o differences.html
      crossbranch draw --chart MODEL "A short sentence." -o chart.svg
    """  # noqa: D301 - click reads \b
    if model is not None:
        from crossbranch.cli.draw_chart import draw_chart_of

        draw_chart_of(source, model=model, output=output, kind=kind)
        return
    from crossbranch.drawing.compared import pair_up
    from crossbranch.treebank import read
    from crossbranch.treebank.reading import same_file

    target = Target.of(output, kind, is_compared=other is not None)
    look = _look(
        target.kind,
        {
            "ascii": ascii,
            "standalone": standalone,
            "title": title,
            "slanted": slanted,
            "font_size": font_size,
        },
        edge_labels=functions,
        tags=tags,
        morphology=morphology,
        secondary_edges=secondary_edges,
        width=width,
        fit=fit,
    )
    if width is not None and fit:
        raise UsageError("--width and --fit exclude each other; give one of them")
    if other is not None:
        if standalone:
            raise UsageError("--standalone draws one tree; it cannot be used with --compare")
        look["names"] = _names(source, other)
    elif target.kind == "html":
        look.setdefault("title", _name(source))
    if source == other == "-":
        raise UsageError("both files are standard input; give one of them a name")

    def trees(name: str) -> Iterator[Tree]:
        if _is_text(name):
            return _trees_of_text(name)
        if output is not None and same_file(name, output):
            raise UsageError(f"cannot write {output}: it is the input, or a file of the input")
        if not _is_file(name) and any(map(str.isspace, name)):
            raise UsageError(f"cannot read {name!r}: no such file; a TREE begins with ( or [")
        reader = read(
            name, format=source_format, encoding=encoding, on_error=on_error, report=report
        )
        return _with_hint(reader, name)

    pairs: Iterator[Drawn]
    if other is None:
        pairs = ((tree, None) for tree in trees(source))
    else:
        pairs = pair_up(trees(source), trees(other))
    wanted = _TreeFilter(search, label, discontinuous)
    drawn = (
        (steps.apply(one), two and steps.apply(two))
        for one, two in _chosen(pairs, numbers, set(ids))
    )
    fitting = islice((pair for pair in drawn if wanted.fits(pair)), limit)
    shown = fitting if output is None else progress(fitting, "drawing")
    if not draw_all(shown, target, look, advice=", or choose one tree with --number or --id"):
        say("no tree to draw")


def _with_hint(reader: Reader, name: str) -> Iterator[Tree]:
    """Yield the trees of a file. If it has words and no trees, tell people how to parse it."""
    from crossbranch.treebank import FORMATS

    hinted = False
    for tree in reader:
        if not hinted and reader.format and not FORMATS[reader.format].holds.constituents:
            say(f"{name} has words and no trees; to parse it: crossbranch parse MODEL {name}")
            hinted = True
        yield tree


def _is_text(source: str) -> bool:
    """Return True for a tree in brackets that is not the name of a file."""
    from crossbranch.treebank.notation import is_notation

    return is_notation(source) and not _is_file(source)


def _is_file(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # too long for a name, or with a NUL in it
        return False


def _trees_of_text(text: str) -> Iterator[Tree]:
    """Return the trees of a text. A single tree gets no id."""
    from crossbranch.treebank.notation import trees_in

    trees = list(trees_in(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")))
    return iter([trees[0].replace(id="")] if [tree.id for tree in trees] == ["1"] else trees)


def _name(source: str) -> str:
    """Return the name of a source for titles: a file name without its folders."""
    if _is_text(source):
        return "tree"
    return "standard input" if source == "-" else Path(source).name or source


def _names(source: str, other: str) -> tuple[str, str]:
    """Return the names of two compared sources; they differ."""
    short = _name(source), _name(other)
    if short[0] != short[1]:
        return short
    return ("first", "second") if _is_text(source) else (source, other)


def _look(kind: str, own: dict[str, Any], **common: Any) -> dict[str, Any]:
    """Return the options of a drawing. An option of other kinds is an error."""
    pictures = tuple(kind for kind in KINDS if kind != "drawn")
    homes = {"ascii": ("drawn",), "standalone": ("tikz",), "title": ("html",)}
    given = {
        name: value for name, value in own.items() if value not in (None, "") and value is not False
    }
    for name in given:
        home = homes.get(name, pictures)
        if kind not in home:
            option = name.replace("_", "-")
            kinds = " or ".join(filter(None, [", ".join(home[:-1]), home[-1]]))
            raise UsageError(f"--{option} needs --to {kinds}; this drawing is {kind}")
    return common | given


class _TreeFilter:
    """Chooses which trees are drawn."""

    def __init__(self, text: str | None, label: str | None, discontinuous: bool) -> None:
        self.text = (text or "").casefold()
        self.label, self.discontinuous = label, discontinuous

    def fits(self, pair: Drawn) -> bool:
        """Return True if one of the trees of a sentence is wanted."""
        one = pair[0]
        if self.text:
            words = " ".join(token.form for token in one.sentence)
            if self.text not in words.casefold() and self.text not in one.text.casefold():
                return False
        return any(self._has(tree) for tree in pair if tree is not None)

    def _has(self, tree: Tree) -> bool:
        """Return True if a tree has the label, tag or function; a discontinuous node, if wanted."""
        nodes = [node for node in tree.nodes if node.is_discontinuous or not self.discontinuous]
        if self.label is None:
            return bool(nodes)
        if any(self.label in (node.label, node.edge_label) for node in nodes):
            return True
        return not self.discontinuous and any(
            self.label in (token.tag, token.edge_label) for token in tree.sentence
        )


def _chosen(pairs: Iterator[Drawn], numbers: Sequence[range], ids: set[str]) -> Iterator[Drawn]:
    """Yield the wanted trees, and stop when all numbers are found."""
    last = max((some.stop for some in numbers), default=0)
    for number, pair in enumerate(pairs, 1):
        if not (numbers or ids) or pair[0].id in ids or any(number in some for some in numbers):
            yield pair
        if numbers and not ids and number + 1 >= last:
            return

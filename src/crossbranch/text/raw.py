"""A treebank as raw text, to test tokenizers: its own text, or one that is made up."""

from __future__ import annotations

from collections.abc import Iterable

from crossbranch.doors import door
from crossbranch.text.characters import is_white
from crossbranch.text.detokenize import detokenize
from crossbranch.text.lessons import PARAGRAPH, goes_on_without_marks, is_heading
from crossbranch.text.real import gap_before, has_text
from crossbranch.text.spacing import Spacing
from crossbranch.tree import Token, Tree


@door
def raw_text(trees: Iterable[Tree], *, spacing: Spacing | None = None) -> tuple[str, list[Tree]]:
    """Return the text of trees, and the trees with the offsets of their tokens in it.

    Trees that know their text have it, with its paragraphs. For others, it is made up: a paragraph
    has ten sentences, and a sentence without a final mark is a heading and ends its paragraph. A
    tree with an invisible token, such as a byte order mark, is left out.

    Args:
        trees: The trees in their order.
        spacing: Which tokens touch each other in made-up text; None: learn it from the trees.
    """
    every = [tree for tree in trees if _is_visible(tree)]
    without = [tree.sentence for tree in every if not has_text(tree)]
    made_up = detokenize(without, spacing=spacing)
    goes_on = goes_on_without_marks(without)
    parts: list[str] = []
    placed: list[Tree] = []
    previous: Tree | None = None
    done = count = 0  # characters; sentences without text in a row
    for tree in every:
        if has_text(tree):
            gap, count = gap_before(tree, previous), 0
            first = tree.sentence[0].start or 0
            text = tree.text
            places = [((t.start or 0) - first, (t.end or 0) - first) for t in tree.sentence]
        else:
            text, offsets = next(made_up)
            places = list(offsets)
            is_new = count % PARAGRAPH == 0 or is_heading(parts[-1], text, goes_on=goes_on)
            gap, count = "\n\n" if is_new else " ", count + 1
        if parts:
            parts.append(gap)
            done += len(gap)
        tokens = [
            Token(*token[:6], done + start, done + end)
            for token, (start, end) in zip(tree.sentence, places, strict=True)
        ]
        placed.append(tree.replace(sentence=tokens, text=text))
        previous = tree
        parts.append(text)
        done += len(text)
    return "".join(parts), placed


def _is_visible(tree: Tree) -> bool:
    return bool(tree.sentence) and not any(all(map(is_white, t.form)) for t in tree.sentence)

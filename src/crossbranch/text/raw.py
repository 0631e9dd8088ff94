"""A treebank as raw text, to test tokenizers: treebanks have no text of their own."""

from __future__ import annotations

from collections.abc import Iterable

from crossbranch.text.characters import is_white
from crossbranch.text.detokenize import detokenize
from crossbranch.text.lessons import goes_on_without_marks, is_heading
from crossbranch.text.spacing import Spacing
from crossbranch.tree import Token, Tree

_PARAGRAPH = 10  # sentences


def raw_text(trees: Iterable[Tree], *, spacing: Spacing | None = None) -> tuple[str, list[Tree]]:
    """Return trees as normal text, and the trees with the offsets of their tokens.

    A paragraph has ten sentences. A sentence without a final mark is a heading and ends its
    paragraph. A tree with an invisible token, such as a byte order mark, is left out.
    """
    every = [tree for tree in trees if _is_visible(tree)]
    sentences = [tree.sentence for tree in every]
    goes_on = goes_on_without_marks(sentences)
    parts: list[str] = []
    placed: list[Tree] = []
    done = 0
    for tree, (text, places) in zip(every, detokenize(sentences, spacing=spacing), strict=True):
        if parts:
            is_new = len(placed) % _PARAGRAPH == 0 or is_heading(parts[-1], text, goes_on=goes_on)
            parts.append("\n\n" if is_new else " ")
            done += len(parts[-1])
        tokens = [
            Token(*token[:6], done + start, done + end)
            for token, (start, end) in zip(tree.sentence, places, strict=True)
        ]
        placed.append(tree.replace(sentence=tokens, text=text))
        parts.append(text)
        done += len(text)
    return "".join(parts), placed


def _is_visible(tree: Tree) -> bool:
    return bool(tree.sentence) and not any(all(map(is_white, t.form)) for t in tree.sentence)

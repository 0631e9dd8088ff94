"""Chunks: phrases without the phrases in them, as labels B-NP, I-NP and O.

From a tree, chunks are made in this way: each word belongs to the lowest node that it is in, and
neighbours in the same node are a chunk with the label of the node.

- Punctuation is outside of chunks.
- Words of a node that has several children with its own label join those, as in a coordination:
  they are outside of chunks.
- If one child of a node has the same label and begins right after words of the node, they are one
  chunk, as in "has (VP arrived)".
- A chunk that a gap or another chunk interrupts has a second part, which begins with B again.
- Words that only the virtual root holds are outside of chunks.
"""

from __future__ import annotations

from collections.abc import Sequence

from crossbranch import span as spans
from crossbranch.punctuation import is_punctuation
from crossbranch.tree import ROOT, Node, Tree

OUTSIDE = "O"


def chunk_labels(tree: Tree) -> list[str]:
    """Return the label of each token."""
    group = [-1] * len(tree.sentence)  # of each token; -1: outside of chunks
    names: list[str] = []
    continued: dict[int, int] = {}  # id of a node -> the group of the words before it
    for number, node in enumerate(tree.nodes):
        own = continued.get(id(node), number)
        names.append(node.label)
        same = [c for c in node.children if isinstance(c, Node) and c.label == node.label]
        words = [c for c in node.children if isinstance(c, int)]
        if (node.label == ROOT and node is tree.root) or len(same) > 1:
            continue
        for word in words:
            if not is_punctuation(tree.sentence[word]):
                group[word] = own
        if (
            same
            and group[(first := spans.first_of(same[0].span)) - 1] == own
            and first - 1 in words
        ):
            continued[id(same[0])] = own
    return [
        OUTSIDE
        if found < 0
        else f"{'I' if word and group[word - 1] == found else 'B'}-{names[found]}"
        for word, found in enumerate(group)
    ]


def chunks_of(labels: Sequence[str | None]) -> list[tuple[int, int, str]]:
    """Return start, stop and type of each chunk."""
    found: list[tuple[int, int, str]] = []
    for word, label in enumerate(beginnings(labels)):
        if label is None or label == OUTSIDE:
            continue
        mark, name = label[0], label[2:]
        if mark == "B":
            found.append((word, word + 1, name))
        else:
            start, _, _ = found.pop()
            found.append((start, word + 1, name))
    return found


def beginnings(labels: Sequence[str | None]) -> list[str | None]:
    """Return labels in which every chunk begins with B.

    In some files, only a chunk right after another one of its type begins with B, and all others
    begin with I.

    Raises:
        ValueError: A text is not a label of chunks. Its arguments are the position and the text.
    """
    found: list[str | None] = []
    before = ""  # the type of the chunk of the word before
    for word, label in enumerate(labels):
        if label is None or label == OUTSIDE:
            found.append(label)
            before = ""
            continue
        mark, name = label[:2], label[2:]
        if mark not in ("B-", "I-") or not name:
            raise ValueError(word, label)
        found.append(f"B-{name}" if name != before else label)
        before = name
    return found

"""Matches as plain dicts, for JSON and tables."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from crossbranch.constituent import Constituent, text_start
from crossbranch.query.matching import Match
from crossbranch.span import blocks, fan_out, first_of, last_of
from crossbranch.tree import Tree


def match_record(match: Match, *, with_absent: bool = False) -> dict[str, Any]:
    """Return a match as plain dicts and lists.

    `text` is the sentence, `start` its place in the raw text if that is known. The `offsets` of a
    node are places in `text`: start and end of each of its blocks, in characters.

    Args:
        match: The match.
        with_absent: Also have an empty dict for each node that has no part in this match.
    """
    text, starts, ends = _text_of(match.tree)
    nodes = []
    for name, vertex in zip(match.names, match.vertices, strict=True):
        if vertex >= 0:
            nodes.append(_node_record(match.tree, vertex, name, starts, ends))
        elif with_absent:
            nodes.append({})
    return {
        "sentence": match.tree.id or str(match.number),
        "number": match.number,
        "text": text,
        "start": text_start(match.tree) if match.tree.text else None,
        "nodes": nodes,
    }


def _node_record(
    tree: Tree, vertex: int, name: str, starts: list[int], ends: list[int]
) -> dict[str, Any]:
    count = len(tree.sentence)
    is_word = vertex < count
    span = 1 << vertex if is_word else tree.nodes[vertex - count].span
    runs = blocks(span)
    label = tree.sentence[vertex].tag if is_word else tree.nodes[vertex - count].label
    record: dict[str, Any] = {"variable": name} if name else {}
    record |= {
        "kind": "word" if is_word else "constituent",
        "label": label,
        "function": tree.vertex(vertex).edge_label,
        "text": " … ".join(" ".join(t.form for t in tree.sentence[a:b]) for a, b in runs),
        "vertex": vertex,
        "first_token": first_of(span),
        "last_token": last_of(span),
        "blocks": [list(run) for run in runs],
        "offsets": [[starts[a], ends[b - 1]] for a, b in runs],
        "fan_out": fan_out(span),
    }
    confidence = None if is_word else Constituent(tree, vertex - count).confidence
    return record if confidence is None else record | {"confidence": confidence}


def _text_of(tree: Tree) -> tuple[str, list[int], list[int]]:
    """The text of a sentence, and where its tokens begin and end in it."""
    first = text_start(tree)
    if tree.text and first is not None:
        places = [(t.start, t.end) for t in tree.sentence]
        if all(start is not None and end is not None for start, end in places):
            return (
                tree.text,
                [start - first for start, _ in places if start is not None],
                [end - first for _, end in places if end is not None],
            )
    words = tree.words
    starts = [0, *accumulate(len(word) + 1 for word in words)][: len(words)]
    return " ".join(words), starts, [s + len(w) for s, w in zip(starts, words, strict=True)]

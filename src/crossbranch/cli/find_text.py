"""A match as a line of text: the sentence, with the nodes of the match in brackets."""

from __future__ import annotations

from collections.abc import Iterator

import click

from crossbranch.drawing.writing import visible
from crossbranch.query.matching import Match

_COLORS = ("green", "yellow", "magenta", "blue", "red")


def bracketed(match: Match) -> str:
    """Return the words of a sentence, with brackets around the nodes of a match.

    The second part of a node with a gap begins with `…`: `[VP Was] soll ich […VP tun] ?`. On a
    terminal, brackets have colours.
    """
    opening: dict[int, list[str]] = {}
    closing: dict[int, list[str]] = {}
    for _, start, end, label, color in sorted(_blocks(match)):
        opening.setdefault(start, []).append(click.style(f"[{label} ", fg=color))
        closing.setdefault(end, []).insert(0, click.style("]", fg=color))
    words = []
    for index, token in enumerate(match.tree.sentence):
        before, after = opening.get(index, []), closing.get(index + 1, [])
        word = click.style(visible(token.form), bold=True) if before else visible(token.form)
        words.append("".join([*before, word, *after]))
    return " ".join(words)


def _blocks(match: Match) -> Iterator[tuple[tuple[int, int, int], int, int, str, str]]:
    """The blocks of all nodes, each with a key that puts outer ones before inner ones."""
    count = len(match.tree.sentence)
    found = {vertex: place for place, vertex in enumerate(match.vertices) if vertex >= 0}
    for vertex, place in found.items():
        node = match.tree.vertex(vertex)
        color = _COLORS[place % len(_COLORS)]
        blocks = [(vertex, vertex + 1)] if vertex < count else node.blocks  # type: ignore[union-attr]
        label = visible(node.tag if vertex < count else node.label)  # type: ignore[union-attr]
        depth = count + len(match.tree.nodes) if vertex < count else vertex
        for turn, (start, end) in enumerate(blocks):
            yield (start, -end, depth), start, end, f"…{label}" if turn else label, color

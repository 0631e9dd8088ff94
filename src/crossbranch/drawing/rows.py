"""The texts at each vertex, from top to bottom, the same for every kind of drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import NamedTuple, Self

from crossbranch.drawing.writing import ABSENT, visible
from crossbranch.tree import Bracket, Node, Token, Tree

Mark = Bracket | int
"""What can be marked: a bracket, or a vertex."""


class Row(NamedTuple):
    """A text and its kind: edge, label, tag, morphology or word."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Wording:
    """The rows of a drawing."""

    tree: Tree
    edge_labels: bool
    tags: bool
    morphology: bool
    signs: Mapping[int, str] = field(default_factory=dict)
    """Written before the labels of marked nodes."""

    letters: Mapping[int, str] = field(default_factory=dict)
    """Letters written at the ends of secondary edges, for the list of these edges."""

    @classmethod
    def of(
        cls,
        tree: Tree,
        *,
        edge_labels: bool,
        tags: bool,
        morphology: bool,
        signs: Mapping[int, str],
        letters: Mapping[int, str],
    ) -> Self:
        """Leave out the rows that would be empty."""
        vertices: list[Token | Node] = [*tree.sentence, *tree.nodes]
        return cls(
            tree,
            edge_labels=edge_labels and any(vertex.edge_label for vertex in vertices),
            tags=tags and any(token.tag for token in tree.sentence),
            morphology=morphology and any(token.morphology for token in tree.sentence),
            signs=signs,
            letters=letters,
        )

    def at(self, number: int, cut: Callable[[Row], str]) -> list[Row]:
        """Return the rows of a vertex. A missing edge label, tag or morphology is an empty text."""
        vertex = self.tree.vertex(number)
        rows = [Row("edge", vertex.edge_label)] if self.edge_labels else []
        if isinstance(vertex, Node):
            rows.append(Row("label", vertex.label or ABSENT))
        else:
            if self.tags:
                rows.append(Row("tag", vertex.tag))
            if self.morphology:
                rows.append(Row("morphology", vertex.morphology))
            rows.append(Row("word", vertex.form or ABSENT))
        rows = [Row(row.kind, cut(row)) for row in rows]
        sign, letter = self.signs.get(number, ""), self.letters.get(number, "")
        rows[-1] = Row(rows[-1].kind, f"{sign}{rows[-1].text}{letter}")
        return rows

    @property
    def longest_affix(self) -> str:
        """The longest mark and the longest letter that can be added to a text."""
        parts = (self.signs, self.letters)
        return "".join(max(part.values(), key=len, default="") for part in parts)


def marked_vertices(tree: Tree, marks: Iterable[Mark]) -> list[int]:
    """Return the vertices with these numbers, or of nodes with these brackets, highest first."""
    wanted = Counter(marks)
    found = [token for token in range(len(tree.sentence)) if wanted[token]]
    for vertex, node in enumerate(tree.nodes, len(tree.sentence)):
        bracket = Bracket(node.label, node.span)
        if wanted[vertex]:
            found.append(vertex)
        elif wanted[bracket] > 0:
            wanted[bracket] -= 1
            found.append(vertex)
    return found


def letters_of(tree: Tree) -> dict[int, str]:
    """Return a letter in brackets for every vertex at an end of a secondary edge."""
    ends = sorted({end for edge in tree.secondary_edges for end in (edge.child, edge.parent)})
    return {vertex: f"[{_letter(turn)}]" for turn, vertex in enumerate(ends)}


def notes_on(tree: Tree, letters: Mapping[int, str]) -> list[str]:
    """Return the secondary edges as a list."""

    def name(number: int) -> str:
        vertex = tree.vertex(number)
        text = vertex.label if isinstance(vertex, Node) else vertex.form
        return visible(text or ABSENT) + letters[number]

    return [
        f"{visible(edge.label or ABSENT)}: {name(edge.child)} under {name(edge.parent)}"
        for edge in tree.secondary_edges
    ]


def _letter(turn: int) -> str:
    """The letters a .. z, then aa .. az, ba .. and so on."""
    text = ""
    turn += 1
    while turn:
        turn, last = divmod(turn - 1, len(ascii_lowercase))
        text = ascii_lowercase[last] + text
    return text

"""Matches of a query in trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from crossbranch.constituent import Constituent, Word
from crossbranch.doors import door
from crossbranch.query.clauses import Alternative, Numbering
from crossbranch.query.parsing import parse_query
from crossbranch.query.planning import Assignment, Subquery
from crossbranch.query.values import Vocabulary
from crossbranch.query.view import TreeView, View
from crossbranch.tree import Tree

Found = Constituent | Word
"""A node of a tree that a node of the query stands for."""


class Query:
    """A query that is ready for searching."""

    @door
    def __init__(self, text: str, vocabulary: Vocabulary | None = None) -> None:
        """Read a query and plan the search.

        Raises:
            QueryError: The query has a mistake. The message shows where.
        """
        self.text = text
        formula = parse_query(text)
        numbering = Numbering.of(formula)
        self._search = Subquery(formula, numbering, vocabulary or Vocabulary())
        self._room = numbering.count
        by_number = {number: name for name, number in numbering.names.items()}
        self.names: tuple[str, ...] = tuple(by_number.get(v, "") for v in self._search.shown)
        """The names of the nodes of a match; empty for nodes without a name."""

    @property
    def alternatives(self) -> list[Alternative]:
        """What the query says, without `or`."""
        return self._search.alternatives

    @door
    def assignments(self, view: View) -> list[Assignment]:
        """Return the vertices of each match in a tree; -1 for nodes that have no part in it."""
        return self._search.assignments(view, [-1] * self._room)


@dataclass(frozen=True)
class Match:
    """A part of a tree that a query has found."""

    tree: Tree
    """The tree that it is in."""

    number: int
    """The number of the sentence, from 1."""

    vertices: Assignment
    """The vertex of each node; -1 for nodes that have no part in this match."""

    names: tuple[str, ...]
    """The name of each node in the query, without `#`; empty for nodes without a name."""

    @cached_property
    def nodes(self) -> tuple[Found, ...]:
        """The constituents and words, in the order of the query."""
        return tuple(self._found(vertex) for vertex in self.vertices if vertex >= 0)

    @property
    def node(self) -> Found | None:
        """The first node. None if the query has only negations."""
        return self.nodes[0] if self.nodes else None

    def __getitem__(self, name: str) -> Found:
        """Return the node with this name, such as match["v"] for `#v`."""
        for own, vertex in zip(self.names, self.vertices, strict=True):
            if own == name.removeprefix("#") and vertex >= 0:
                return self._found(vertex)
        raise KeyError(name)

    def _found(self, vertex: int) -> Found:
        count = len(self.tree.sentence)
        return Word(self.tree, vertex) if vertex < count else Constituent(self.tree, vertex - count)

    def __str__(self) -> str:
        return self.nodes[0].text if self.nodes else self.tree.text or " ".join(self.tree.words)

    def __repr__(self) -> str:
        nodes = ", ".join(f"{node.label}: {node.text}" for node in self.nodes)
        return f"<Match {self.number}: {nodes}>".encode("utf-8", "backslashreplace").decode("utf-8")


@door
def find(trees: Tree | Iterable[Tree], query: str) -> Iterator[Match]:
    """Search trees, one at a time, and yield each match.

    Args:
        trees: A tree, or any number of them, for example from `crossbranch.read`.
        query: What to search; see the page "Searching treebanks".

    Raises:
        QueryError: The query has a mistake. The message shows where.
    """
    return _matches([trees] if isinstance(trees, Tree) else trees, Query(query))


def _matches(trees: Iterable[Tree], query: Query) -> Iterator[Match]:
    for number, tree in enumerate(trees, 1):
        for vertices in query.assignments(TreeView(tree)):
            yield Match(tree, number, vertices, query.names)

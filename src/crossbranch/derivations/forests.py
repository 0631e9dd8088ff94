"""A configuration as partial trees over the whole sentence."""

from __future__ import annotations

from collections.abc import Sequence

from crossbranch import _core
from crossbranch.transitions import Derivation
from crossbranch.transitions.moves import CANDIDATE
from crossbranch.tree import ROOT, Node, Tree

UNNAMED = "·"
"""The label of items that are joined, but not yet a constituent."""


def vertices_of(tree: Tree, tops: Sequence[Node | int]) -> list[int]:
    """Return the vertices of nodes and tokens in a tree."""
    size = len(tree.sentence)
    places = {id(node): size + number for number, node in enumerate(tree.nodes)}
    return [top if isinstance(top, int) else places[id(top)] for top in tops]


class Forest:
    """The partial trees of a configuration. Their words are in the order of the sentence."""

    def __init__(self, configuration: _core.Configuration, derivation: Derivation) -> None:
        """Take everything that was built so far."""
        self._configuration = configuration
        self._labels = derivation.system.labels
        self._built: dict[int, Node | int] = {}
        self._sentence = derivation.sentence
        self._id = derivation.id

    def tree(self, items: list[int]) -> tuple[Tree, dict[int, int]]:
        """Return the items below a root, which is not to be drawn, and the vertex of each item."""
        tops = [self._subtree(item) for item in items]
        tree = Tree(self._sentence, Node(ROOT, tops), id=self._id)
        return tree, dict(zip(items, vertices_of(tree, tops), strict=True))

    def _subtree(self, item: int) -> Node | int:
        """The tree of an item. Children are made before their parents, without recursion."""
        todo = [item]
        while todo:
            vertex = todo[-1]
            label, left, _, _ = self._configuration.node(vertex)
            below = [] if left < 0 else self._below(vertex)
            missing = [child for child in below if child not in self._built]
            if missing:
                todo += missing
                continue
            todo.pop()
            if left < 0:
                self._built[vertex] = vertex
            else:
                name = UNNAMED if label == CANDIDATE else self._labels.name(label)
                self._built[vertex] = Node(name, [self._built[child] for child in below])
        return self._built[item]

    def _below(self, vertex: int) -> list[int]:
        """The children of a node. What is below an unnamed child takes its place."""
        found: list[int] = []
        todo = list(self._children(vertex))
        while todo:
            child = todo.pop()
            if self._configuration.node(child)[0] == CANDIDATE:
                todo += self._children(child)
            else:
                found.append(child)
        return found

    def _children(self, vertex: int) -> tuple[int, ...]:
        _, left, right, _ = self._configuration.node(vertex)
        return (left,) if right < 0 else (left, right)

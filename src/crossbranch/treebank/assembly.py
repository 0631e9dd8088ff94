"""From rows with parents to nodes: shared by export and TIGER-XML.

Both formats number the nodes of a sentence. The canonical numbers are 500, 501, ... in postorder.
If a file has other numbers, they are kept in the feature `id` of the nodes, and written again.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from crossbranch.errors import TreeError
from crossbranch.tree import ROOT, Features, Node, SecondaryEdge, Tree, with_feature

FIRST_NUMBER = 500
NUMBER = re.compile("[5-9][0-9]{2}|[1-9][0-9]{3,8}")
"""The pattern of node numbers."""
_LARGEST_NUMBER = 999_999_999
UNNUMBERED = "nodes without a number (they get one)"


class ParentRows:
    """The nodes of one sentence as listed in the file, before they are connected.

    Tokens are vertices 0 .. n-1, and the k-th row is vertex n + k. `parents` has a vertex for each
    of them, or -1 for the virtual root.
    """

    def __init__(
        self,
        token_count: int,
        parents: Sequence[int],
        labels: Sequence[str],
        edge_labels: Sequence[str],
        features: Sequence[Features],
        numbers: list[int],
    ) -> None:
        """Take the columns of the file. `numbers` are the numbers of the nodes, such as 500."""
        self.token_count = token_count
        self.parents = parents
        self.labels = labels
        self.edge_labels = edge_labels
        self.features = features
        self.numbers = numbers
        self.built: list[Node] = []

    def connect(self) -> Node:
        """Return the virtual root. A TreeError has the vertex that cannot be connected."""
        count = self.token_count
        children, order = self._children()
        self._sort(children, order)
        if not self._is_canonical(children):
            self.features = [
                with_feature(features, "id", str(number))
                for features, number in zip(self.features, self.numbers, strict=True)
            ]
        vertices: list[Any] = [*range(count), *([None] * len(self.labels))]
        for row in order:
            vertices[count + row] = Node(
                self.labels[row],
                [vertices[v] for v in children[row]],
                edge_label=self.edge_labels[row],
                features=self.features[row],
            )
        self.built = vertices[count:]
        return Node(ROOT, [vertices[v] for v in children[-1]])

    def _children(self) -> tuple[list[list[int]], Sequence[int]]:
        """Return the children of each row (last: of the root), and the rows, children first."""
        count = self.token_count
        children: list[list[int]] = [[] for _ in range(len(self.labels) + 1)]
        ascending = True
        for vertex, parent in enumerate(self.parents):
            if parent < 0:
                children[-1].append(vertex)
            else:
                children[parent - count].append(vertex)
                if parent <= vertex:
                    ascending = False
        return children, range(len(self.labels)) if ascending else self._children_first(children)

    def _children_first(self, children: list[list[int]]) -> list[int]:
        count = self.token_count
        order: list[int] = []
        stack = [v - count for v in children[-1] if v >= count]
        while stack:
            row = stack.pop()
            order.append(row)
            stack.extend([v - count for v in children[row] if v >= count])
        if len(order) < len(self.labels):
            vertex = count + min(set(range(len(self.labels))).difference(order))
            for _ in self.labels:  # go up: the cycle may be above
                vertex = self.parents[vertex]
            raise TreeError("a node that is its own ancestor", vertex=vertex)
        order.reverse()
        return order

    def _sort(self, children: list[list[int]], order: Sequence[int]) -> None:
        """Put the children of each row in the order of their first tokens."""
        count = self.token_count
        first = [*range(count), *([0] * len(self.labels))]
        for row in order:
            below = children[row]
            if not below:
                raise TreeError("a node without children", vertex=count + row)
            if below[-1] >= count:  # not only tokens
                below.sort(key=first.__getitem__)
            first[count + row] = first[below[0]]
        children[-1].sort(key=first.__getitem__)

    def _is_canonical(self, children: list[list[int]]) -> bool:
        """Whether the rows are numbered in postorder.

        This means: the last child node is directly before its parent, and every other child node is
        directly before the nodes of its right neighbour.
        """
        total = len(self.labels)
        if self.numbers != list(range(FIRST_NUMBER, FIRST_NUMBER + total)):
            return False
        sizes = [1] * total  # number of nodes in the subtree of each row
        for row, below in enumerate(children):
            expected = row - 1
            for vertex in reversed(below):
                if vertex >= self.token_count:
                    if vertex - self.token_count != expected:
                        return False
                    expected -= sizes[expected]
            if row < total:
                sizes[row] = row - expected
        return True


def renumber_edges(
    edges: Sequence[SecondaryEdge], root: Node, rows: ParentRows
) -> list[SecondaryEdge]:
    """Convert the ends of edges from vertices of the rows (-1: root) to vertices of the tree."""
    count = rows.token_count
    numbers = {id(node): count + k for k, node in enumerate(root.preorder())}

    def renumber(vertex: int) -> int:
        if vertex < 0:
            return count
        return vertex if vertex < count else numbers[id(rows.built[vertex - count])]

    return [SecondaryEdge(e.label, renumber(e.child), renumber(e.parent)) for e in edges]


def number_nodes(tree: Tree, *, own: bool = True) -> dict[int, int]:
    """Return the number of each node below the root in a file, by the id() of the node.

    If nodes have numbers from the file they were read from, all different, they keep them, and the
    other nodes get higher numbers. Otherwise, or without `own`, all get canonical numbers.
    """
    nodes = _numbered(tree)
    numbers: Iterable[int] = itertools.count(FIRST_NUMBER)
    if own and any(node.features for node in nodes):  # usually, no node has any
        numbers = _own_numbers(nodes) or numbers
    return {id(node): number for node, number in zip(nodes, numbers, strict=False)}


def _numbered(tree: Tree) -> list[Node]:
    """Return the nodes that get numbers, in the order of canonical numbers."""
    nodes = list(tree.root.postorder())
    if tree.root.label == ROOT:
        nodes.pop()
    return nodes


def _own_numbers(nodes: Sequence[Node]) -> list[int] | None:
    """Return the numbers of nodes if some have one in their feature `id`.

    Return None if they cannot be used. Canonical numbers are not used, either: files that have
    them are read without `id`.
    """
    brought: list[int | None] = []
    for node in nodes:
        values = [value for name, value in node.features if name == "id"]
        if len(values) > 1 or not all(map(NUMBER.fullmatch, values)):
            return None
        brought.append(int(values[0]) if values else None)
    own = [number for number in brought if number is not None]
    if not own or len(set(own)) < len(own) or max(own) + len(nodes) > _LARGEST_NUMBER:
        return None
    free = itertools.count(max(own) + 1)
    numbers = [next(free) if number is None else number for number in brought]
    return None if numbers == list(range(FIRST_NUMBER, FIRST_NUMBER + len(nodes))) else numbers


def _has_number(node: Node) -> bool:
    return any(name == "id" for name, _ in node.features)


def has_all_numbers(tree: Tree) -> bool:
    """Say whether every node has a number that a file can have, in its feature `id`."""
    nodes = _numbered(tree)
    return all(map(_has_number, nodes)) and _own_numbers(nodes) is not None


def count_numbers(tree: Tree, lost: Counter[str]) -> None:
    """Count the numbers of nodes that cannot be written, or else the nodes that get one."""
    nodes = _numbered(tree)
    count = sum(map(_has_number, nodes))
    if count and _own_numbers(nodes) is None:
        lost["node features"] += count
    elif 0 < count < len(nodes):
        lost[UNNUMBERED] += len(nodes) - count


def with_virtual_root(tree: Tree) -> Tree:
    """Return the tree with a virtual root. It is added above the root if there is none."""
    if tree.root.label == ROOT:
        return tree
    count = len(tree.sentence)
    edges = [
        SecondaryEdge(label, child + (child >= count), parent + (parent >= count))
        for label, child, parent in tree.secondary_edges
    ]
    root = Node(ROOT, [tree.root] if count else [])
    return tree.replace(root=root, secondary_edges=edges if count else [])

"""Gold trees as arrays, for oracles and for learners of spans.

`GoldTree` takes any tree. `NaryGold` is for parsers whose trees have the form `NaryForm`: its
labels are numbers, and nodes are found by their spans.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from crossbranch.errors import TransformError
from crossbranch.span import Span
from crossbranch.structure.labels import PLAIN, ROOT_LABEL, LabelSet
from crossbranch.tree import Node, Tree


class GoldTree:
    """A tree as arrays.

    The vertices are the tokens 0 to n-1, the root n, and the other nodes in preorder. So every node
    has a higher number than its parent.
    """

    size: int
    """The number of tokens."""
    nodes: Sequence[Node]
    """The node of vertex n + k."""
    parents: list[int]
    """The vertex above each vertex; -1 for the root."""
    children: list[list[int]]
    """The vertices below vertex n + k, ordered by first token."""

    def __init__(self, tree: Tree) -> None:
        """Make the arrays. Raises TransformError if the tree has no tokens."""
        self.size = size = len(tree.sentence)
        if not size:
            raise TransformError("the sentence has no tokens")
        self.nodes = nodes = tree.nodes
        vertices = {id(node): vertex for vertex, node in enumerate(nodes, size)}
        self.parents = parents = [-1] * (size + len(nodes))
        self.children = []
        for vertex, node in enumerate(nodes, size):
            below = [
                child if child.__class__ is int else vertices[id(child)] for child in node.children
            ]
            for child in below:
                parents[child] = vertex
            self.children.append(below)

    @cached_property
    def spans(self) -> list[Span]:
        """The span of each vertex."""
        return [*(1 << token for token in range(self.size)), *(node.span for node in self.nodes)]

    @cached_property
    def labels(self) -> list[str]:
        """The label of vertex n + k."""
        return [node.label for node in self.nodes]

    def rebuild(self) -> Node:
        """Return the root of a new tree with the same labels and children, and nothing else."""
        items: list[Node | int] = [*range(self.size), *self.nodes]
        for vertex in range(len(self.parents) - 1, self.size - 1, -1):
            below = [items[child] for child in self.children[vertex - self.size]]
            items[vertex] = Node(self.labels[vertex - self.size], below)
        root = items[self.size]
        assert isinstance(root, Node)
        return root


class NaryGold(GoldTree):
    """A gold tree without heads, in which no two nodes have the same span. Labels are numbers.

    `NaryForm` gives trees this form.
    """

    numbers: list[int]
    """The label of vertex n + k as its number in the label set."""

    def __init__(self, tree: Tree, labels: LabelSet) -> None:
        """Make the arrays. Raises TransformError for unary chains and unknown labels."""
        super().__init__(tree)
        self.numbers = []
        for node, below in zip(self.nodes, self.children, strict=True):
            if len(below) == 1 and below[0] > self.size:
                raise TransformError(
                    f"{node.label} is a unary node above another; join them first, with NaryForm"
                )
            number = labels.find(node.label, PLAIN if self.numbers else ROOT_LABEL)
            if number is None:
                raise TransformError(f"unknown label {node.label}")
            self.numbers.append(number)

    @cached_property
    def vertex_at(self) -> dict[Span, int]:
        """The vertex of the node with each span."""
        return {node.span: vertex for vertex, node in enumerate(self.nodes, self.size)}

    def number_at(self, span: Span) -> int | None:
        """Return the label of the node with this span; None if there is no such node."""
        vertex = self.vertex_at.get(span)
        return None if vertex is None else self.numbers[vertex - self.size]

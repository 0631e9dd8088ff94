"""A binary tree as arrays: what oracles ask about at every step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from crossbranch.errors import TransformError
from crossbranch.tree import Node, Tree


@dataclass(frozen=True)
class Reductions:
    """The transitions that make a node with some label; -1 where the system has none."""

    unary: int
    left: int  # the head comes from the left item
    right: int
    is_temporary: bool


class Gold:
    """A binary tree whose vertices are tokens 0 .. n-1, the root n, and the other nodes."""

    __slots__ = ("above", "joins", "nodes", "siblings", "size")

    size: int
    """The number of tokens."""
    nodes: list[Node]
    """The node of vertex n + k."""
    above: list[int]
    """The vertex above each vertex; -1 for the root."""
    siblings: list[int]
    """The other child of the same node; -1 where there is none."""
    joins: list[int]
    """The transition that makes the node above, with this vertex as the left or only item."""

    def __init__(
        self, tree: Tree, inside: Mapping[str, Reductions], roots: Mapping[str, Reductions]
    ) -> None:
        """Take a tree apart; `inside` and `roots` tell the reductions for each label.

        A node without a head mark has its temporary child as its head, or else its first child.
        """
        self.size = size = len(tree.sentence)
        if not size:
            raise TransformError("there are no tokens")
        self.nodes = nodes = [tree.root]
        self.above = above = [-1] * (size + 1)
        self.siblings = siblings = [-1] * (size + 1)
        self.joins = joins = [-1] * (size + 1)
        known = roots
        for vertex, node in enumerate(nodes, size):  # grows while it is walked through
            children = []
            for child in node.children:
                if child.__class__ is int:
                    children.append(child)
                    above[child] = vertex
                else:
                    children.append(len(above))
                    nodes.append(child)  # type: ignore[arg-type]
                    above.append(vertex)
                    siblings.append(-1)
                    joins.append(-1)
            try:
                makes = known[node.label]
            except KeyError:
                raise TransformError(f"the label {node.label} is not among the known") from None
            known = inside
            if len(children) == 2:
                one, other = children
                siblings[one], siblings[other] = other, one
                head = _guess_head(node, inside) if node.head is None else node.head
                joins[one], joins[other] = makes.left, makes.right
                if head:
                    joins[one], joins[other] = makes.right, makes.left
            elif len(children) == 1:
                joins[children[0]] = makes.unary
            else:
                raise TransformError(f"{node.label} has {len(children)} children, expected 1 or 2")


def _guess_head(node: Node, inside: Mapping[str, Reductions]) -> int:
    first, second = (_is_temporary(child, inside) for child in node.children)
    return int(second and not first)


def _is_temporary(child: Node | int, inside: Mapping[str, Reductions]) -> bool:
    if isinstance(child, int):
        return False
    known = inside.get(child.label)
    return known is not None and known.is_temporary

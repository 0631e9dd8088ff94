"""Build nodes from the numbers that a parser found.

The core writes an n-ary tree as a list of numbers, children before parents. A number >= 0 is a
token. A negative number c is a node with the label ~c; the next number is the number of its
children, which are the latest vertices that have no parent yet. The list has no temporary nodes,
and children are in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossbranch import _core
from crossbranch.node import Node


class NodeBuilder:
    """Builds nodes from the numbers of the core. A label may stand for a chain of labels."""

    def __init__(self, chains: Iterable[Sequence[str]]) -> None:
        """Take the treebank labels that each number stands for, the topmost first."""
        self._maker = _core.NodeMaker(Node, [list(reversed(chain)) for chain in chains])

    def build(self, codes: Sequence[int] | bytes) -> Node:
        """Return the root. Bytes are those of 32-bit numbers.

        Raises:
            ValueError: The numbers are not those of a tree.
        """
        root = self._maker.build(codes)
        assert isinstance(root, Node)
        return root

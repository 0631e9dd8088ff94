"""From what a search found to nodes, by labels alone: no tree is built twice on the way.

The core writes an n-ary tree as a list of numbers, children before parents. A number from 0 on is
a token. A negative number c is a node with label ~c; the next number says how many of the latest
vertices are its children. Temporary nodes are not in the list, and children stand in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossbranch.tree import Node


class NodeBuilder:
    """Makes nodes of what the core found; a label may stand for a chain of treebank labels."""

    def __init__(self, chains: Iterable[Sequence[str]]) -> None:
        """Prepare for these labels: what each number stands for, the topmost one first."""
        self._upwards = [tuple(reversed(chain)) for chain in chains]

    def build(self, codes: Sequence[int]) -> Node:
        """Return the root."""
        upwards = self._upwards
        items: list[Node | int] = []
        push = items.append
        numbers = iter(codes)
        for code in numbers:
            if code >= 0:
                push(code)
                continue
            start = len(items) - next(numbers)
            children = items[start:]
            del items[start:]
            for label in upwards[~code]:
                children = [Node(label, children)]
            push(children[0])
        (root,) = items
        assert isinstance(root, Node)
        return root

"""Build nodes from the numbers that a parser found.

The core writes an n-ary tree as a list of numbers, children before parents. A number >= 0 is a
token. A negative number c is a node with the label ~c; the next number is the number of its
children, which are the latest vertices that have no parent yet. The list has no temporary nodes,
and children are in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossbranch.node import Node, trusted_node
from crossbranch.span import Span


class NodeBuilder:
    """Builds nodes from the numbers of the core. A label may stand for a chain of labels."""

    def __init__(self, chains: Iterable[Sequence[str]]) -> None:
        """Take the treebank labels that each number stands for, the topmost first."""
        self._upwards = [tuple(reversed(chain)) for chain in chains]

    def build(self, codes: Sequence[int]) -> Node:
        """Return the root."""
        upwards = self._upwards
        items: list[Node | int] = []
        spans: list[Span] = []
        numbers = iter(codes)
        for code in numbers:
            if code >= 0:
                items.append(code)
                spans.append(1 << code)
                continue
            start = len(items) - next(numbers)
            span = spans[start]
            for part in spans[start + 1 :]:
                span |= part
            children = tuple(items[start:])
            del items[start:], spans[start:]
            for label in upwards[~code]:
                children = (trusted_node(label, children, span),)
            items.append(children[0])
            spans.append(span)
        (root,) = items
        assert isinstance(root, Node)
        return root

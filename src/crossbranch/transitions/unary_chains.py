"""How unary nodes stand one above the other in a treebank."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crossbranch.tree import Node, Tree

_LEAST, _MOST = 3, 250  # the core counts in one byte


@dataclass(frozen=True)
class UnaryChains:
    """What a system with unary reductions must allow; the root is not counted."""

    limit: int = _LEAST  # how many in a row
    repeats: bool = False  # whether a node has one child of the same label

    @classmethod
    def of(cls, trees: Iterable[Tree]) -> UnaryChains:
        """Look through trees."""
        longest, repeats = _LEAST, False
        for tree in trees:
            above: dict[int, int] = {}  # how many unary nodes are right above a node
            for node in tree.nodes:
                if len(node.children) != 1:
                    continue
                count = above.get(id(node), 0) + (node is not tree.root)
                longest = max(longest, count)
                child = node.children[0]
                if isinstance(child, Node):
                    above[id(child)] = count
                    repeats |= child.label == node.label and node is not tree.root
        return cls(min(longest, _MOST), repeats)

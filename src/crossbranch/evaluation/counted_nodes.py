"""The nodes behind the brackets, for what brackets alone do not tell."""

from __future__ import annotations

from crossbranch.evaluation.pairs import Pair, compress
from crossbranch.tree import Bracket, Node, Tree

CountedNode = tuple[Node, Bracket, Bracket | None]
"""A node that counts, its bracket, and the next bracket that counts above it."""


def counted_nodes(pair: Pair, tree: Tree) -> list[CountedNode]:
    """Return the nodes of either tree that count, parents first."""
    skip, labelled = pair.parameters.deleted_labels, pair.parameters.labelled
    deleted, equal = pair.deleted, dict(pair.parameters.equal_labels)
    found: list[CountedNode] = []
    stack: list[tuple[Node, Bracket | None]] = [(tree.root, None)]
    while stack:
        node, parent = stack.pop()
        label = node.label
        if label not in skip:
            span = compress(node.span, deleted) if deleted else node.span
            if not span:
                continue
            bracket = Bracket(equal.get(label, label) if labelled else "", span)
            found.append((node, bracket, parent))
            parent = bracket
        for child in reversed(node.children):
            if not isinstance(child, int):
                stack.append((child, parent))
    return found

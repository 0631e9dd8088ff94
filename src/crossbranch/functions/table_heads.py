"""Heads of labelled trees by a table in Python, if the core cannot follow it exactly."""

from __future__ import annotations

from collections.abc import Sequence

from crossbranch.punctuation import is_punctuation
from crossbranch.transforms.head_table import HeadItem, HeadTable
from crossbranch.tree import Node, Token


def find_heads(
    table: HeadTable, tokens: Sequence[Token], nodes: Sequence[Node], functions: Sequence[str]
) -> list[int]:
    """Return the position of the head of each node; -1 if it has none, or only one child.

    Args:
        table: The table.
        tokens: The words, with their tags.
        nodes: All nodes of the tree.
        functions: The functions of the words, then those of the nodes.
    """
    size = len(tokens)
    words = [
        HeadItem(token.tag, function, is_punctuation(token))
        for token, function in zip(tokens, functions[:size], strict=True)
    ]
    pairs = zip(nodes, functions[size:], strict=True)
    items = {id(node): HeadItem(node.label, function) for node, function in pairs}
    return [
        _find(
            table,
            items[id(node)],
            [words[c] if isinstance(c, int) else items[id(c)] for c in node.children],
        )
        for node in nodes
    ]


def _find(table: HeadTable, node: HeadItem, children: Sequence[HeadItem]) -> int:
    found = table.find(node, children) if len(children) > 1 else None
    return -1 if found is None else found

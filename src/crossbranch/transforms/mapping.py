"""Changing what stands on the vertices of a tree, and nothing of its structure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from crossbranch.tree import Node, Token, Tree

Changes = Mapping[str, object]
"""Fields of a node or token and their new values."""


def map_nodes(tree: Tree, changes: Callable[[Node], Changes]) -> Tree:
    """Return a tree with changed nodes; `changes` sees each node as it was."""
    built: dict[int, Node] = {}
    for node in tree.root.postorder():
        children = [c if isinstance(c, int) else built.pop(id(c)) for c in node.children]
        changed = changes(node)
        if changed or any(map(_is_not, children, node.children)):
            built[id(node)] = node.replace(children=children, **changed)
        else:
            built[id(node)] = node
    root = built[id(tree.root)]
    return tree if root is tree.root else tree.replace(root=root)


def map_tokens(tree: Tree, changes: Callable[[Token], Changes]) -> Tree:
    """Return a tree with changed tokens."""
    sentence = tuple([token._replace(**changes(token)) for token in tree.sentence])  # type: ignore[arg-type]
    return tree if sentence == tree.sentence else tree.replace(sentence=sentence)


def _is_not(one: Node | int, other: Node | int) -> bool:
    return one is not other

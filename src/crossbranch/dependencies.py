"""Dependencies of trees with marked heads."""

from __future__ import annotations

from crossbranch.tree import ROOT, Node, Tree


def dependencies(tree: Tree) -> list[tuple[int, str]] | None:
    """Return head token and relation of each token. The head of the sentence has the head -1.

    Return None if a head is not marked. The virtual root needs no mark: its head is its first child
    that is a node, or else its first child.
    """
    arcs: list[tuple[int, str]] = [(-1, "")] * len(tree.sentence)
    lexical: dict[int, int] = {}  # id of a node -> its head token
    for node in tree.root.postorder():
        position = _head_position(node, node is tree.root)
        if position is None:
            return None
        if not node.children:
            continue
        heads = [c if isinstance(c, int) else lexical.pop(id(c)) for c in node.children]
        leader = lexical[id(node)] = heads[position]
        for child, head in zip(node.children, heads, strict=True):
            if head != leader:
                token_or_node = tree.sentence[child] if isinstance(child, int) else child
                arcs[head] = (leader, token_or_node.edge_label)
    return arcs


def _head_position(node: Node, is_root: bool) -> int | None:
    if node.head is not None:
        return node.head
    if len(node.children) <= 1:
        return 0
    if is_root and node.label == ROOT:
        inner = [i for i, child in enumerate(node.children) if isinstance(child, Node)]
        return inner[0] if inner else 0
    return None

"""Fast ways to change a tree: only changed nodes are new, the others are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from crossbranch.tree import Node, SecondaryEdge, Token, Tree

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


def rebuild(tree: Tree, root: Node, renewed: Mapping[int, Node]) -> Tree:
    """Return the tree with a new root; secondary edges follow their ends, or go where one is gone.

    `renewed` gives what a node (by its `id`) has become; one that it does not name is still itself,
    or gone.
    """
    if root is tree.root:
        return tree
    changed = tree.replace(root=root, secondary_edges=())
    if not tree.secondary_edges:
        return changed
    count = len(tree.sentence)
    vertices = {id(node): count + place for place, node in enumerate(changed.nodes)}
    moved = {vertex: vertex for vertex in range(count)}
    for vertex, node in enumerate(tree.nodes, count):
        node = renewed.get(id(node), node)
        if id(node) in vertices:
            moved[vertex] = vertices[id(node)]
    edges = [
        SecondaryEdge(edge.label, moved[edge.child], moved[edge.parent])
        for edge in tree.secondary_edges
        if edge.child in moved and edge.parent in moved
    ]
    return changed.replace(secondary_edges=edges)

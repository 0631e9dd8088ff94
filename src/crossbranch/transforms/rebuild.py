"""The quick way to a changed tree: new nodes where something changes, the old ones elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from crossbranch.tree import Node, SecondaryEdge, Tree


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

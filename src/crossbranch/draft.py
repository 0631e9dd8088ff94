"""Drafts: trees taken apart, so that transforms can change them.

The vertices of a `Draft` keep their numbers while they are moved, so heads and secondary edges stay
correct. `build` returns a new tree. The old tree does not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossbranch.errors import TreeError
from crossbranch.span import Span, first_of
from crossbranch.tree import Features, Node, SecondaryEdge, Token, Tree


def order_children_first(root: int, children: dict[int, list[int]]) -> list[int]:
    """Return the nodes below and including `root`, every node after its children."""
    order: list[int] = []
    stack = [root]
    while stack:
        vertex = stack.pop()
        order.append(vertex)
        stack.extend(child for child in children[vertex] if child in children)
    order.reverse()
    return order


class Draft:
    """A tree taken apart, for transforms.

    Tokens are vertices 0 .. n-1 and nodes n, n+1, ... as in the tree. New nodes get higher numbers.
    `children` has an entry for every node of the draft, and `tokens` for every token.
    """

    def __init__(self, tree: Tree) -> None:
        """Take a tree apart."""
        count = len(tree.sentence)
        self.original = tree
        self.root = count
        self.tokens: dict[int, Token] = dict(enumerate(tree.sentence))
        self.labels: dict[int, str] = {}
        self.edge_labels: dict[int, str] = {}
        self.features: dict[int, Features] = {}
        self.heads: dict[int, int | None] = {}
        self.children: dict[int, list[int]] = {}
        self.parents: dict[int, int] = {}
        self.secondary_edges: list[SecondaryEdge] = list(tree.secondary_edges)
        self.next_vertex = count + len(tree.nodes)
        for vertex, parent in enumerate(tree.parents):
            if parent >= 0:
                self.parents[vertex] = parent
        for vertex, node in enumerate(tree.nodes, count):
            self.labels[vertex] = node.label
            self.edge_labels[vertex] = node.edge_label
            self.features[vertex] = node.features
            self.children[vertex] = []
        # The order of first tokens applies to tokens and nodes together.
        for vertex, parent in self.parents.items():
            self.children[parent].append(vertex)
        firsts = [*range(count), *(first_of(node.span) for node in tree.nodes)]
        for vertex, node in enumerate(tree.nodes, count):
            self.children[vertex].sort(key=firsts.__getitem__)
            self.heads[vertex] = None if node.head is None else self.children[vertex][node.head]

    def is_node(self, vertex: int) -> bool:
        """Say whether the vertex is a node of the draft (and not a token)."""
        return vertex in self.children

    def edge_label(self, vertex: int) -> str:
        """Return the edge label of a token or node."""
        return self.edge_labels[vertex] if self.is_node(vertex) else self.tokens[vertex].edge_label

    def set_edge_label(self, vertex: int, edge_label: str) -> None:
        """Set the edge label of a token or node."""
        if self.is_node(vertex):
            self.edge_labels[vertex] = edge_label
        else:
            self.tokens[vertex] = self.tokens[vertex]._replace(edge_label=edge_label)

    def move(self, vertex: int, parent: int) -> None:
        """Make a vertex a child of another node. If it was a head, its old parent has none now."""
        old = self.parents[vertex]
        if old == parent:
            return
        self.children[old].remove(vertex)
        if self.heads[old] == vertex:
            self.heads[old] = None
        self.children[parent].append(vertex)
        self.parents[vertex] = parent

    def add(
        self,
        label: str,
        parent: int,
        children: Iterable[int] = (),
        *,
        edge_label: str = "",
        features: Features = (),
    ) -> int:
        """Add a node below `parent`, move the children to it, and return its vertex."""
        vertex = self.next_vertex
        self.next_vertex += 1
        self.labels[vertex] = label
        self.edge_labels[vertex] = edge_label
        self.features[vertex] = features
        self.heads[vertex] = None
        self.children[vertex] = []
        self.children[parent].append(vertex)
        self.parents[vertex] = parent
        for child in list(children):
            self.move(child, vertex)
        return vertex

    def splice(self, vertex: int) -> None:
        """Remove a node and give its children to its parent; the head of a head becomes head."""
        parent = self.parents[vertex]
        was_head = self.heads[parent] == vertex
        head = self.heads[vertex]
        for child in list(self.children[vertex]):
            self.move(child, parent)
        self._forget(vertex)
        if was_head:
            self.heads[parent] = head

    def remove(self, vertex: int) -> None:
        """Remove a token, or a node and everything below it, and ancestors that become empty."""
        parent = self.parents[vertex]
        below = [vertex]
        while below:
            current = below.pop()
            if self.is_node(current):
                below.extend(self.children[current])
            self._forget(current)
        while parent != self.root and not self.children[parent]:
            parent, empty = self.parents[parent], parent
            self._forget(empty)

    def _forget(self, vertex: int) -> None:
        parent = self.parents.pop(vertex)
        if parent in self.children and vertex in self.children[parent]:
            self.children[parent].remove(vertex)
            if self.heads[parent] == vertex:
                self.heads[parent] = None
        if vertex in self.tokens:
            del self.tokens[vertex]
        else:
            for part in (self.labels, self.edge_labels, self.features, self.heads, self.children):
                del part[vertex]

    def spans(self) -> dict[int, Span]:
        """Return the spans of all vertices, over the token numbers of the draft."""
        found: dict[int, Span] = {token: 1 << token for token in self.tokens}
        for vertex in order_children_first(self.root, self.children):
            span = 0
            for child in self.children[vertex]:
                span |= found[child]
            found[vertex] = span
        return found

    def ancestors(self, vertex: int) -> list[int]:
        """Return the nodes above a vertex, lowest first, the root last."""
        above = []
        while vertex != self.root:
            vertex = self.parents[vertex]
            above.append(vertex)
        return above

    def build(self, order: Sequence[int] | None = None, **changes: object) -> Tree:
        """Build a new tree.

        `order` lists the tokens in their new order (default: the old order). `changes` replace
        fields of the tree. Secondary edges are kept unless one of their ends was removed.
        """
        order = sorted(self.tokens) if order is None else order
        position = {token: index for index, token in enumerate(order)}
        built: dict[int, Node] = {}
        for vertex in order_children_first(self.root, self.children):
            built[vertex] = self._node(vertex, built, position)
        if len(built) != len(self.children):
            raise TreeError("some nodes are not below the root")
        tree = self.original.replace(
            sentence=tuple(self.tokens[token] for token in order),
            root=built[self.root],
            secondary_edges=(),
        )
        if self.secondary_edges:
            numbers = {id(node): len(order) + k for k, node in enumerate(tree.nodes)}
            renumber = position | {vertex: numbers[id(node)] for vertex, node in built.items()}
            edges = [
                SecondaryEdge(edge.label, renumber[edge.child], renumber[edge.parent])
                for edge in self.secondary_edges
                if edge.child in renumber and edge.parent in renumber
            ]
            changes = {"secondary_edges": edges} | changes
        return tree.replace(**changes) if changes else tree

    def _node(self, vertex: int, built: dict[int, Node], position: dict[int, int]) -> Node:
        children = self.children[vertex]
        head = self.heads[vertex]
        return Node(
            self.labels[vertex],
            [built[child] if child in built else position[child] for child in children],
            edge_label=self.edge_labels[vertex],
            head=None if head is None else children.index(head),
            features=self.features[vertex],
        )

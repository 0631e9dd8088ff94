"""Binarization: nodes with more than two children get temporary nodes in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from crossbranch.errors import TransformError, UsageError
from crossbranch.transforms.binarize_orders import ORDERS
from crossbranch.transforms.mapping import rebuild
from crossbranch.transforms.markov import MARKS, Names, names
from crossbranch.transforms.transform import Transform
from crossbranch.tree import Node, Sentence, Tree

Child = Node | int


@dataclass(frozen=True)
class Binarize(Transform):
    """Give every node at most two children, with temporary nodes that `undo` removes.

    The head child is the head of all temporary nodes that contain it. In other temporary nodes, the
    part nearest to the head is the head. If a node has no head mark, its temporary nodes have none.
    Unary nodes do not change.
    """

    name: ClassVar[str] = "binarize"

    order: str = "head-outward"  # which children are joined first; also: left, right, optimal
    mark: str = ":"  # temporary labels: `S:` as in Coavoux & Crabbé 2017, or `@S` as in Maier 2015
    horizontal: int = 0  # how many of the children joined last a temporary label names; -1: all
    vertical: int = 1  # labels of nodes name vertical - 1 ancestors

    def __post_init__(self) -> None:
        """Check the options."""
        if self.order not in ORDERS:
            raise UsageError(f"binarize: order is {self.order!r}, expected {' or '.join(ORDERS)}")
        if self.mark not in MARKS:
            raise UsageError(f"binarize: mark is {self.mark!r}, expected {' or '.join(MARKS)}")
        if self.horizontal < -1:
            raise UsageError(f"binarize: horizontal is {self.horizontal}, expected -1 or more")
        if self.vertical < 1:
            raise UsageError(f"binarize: vertical is {self.vertical}, expected 1 or more")

    def apply(self, tree: Tree) -> Tree:
        """Return the binary tree."""
        naming = names(self.mark, self.horizontal, self.vertical)
        named = naming.of_nodes(tree.root) if self.vertical > 1 else {}
        renewed: dict[int, Node] = {}
        for node in tree.root.postorder():
            name = named[id(node)] if named else naming.escape(node.label)
            children: Sequence[Child] = _renew(node.children, renewed)
            head = node.head
            if len(children) > 2:
                self._check_head(node, tree)
                children, head = self._join(node, children, name, naming, tree.sentence)
            elif children is node.children and name == node.label:
                continue
            renewed[id(node)] = _change(node, name, children, head)
        return rebuild(tree, renewed.get(id(tree.root), tree.root), renewed)

    def _check_head(self, node: Node, tree: Tree) -> None:
        if node.head is None and self.order == "head-outward":
            raise TransformError(
                f"sentence {tree.id}: {node.label} has {len(node.children)} children and no head "
                "mark, so it cannot be binarized head-outward; apply heads(...) first, or choose "
                "another order"
            )

    def _join(
        self,
        node: Node,
        children: Sequence[Child],
        name: str,
        naming: Names,
        sentence: Sentence,
    ) -> tuple[tuple[Child, Child], int | None]:
        """Join the children in order; return the two that are left, and which one is the head."""
        parts = list(children)
        count = len(parts)
        places = list(range(count))  # of an item's first child: items are ordered as these are
        # How far an item is from the head child.
        away = [0 if node.head is None else abs(place - node.head) for place in range(count)]
        joined = self._labels(node, naming, sentence)
        label = naming.temporary(name, ())
        pair: tuple[Child, Child]
        for one, two in ORDERS[self.order](node):
            first, second = (one, two) if places[one] < places[two] else (two, one)
            pair = (parts[first], parts[second])
            head = None if node.head is None else int(away[second] < away[first])
            if len(parts) == 2 * count - 2:
                break
            if joined:
                history = joined[two] + joined[one]
                joined.append(history if self.horizontal < 0 else history[: self.horizontal])
                label = naming.temporary(name, joined[-1])
            parts.append(Node(label, pair, head=head))
            places.append(places[first])
            away.append(min(away[one], away[two]))
        return pair, head

    def _labels(self, node: Node, naming: Names, sentence: Sentence) -> list[list[str]]:
        """Return what temporary labels say about each child, or nothing."""
        if self.horizontal == 0:
            return []
        return [
            [sentence[child].tag if isinstance(child, int) else naming.escape(child.label)]
            for child in node.children
        ]

    def undo(self, tree: Tree) -> Tree:
        """Remove every temporary node; a temporary root only loses its mark."""
        naming = names(self.mark, self.horizontal, self.vertical)
        is_temporary = naming.is_temporary
        renewed: dict[int, Node] = {}
        for node in tree.root.postorder():
            if is_temporary(node.label) and node is not tree.root:
                continue
            label = naming.restore(node.label)
            children, head = _without_temporary(node, is_temporary)
            children = _renew(children, renewed)
            if children is not node.children or label != node.label:
                renewed[id(node)] = _change(node, label, children, head)
        return rebuild(tree, renewed.get(id(tree.root), tree.root), renewed)


def _renew(children: Sequence[Child], renewed: dict[int, Node]) -> Sequence[Child]:
    """Return the children as they are now; the same object where none has changed."""
    if not any(id(child) in renewed for child in children):
        return children
    return [renewed.get(id(child), child) for child in children]


def _change(node: Node, label: str, children: Sequence[Child], head: int | None) -> Node:
    return Node(label, children, edge_label=node.edge_label, head=head, features=node.features)


def _without_temporary(
    node: Node, is_temporary: Callable[[str], bool]
) -> tuple[Sequence[Child], int | None]:
    """Return the children of a node through temporary ones, and which of them is the head."""

    def is_open(child: Child) -> bool:
        return not isinstance(child, int) and is_temporary(child.label)

    if not any(map(is_open, node.children)):
        return node.children, node.head
    found: list[Child] = []
    stack = list(reversed(node.children))
    while stack:
        child = stack.pop()
        if not isinstance(child, int) and is_temporary(child.label):
            stack.extend(reversed(child.children))
        else:
            found.append(child)
    head = _head_child(node)
    while head is not None and not isinstance(head, int) and is_temporary(head.label):
        head = _head_child(head)
    return found, None if head is None else found.index(head)


def _head_child(node: Node) -> Child | None:
    return None if node.head is None else node.children[node.head]

"""A binary tree with heads as arrays, for the oracles of binary systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crossbranch import _core
from crossbranch.errors import TransformError
from crossbranch.structure import ROOT_LABEL, TEMPORARY, GoldTree, LabelSet
from crossbranch.transitions.moves import LEFT, RIGHT, UNARY
from crossbranch.tree import Node, Tree

if TYPE_CHECKING:
    from crossbranch.transitions.oracle import DerivationPath, Oracle


@dataclass(frozen=True)
class Reductions:
    """The transitions that build a node with one label; -1 if the system has none."""

    unary: int
    left: int  # the head comes from the left item
    right: int
    is_temporary: bool


class BinaryGold(GoldTree):
    """A gold tree whose nodes have one or two children and a head."""

    siblings: list[int]
    """The other child of the same node; -1 if there is none."""
    joins: list[int]
    """The transition that builds the parent, with this vertex as the left or only item."""
    paths: dict[Oracle[Any], DerivationPath]
    """The derivations that static oracles have found so far."""

    def __init__(
        self, tree: Tree, inside: Mapping[str, Reductions], roots: Mapping[str, Reductions]
    ) -> None:
        """Make the arrays; `inside` and `roots` give the reductions for each label.

        If a node has no head mark, its head is its temporary child, or else its first child.
        """
        super().__init__(tree)
        self.paths = {}
        self.siblings = siblings = [-1] * len(self.parents)
        self.joins = joins = [-1] * len(self.parents)
        known = roots
        for node, children in zip(self.nodes, self.children, strict=True):
            try:
                makes = known[node.label]
            except KeyError:
                raise TransformError(f"unknown label {node.label}") from None
            known = inside
            if len(children) == 2:
                one, other = children
                siblings[one], siblings[other] = other, one
                head = _guess_head(node, inside) if node.head is None else node.head
                joins[one], joins[other] = makes.left, makes.right
                if head:
                    joins[one], joins[other] = makes.right, makes.left
            elif len(children) == 1:
                joins[children[0]] = makes.unary
            else:
                raise TransformError(f"{node.label} has {len(children)} children, expected 1 or 2")


class BinaryGoldMaker:
    """Makes gold trees for one system: it knows which transitions build which labels."""

    def __init__(self, core: _core.System, labels: LabelSet) -> None:
        self._inside: dict[str, Reductions] = {}
        self._roots: dict[str, Reductions] = {}
        for number, (kind, name) in enumerate(labels.labels):
            unary = -1 if kind == TEMPORARY else core.find(UNARY, number)
            left, right = core.find(LEFT, number), core.find(RIGHT, number)
            some = self._roots if kind == ROOT_LABEL else self._inside
            some[name] = Reductions(unary, left, right, kind == TEMPORARY)

    def __call__(self, tree: Tree) -> BinaryGold:
        """Return a gold tree. Raises TransformError if it is not binary or has unknown labels."""
        return BinaryGold(tree, self._inside, self._roots)


def _guess_head(node: Node, inside: Mapping[str, Reductions]) -> int:
    first, second = (_is_temporary(child, inside) for child in node.children)
    return int(second and not first)


def _is_temporary(child: Node | int, inside: Mapping[str, Reductions]) -> bool:
    if isinstance(child, int):
        return False
    known = inside.get(child.label)
    return known is not None and known.is_temporary

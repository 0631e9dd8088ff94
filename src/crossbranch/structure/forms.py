"""The form that trees have inside a parser, and the transforms that give them this form.

A form has a pipeline (from a treebank tree to a tree of this form, and back), and it collects
labels. The trees of `BinaryForm` are binary and have heads. In `NaryForm`, nodes have any number of
children, and heads matter only if it is told so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Protocol

from crossbranch.structure.labels import LabelSet
from crossbranch.transforms import Pipeline, Transform
from crossbranch.transforms.binarize import Binarize
from crossbranch.transforms.heads import Heads
from crossbranch.transforms.mapping import Changes, map_nodes
from crossbranch.transforms.markov import names
from crossbranch.transforms.memory import recall, remember
from crossbranch.transforms.unaries import Unaries
from crossbranch.tree import Node, Tree


@dataclass(frozen=True)
class CompleteHeads(Transform):
    """Mark the first child of each node without a head as its head: binarization needs one."""

    name: ClassVar[str] = "complete-heads"
    _memory: ClassVar[str] = "heads.completed"

    def apply(self, tree: Tree) -> Tree:
        """Add the missing head marks."""

        def changes(node: Node) -> Changes:
            if node.head is not None or len(node.children) < 2:
                return {}
            return {"head": 0, "features": remember(node.features, self._memory, True)}

        return map_nodes(tree, changes)

    def undo(self, tree: Tree) -> Tree:
        """Remove the added marks."""

        def changes(node: Node) -> Changes:
            completed, features = recall(node.features, self._memory)
            return {"head": None, "features": features} if completed else {}

        return map_nodes(tree, changes)


class TreeForm(Protocol):
    """A form of trees."""

    @property
    def has_heads(self) -> bool:
        """Whether parsers use the heads of these trees."""

    @property
    def joiner(self) -> str:
        """The text between the joined labels of a unary chain; empty: chains are not joined."""

    def pipeline(self, heads: str | None = None) -> Pipeline:
        """Return the transforms that give trees this form.

        Args:
            heads: A head table. Without it, the head marks of the trees are used.
        """

    def shape(self, tree: Tree, heads: str | None = None) -> Tree:
        """Return a tree in this form."""

    def label_set(self, trees: Iterable[Tree]) -> LabelSet:
        """Collect the labels of trees that have this form."""


@dataclass(frozen=True)
class BinaryForm:
    """Binary trees with heads. If a node has no head mark, its first child becomes the head.

    With a joiner, only single tokens have unary nodes above them; other unary chains are joined
    into one node.
    """

    mark: str  # of temporary labels, see `Binarize`
    joiner: str = ""
    has_heads: ClassVar[bool] = True

    def pipeline(self, heads: str | None = None) -> Pipeline:
        """Return the transforms that give trees this form; see `TreeForm`."""
        return _binary_pipeline(self.mark, self.joiner, heads)

    def shape(self, tree: Tree, heads: str | None = None) -> Tree:
        """Return a tree in this form.

        If a tree has temporary labels and no node has more than two children, it is already binary:
        its heads and temporary nodes are kept.
        """
        if not self.is_binary(tree):
            return self.pipeline(heads).apply(tree)
        if self.joiner and has_unary_chain(tree):
            return Unaries(joiner=self.joiner, root=True).apply(tree)
        return tree

    def is_binary(self, tree: Tree) -> bool:
        """Return whether a tree has temporary labels, and no node has more than two children."""
        is_temporary = names(self.mark, 0, 1).is_temporary
        return all(len(node.children) <= 2 for node in tree.nodes) and any(
            is_temporary(node.label) for node in tree.nodes[1:]
        )

    def label_set(self, trees: Iterable[Tree]) -> LabelSet:
        """Collect the labels of trees that have this form."""
        return LabelSet.of(trees, mark=self.mark, joiner=self.joiner)


@dataclass(frozen=True)
class NaryForm:
    """Trees whose nodes have any number of children. Every unary chain is joined into one node.

    So no two nodes have the same span, and the child of a unary node is always a token.
    """

    joiner: str = "+"
    has_heads: bool = False  # if so, the first child of a node without a head mark is its head

    def pipeline(self, heads: str | None = None) -> Pipeline:
        """Return the transforms that give trees this form. Without heads, `heads` is ignored."""
        return _nary_pipeline(self.joiner, self.has_heads, heads if self.has_heads else None)

    def shape(self, tree: Tree, heads: str | None = None) -> Tree:
        """Return a tree in this form."""
        return self.pipeline(heads).apply(tree)

    def label_set(self, trees: Iterable[Tree]) -> LabelSet:
        """Collect the labels of trees that have this form."""
        return LabelSet.of(trees, joiner=self.joiner)


def has_unary_chain(tree: Tree) -> bool:
    """Return whether the tree has a node whose only child is a node."""
    return any(
        len(node.children) == 1 and isinstance(node.children[0], Node) for node in tree.nodes
    )


@cache
def _nary_pipeline(joiner: str, has_heads: bool, heads: str | None) -> Pipeline:
    steps: list[Transform] = [] if heads is None else [Heads(heads)]
    steps += [CompleteHeads()] if has_heads else []
    return Pipeline((*steps, Unaries(joiner=joiner, root=True)))


@cache
def _binary_pipeline(mark: str, joiner: str, heads: str | None) -> Pipeline:
    steps: list[Transform] = [] if heads is None else [Heads(heads)]
    steps += [CompleteHeads(), Binarize(mark=mark)]
    if joiner:
        steps.append(Unaries(joiner=joiner, root=True))
    return Pipeline(tuple(steps))

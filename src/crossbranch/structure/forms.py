"""The form that trees have inside a parser, and the transforms that give them this form.

A form knows its pipeline (treebank tree -> tree of this form, and back) and collects labels. The
trees of `BinaryForm` are binary and have heads. The nodes of `NaryForm` have any number of
children, and heads do not matter.
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
    """Mark the first child as the head wherever no head is marked: binarization needs one."""

    name: ClassVar[str] = "complete-heads"
    _memory: ClassVar[str] = "heads.completed"

    def apply(self, tree: Tree) -> Tree:
        """Mark the heads that are missing."""

        def changes(node: Node) -> Changes:
            if node.head is not None or len(node.children) < 2:
                return {}
            return {"head": 0, "features": remember(node.features, self._memory, True)}

        return map_nodes(tree, changes)

    def undo(self, tree: Tree) -> Tree:
        """Take the marks away again."""

        def changes(node: Node) -> Changes:
            completed, features = recall(node.features, self._memory)
            return {"head": None, "features": features} if completed else {}

        return map_nodes(tree, changes)


class TreeForm(Protocol):
    """A form of trees."""

    @property
    def has_heads(self) -> bool:
        """Whether parsers of such trees look at heads."""

    @property
    def joiner(self) -> str:
        """What joins the labels of a unary chain into one label; empty: chains stay as they are."""

    def pipeline(self, heads: str | None = None) -> Pipeline:
        """Return the transforms that give trees this form.

        Args:
            heads: A table of head rules. Without it, heads are as the trees mark them.
        """

    def shape(self, tree: Tree, heads: str | None = None) -> Tree:
        """Return a tree in this form; a binary tree stays as it is where binary ones are needed."""

    def label_set(self, trees: Iterable[Tree]) -> LabelSet:
        """Collect the labels of trees that have this form."""


@dataclass(frozen=True)
class BinaryForm:
    """Binary trees with heads; a node without a head gets its first child as its head.

    With a joiner, unary nodes stand only above single tokens; other unary chains become one node.
    """

    mark: str  # of temporary labels, see `Binarize`
    joiner: str = ""
    has_heads: ClassVar[bool] = True

    def pipeline(self, heads: str | None = None) -> Pipeline:
        """Return the transforms that give trees this form; see `TreeForm`."""
        return _binary_pipeline(self.mark, self.joiner, heads)

    def shape(self, tree: Tree, heads: str | None = None) -> Tree:
        """Return a tree in this form.

        A tree with temporary labels and no node with more than two children is binary already: its
        heads and temporary nodes stay as they are.
        """
        is_temporary = names(self.mark, 0, 1).is_temporary
        if any(len(node.children) > 2 for node in tree.nodes) or not any(
            is_temporary(node.label) for node in tree.nodes[1:]
        ):
            return self.pipeline(heads).apply(tree)
        if self.joiner and has_unary_chain(tree):
            return Unaries(joiner=self.joiner, root=True).apply(tree)
        return tree

    def label_set(self, trees: Iterable[Tree]) -> LabelSet:
        """Collect the labels of trees that have this form."""
        return LabelSet.of(trees, mark=self.mark, joiner=self.joiner)


@dataclass(frozen=True)
class NaryForm:
    """Trees whose nodes have any number of children; every unary chain is one node.

    So no two nodes have the same span, and a node with one child stands above a single token.
    """

    joiner: str = "+"
    has_heads: ClassVar[bool] = False

    def pipeline(self, heads: str | None = None) -> Pipeline:
        """Return the transforms that give trees this form; heads are not needed."""
        return Pipeline((Unaries(joiner=self.joiner, root=True),))

    def shape(self, tree: Tree, heads: str | None = None) -> Tree:
        """Return a tree in this form."""
        return self.pipeline().apply(tree)

    def label_set(self, trees: Iterable[Tree]) -> LabelSet:
        """Collect the labels of trees that have this form."""
        return LabelSet.of(trees, joiner=self.joiner)


def has_unary_chain(tree: Tree) -> bool:
    """Return whether a node has one child, which is a node."""
    return any(
        len(node.children) == 1 and isinstance(node.children[0], Node) for node in tree.nodes
    )


@cache
def _binary_pipeline(mark: str, joiner: str, heads: str | None) -> Pipeline:
    steps: list[Transform] = [] if heads is None else [Heads(heads)]
    steps += [CompleteHeads(), Binarize(mark=mark)]
    if joiner:
        steps.append(Unaries(joiner=joiner, root=True))
    return Pipeline(tuple(steps))

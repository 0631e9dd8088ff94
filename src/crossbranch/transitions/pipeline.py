"""What makes the trees of a treebank ready for a transition system."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from crossbranch.transforms import Pipeline, Transform
from crossbranch.transforms.binarize import Binarize
from crossbranch.transforms.heads import Heads
from crossbranch.transforms.mapping import Changes, map_nodes
from crossbranch.transforms.markov import names
from crossbranch.transforms.memory import recall, remember
from crossbranch.transforms.unaries import Unaries
from crossbranch.transitions.systems import system_kind
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


@cache
def binary_pipeline(system: str, heads: str | None = None) -> Pipeline:
    """Return the transforms that make trees ready for a transition system.

    Args:
        system: One of SYSTEMS. The trees of gap and cgap have unary nodes only above single tokens;
            other unary chains become one node. In swap and cswap, every unary node is a reduction.
        heads: A table of head rules; without it, heads are as the trees mark them. Either way, a
            node without a head gets its first child.
    """
    kind = system_kind(system)
    steps: list[Transform] = [] if heads is None else [Heads(heads)]
    steps += [CompleteHeads(), Binarize(mark=kind.mark)]
    if kind.joiner:
        steps.append(Unaries(joiner=kind.joiner, root=True))
    return Pipeline(tuple(steps))


def to_binary(tree: Tree, system: str, heads: str | None = None) -> Tree:
    """Return a tree ready for a transition system, as `binary_pipeline` makes it.

    A tree with temporary labels and no node with more than two children is binary already: its
    heads and temporary nodes stay as they are.
    """
    kind = system_kind(system)
    is_temporary = names(kind.mark, 0, 1).is_temporary
    if any(len(node.children) > 2 for node in tree.nodes) or not any(
        is_temporary(node.label) for node in tree.nodes[1:]
    ):
        return binary_pipeline(system, heads).apply(tree)
    if kind.joiner and any(_is_above_a_node(node) for node in tree.nodes):
        return Unaries(joiner=kind.joiner, root=True).apply(tree)
    return tree


def _is_above_a_node(node: Node) -> bool:
    return len(node.children) == 1 and isinstance(node.children[0], Node)

"""Mark heads with a table of rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from crossbranch.errors import TransformError
from crossbranch.punctuation import is_punctuation
from crossbranch.transforms.head_rules import load_table
from crossbranch.transforms.head_table import HeadItem, HeadTable
from crossbranch.transforms.mapping import Changes, map_nodes
from crossbranch.transforms.memory import recall, remember
from crossbranch.transforms.transform import Transform
from crossbranch.tree import Node, Tree


@dataclass(frozen=True)
class Heads(Transform):
    """Mark the head of every node with several children; existing marks are replaced.

    The tables negra and negra-2017 (also for TIGER), ptb, alpino, french and icepahc ship with
    crossbranch; docs/head-rules.md says how to write one. Files of rparse and disco-dop can be
    used, too. If no rule finds a head, the node gets no mark.
    """

    name: ClassVar[str] = "heads"
    _memory: ClassVar[str] = "heads.before"
    table: str  # the name of a table, or the path of a file

    def __post_init__(self) -> None:
        """Load the table now, so that errors in it are reported at once."""
        _ = self._table

    @cached_property
    def _table(self) -> HeadTable:
        return load_table(self.table)

    def apply(self, tree: Tree) -> Tree:
        """Mark the heads."""
        find = head_finder(tree, self._table)

        def changes(node: Node) -> Changes:
            if len(node.children) < 2:
                return {}
            head = find(node)
            return {"head": head, "features": remember(node.features, self._memory, node.head)}

        return map_nodes(tree, changes)

    def undo(self, tree: Tree) -> Tree:
        """Restore the marks from before."""
        return map_nodes(tree, self._restored)

    def _restored(self, node: Node) -> Changes:
        if len(node.children) < 2:
            return {}
        head, features = recall(node.features, self._memory)
        if head is not None and not (isinstance(head, int) and 0 <= head < len(node.children)):
            raise TransformError(f"heads cannot be undone: {self._memory} is {head!r}")
        return {"head": head, "features": features}


def head_finder(tree: Tree, table: HeadTable) -> Callable[[Node], int | None]:
    """Return a function that finds the head of a node of the tree: its position, or None."""
    tokens = [HeadItem(t.tag, t.edge_label, is_punctuation(t)) for t in tree.sentence]

    def find(node: Node) -> int | None:
        children = [
            tokens[child] if isinstance(child, int) else HeadItem(child.label, child.edge_label)
            for child in node.children
        ]
        return table.find(HeadItem(node.label, node.edge_label), children)

    return find

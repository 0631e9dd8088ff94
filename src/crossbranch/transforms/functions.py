"""Grammatical functions: strip them, move them into the labels, or take them out of the labels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from crossbranch.errors import UsageError
from crossbranch.transforms.joining import check_joiner, join, split
from crossbranch.transforms.mapping import Changes, map_nodes, map_tokens
from crossbranch.transforms.memory import recall, recalling, remember
from crossbranch.transforms.transform import Transform
from crossbranch.tree import Node, Token, Tree

_PENN_LABEL = re.compile(r"([^-=]+)((?:-[^-=]+|=\d+)+)")
_PENN_PART = re.compile(r"[-=]([^-=]+)")


@dataclass(frozen=True)
class Functions(Transform):
    """Remove edge labels of nodes and tokens: all of them, or only some, or all except some."""

    name: ClassVar[str] = "functions"
    has_inverse: ClassVar[bool] = False
    action: str = "strip"  # strip, keep
    which: str = ""  # names, separated by commas; empty: all (only for strip)

    def __post_init__(self) -> None:
        """Check the options."""
        if self.action not in ("strip", "keep"):
            raise UsageError(f"functions: action is {self.action!r}, expected strip or keep")
        if self.action == "keep" and not self.which:
            raise UsageError('functions: keep needs a list of functions, for example keep, "SB,OA"')

    def apply(self, tree: Tree) -> Tree:
        """Strip the functions."""
        names = {name.strip() for name in self.which.split(",")} if self.which else None

        def changes(vertex: Node | Token) -> Changes:
            listed = names is None or vertex.edge_label in names
            gone = vertex.edge_label and listed == (self.action == "strip")
            return {"edge_label": ""} if gone else {}

        return map_tokens(map_nodes(tree, changes), changes)


@dataclass(frozen=True)
class AddFunctions(Transform):
    """Put the edge labels of nodes into their labels: NP with function SB becomes NP-SB.

    A separator inside a label or a function is escaped, so that `undo` can split them again.
    """

    name: ClassVar[str] = "add-functions"
    separator: str = "-"
    tokens: bool = False  # also change tokens: the function goes into the tag

    def __post_init__(self) -> None:
        """Check the options."""
        check_joiner(self.name, "separator", self.separator)

    def apply(self, tree: Tree) -> Tree:
        """Put functions into labels."""
        tree = map_nodes(tree, lambda node: self._joined("label", node.label, node.edge_label))
        if not self.tokens:
            return tree
        return map_tokens(tree, lambda token: self._joined("tag", token.tag, token.edge_label))

    def undo(self, tree: Tree) -> Tree:
        """Take the functions out of the labels."""
        tree = map_nodes(tree, lambda node: self._parted("label", node.label, node.edge_label))
        if not self.tokens:
            return tree
        return map_tokens(tree, lambda token: self._parted("tag", token.tag, token.edge_label))

    def _joined(self, field: str, label: str, function: str) -> Changes:
        parts = [label, function] if function else [label]
        return {field: join(parts, self.separator), "edge_label": ""}

    def _parted(self, field: str, label: str, function: str) -> Changes:
        label, *functions = split(label, self.separator)
        return {field: label, "edge_label": self.separator.join(functions) or function}


@dataclass(frozen=True)
class SplitFunctions(Transform):
    """Take functions out of Penn-style labels: NP-SBJ-1 becomes NP with the function SBJ.

    Indices are removed, too. Labels that begin with a hyphen, such as -LRB-, have no functions.
    """

    name: ClassVar[str] = "split-functions"
    _memory: ClassVar[str] = "split-functions.before"

    def apply(self, tree: Tree) -> Tree:
        """Take functions out of labels."""
        return map_nodes(tree, self._parted)

    def undo(self, tree: Tree) -> Tree:
        """Put the functions back into the labels."""
        with recalling(self.name):
            return map_nodes(tree, self._joined)

    def _parted(self, node: Node) -> Changes:
        label, function = _split_penn(node.label)
        function = function or node.edge_label
        before = (node.label, node.edge_label)
        forgotten = None if _join_penn(label, function) == before else before
        features = remember(node.features, self._memory, forgotten)
        return {"label": label, "edge_label": function, "features": features}

    def _joined(self, node: Node) -> Changes:
        before, features = recall(node.features, self._memory)
        label, function = before or _join_penn(node.label, node.edge_label)
        return {"label": label, "edge_label": function, "features": features}


@lru_cache(maxsize=100_000)
def _split_penn(label: str) -> tuple[str, str]:
    match = _PENN_LABEL.fullmatch(label)
    if match is None:
        return label, ""
    parts = _PENN_PART.findall(match[2])
    return match[1], "-".join(part for part in parts if not part.isdigit())


def _join_penn(label: str, function: str) -> tuple[str, str]:
    return (f"{label}-{function}" if function else label), ""

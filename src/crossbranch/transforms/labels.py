"""Rename the labels of nodes, the tags and the edge labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from crossbranch.errors import InputError, UsageError
from crossbranch.transforms.mapping import Changes, map_nodes, map_tokens
from crossbranch.transforms.transform import Transform
from crossbranch.transforms.user_files import columns, read_text
from crossbranch.tree import ROOT, Node, Token, Tree

# What each choice changes, in nodes and in tokens.
_FIELDS = {
    "labels": (["label"], []),
    "tags": ([], ["tag"]),
    "edge_labels": (["edge_label"], ["edge_label"]),
    "all": (["label", "edge_label"], ["tag", "edge_label"]),
}


@dataclass(frozen=True)
class Labels(Transform):
    """Rename labels with a map: `"NP=N,VP=V"`, or a file with two columns.

    With `cut`, each label is first cut before one of these characters: with `-=`, NP-SBJ-1 is NP.
    The first character of a label is always kept. `case` makes all labels upper or lower case.
    """

    name: ClassVar[str] = "labels"
    has_inverse: ClassVar[bool] = False
    map: str = ""  # OLD=NEW, separated by commas, or a file
    what: str = "labels"  # labels, tags, edge_labels, all
    cut: str = ""  # characters that end a label
    case: str = ""  # upper, lower; empty: no change

    def __post_init__(self) -> None:
        """Check the options and read the map."""
        if self.what not in _FIELDS:
            expected = ", ".join(_FIELDS)
            raise UsageError(f"labels: what is {self.what!r}, expected one of {expected}")
        if self.case not in ("", "upper", "lower"):
            raise UsageError(f"labels: case is {self.case!r}, expected upper or lower")
        if not self.map and not self.cut and not self.case:
            raise UsageError('labels needs a map, for example labels("NP=N,VP=V"), or cut, or case')
        _ = self._names

    @cached_property
    def _names(self) -> dict[str, str]:
        if not self.map:
            return {}
        if "=" not in self.map:
            return dict(_file_pairs(self.map))
        pairs = [pair.strip().rpartition("=") for pair in self.map.split(",")]
        if not all(old for old, _, _ in pairs):
            raise UsageError(f"labels: the map is {self.map!r}, expected OLD=NEW,OLD=NEW")
        return {old: new for old, _, new in pairs}

    def apply(self, tree: Tree) -> Tree:
        """Rename the labels."""
        of_nodes, of_tokens = _FIELDS[self.what]

        def node_changes(node: Node) -> Changes:
            return {field: self._rename(getattr(node, field)) for field in of_nodes}

        def token_changes(token: Token) -> Changes:
            return {field: self._rename(getattr(token, field)) for field in of_tokens}

        return map_tokens(map_nodes(tree, node_changes), token_changes)

    def _rename(self, label: str) -> str:
        if self.cut and label:
            label = label[0] + re.split(f"[{re.escape(self.cut)}]", label[1:], maxsplit=1)[0]
        label = self._names.get(label, label)
        if self.case and label != ROOT:  # the virtual root is nobody's label
            label = label.upper() if self.case == "upper" else label.lower()
        return label


def _file_pairs(path: str) -> Iterator[tuple[str, str]]:
    seen: dict[str, int] = {}
    for line, row in columns(read_text(path)):
        if len(row) != 2:
            found = f"{len(row)} columns"
            raise InputError(found, "two: the old and the new label", path=path, line=line)
        old, new = (f"#{cell[2:]}" if cell.startswith(r"\#") else cell for cell in row)
        if old in seen:
            found = f"{old} again, as on line {seen[old]}"
            raise InputError(found, "each label once", path=path, line=line)
        seen[old] = line
        yield old, new

"""How the nodes of a binarized tree are named, and how names become labels again.

A temporary node of S is `S:` or `@S`. Horizontal Markovization adds the children joined last,
`S:<NP,VVFIN>`; vertical Markovization adds ancestors to every label, `NP^S`. A treebank's own
labels that could be taken for such names are escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from crossbranch.escape import label_escaper, unescape
from crossbranch.tree import Node

ABOVE = "^"
"""Stands before each ancestor in a label."""

_UNSAFE = {":": ":", "@": r"\A@"}
MARKS = tuple(_UNSAFE)
"""What makes a label temporary: `:` after it (Coavoux & Crabbé 2017) or `@` before (Maier 2015)."""


class Names:
    """The names of nodes for one mark and one order of Markovization."""

    def __init__(self, mark: str, horizontal: int, vertical: int) -> None:
        """Give names with this mark; see `Binarize` for the orders."""
        self.mark, self.horizontal, self.vertical = mark, horizontal, vertical
        pattern = _UNSAFE[mark] + (rf"|\{ABOVE}" if vertical > 1 else "")
        self.escape: Callable[[str], str] = label_escaper(pattern)
        self.is_temporary: Callable[[str], bool] = _has_colon if mark == ":" else _has_at

    def of_nodes(self, root: Node) -> dict[int, str]:
        """Name every node (by its `id`) below and including the root, with its ancestors."""
        names: dict[int, str] = {}
        stack: list[tuple[Node, tuple[str, ...]]] = [(root, ())]
        while stack:
            node, ancestors = stack.pop()
            label = self.escape(node.label)
            names[id(node)] = ABOVE.join((label, *ancestors))
            ancestors = (label, *ancestors)[: self.vertical - 1]
            stack.extend((c, ancestors) for c in node.children if not isinstance(c, int))
        return names

    def temporary(self, name: str, joined: Sequence[str]) -> str:
        """Name a temporary node of the node `name`; `joined` are its children, the last first."""
        history = f"<{','.join(joined)}>" if joined else ""
        return f"{name}:{history}" if self.mark == ":" else f"@{name}{history}"

    def restore(self, name: str) -> str:
        """Return the treebank's label for a name; a temporary name gives that of the whole node."""
        if self.is_temporary(name):
            name = name.partition(":")[0] if self.mark == ":" else name[1:]
            if self.mark == "@" and self.horizontal and name.endswith(">"):
                name = name.partition("<")[0]
        if self.vertical > 1:
            name = name.partition(ABOVE)[0]
        return unescape(name)


@cache
def names(mark: str, horizontal: int, vertical: int) -> Names:
    """Return the names for these options; they remember the labels they have seen."""
    return Names(mark, horizontal, vertical)


def _has_colon(label: str) -> bool:
    return label.endswith(":") or (label.endswith(">") and ":<" in label)


def _has_at(label: str) -> bool:
    return label.startswith("@")

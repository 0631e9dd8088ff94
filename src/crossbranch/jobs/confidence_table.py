"""Confidence as a table, and the formats that can hold it in the trees."""

from __future__ import annotations

from crossbranch.constituent import CONFIDENCE
from crossbranch.errors import OptionError
from crossbranch.escape import label_escaper
from crossbranch.tree import Tree, feature
from crossbranch.treebank import FORMATS

HEADING = "sentence\tkind\tlabel\tblocks\tconfidence\n"
"""The first line of a table."""

_escape = label_escaper(r"[\t\r\n]")


def check_format(name: str) -> None:
    """Raise an error if a format cannot hold confidence."""
    if not _holds(name):
        raise OptionError(
            "{name} cannot hold confidence; use {0} {others}, or write a table with {1} FILE",
            *("output_format", "confidence_table"),
            name=name,
            others=", ".join(filter(_holds, FORMATS)),
        )


def _holds(name: str) -> bool:
    held = FORMATS[name].holds
    return all(
        names is None or CONFIDENCE in names for names in (held.node_features, held.tree_features)
    )


def rows(tree: Tree) -> str:
    """Return the lines of the table for a tree and its constituents."""
    start = _escape(tree.id)
    found = []
    if stated := feature(tree.features, CONFIDENCE):
        found.append(f"{start}\ttree\t\t0-{len(tree.sentence)}\t{stated}\n")
    for node in tree.nodes:
        if stated := feature(node.features, CONFIDENCE):
            blocks = ",".join(f"{first}-{stop}" for first, stop in node.blocks)
            found.append(f"{start}\tconstituent\t{_escape(node.label)}\t{blocks}\t{stated}\n")
    return "".join(found)

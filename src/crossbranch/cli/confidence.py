"""How the command line hands confidence on: in the trees, or in a table beside them."""

from __future__ import annotations

from crossbranch.errors import UsageError
from crossbranch.escape import label_escaper
from crossbranch.tree import Tree, feature

HEADING = "sentence\tkind\tlabel\tblocks\tconfidence\n"
"""The first line of a table."""

_escape = label_escaper(r"[\t\r\n]")


def check_format(name: str) -> None:
    """Refuse to write confidence in a format that cannot hold it."""
    from crossbranch.constituent import CONFIDENCE
    from crossbranch.treebank import FORMATS

    def holds(name: str) -> bool:
        held = FORMATS[name].holds
        return all(
            names is None or CONFIDENCE in names
            for names in (held.node_features, held.tree_features)
        )

    if not holds(name):
        raise UsageError(
            f"{name} cannot hold confidence; write --to {', '.join(filter(holds, FORMATS))},"
            " or write it to a table with --confidence-table FILE"
        )


def rows(tree: Tree) -> str:
    """Return the lines of a tree and its constituents in a table."""
    from crossbranch.constituent import CONFIDENCE

    start = _escape(tree.id)
    found = []
    if stated := feature(tree.features, CONFIDENCE):
        found.append(f"{start}\ttree\t\t0-{len(tree.sentence)}\t{stated}\n")
    for node in tree.nodes:
        if stated := feature(node.features, CONFIDENCE):
            blocks = ",".join(f"{first}-{stop}" for first, stop in node.blocks)
            found.append(f"{start}\tconstituent\t{_escape(node.label)}\t{blocks}\t{stated}\n")
    return "".join(found)

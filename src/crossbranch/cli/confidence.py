"""How the command line hands confidence on: in the trees, or in a table beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from crossbranch.errors import UsageError
from crossbranch.escape import label_escaper
from crossbranch.tree import Tree, feature

if TYPE_CHECKING:
    from crossbranch.parsers.calibration import Calibration

COLUMNS = ("sentence", "kind", "label", "blocks", "confidence")

_escape = label_escaper(r"[\t\r\n]")


def check_format(name: str) -> None:
    """Refuse to write confidence in a format that cannot hold it."""
    from crossbranch.parsers.confidence import CONFIDENCE
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


def told(calibration: Calibration, beam: int) -> str:
    """Say in a line how far confidence can be relied on."""
    chosen = calibration.at(beam)
    trees, constituents = chosen.tree_reliability, chosen.constituent_reliability
    return (
        f"calibration error {trees.calibration_error:.3f} for trees,"
        f" {constituents.calibration_error:.3f} for constituents"
        f" ({calibration.sentences:,} dev sentences, beam {chosen.beam})"
    )


@contextmanager
def table(target: str) -> Iterator[Callable[[Tree], None]]:
    """Open a table; what is given takes trees and writes their rows."""
    from crossbranch.treebank.files import open_target

    with open_target(target, "utf-8", "crossbranch.escape") as stream:
        stream.write("\t".join(COLUMNS) + "\n")

        def add(tree: Tree) -> None:
            _write_rows(tree, stream)

        yield add


def in_table(trees: Iterable[Tree], add: Callable[[Tree], None], *, keep: bool) -> Iterator[Tree]:
    """Pass trees on, with their confidence or without it, when they are in the table."""
    from crossbranch.parsers.confidence import without_confidence

    for tree in trees:
        add(tree)
        yield tree if keep else without_confidence(tree)


def _write_rows(tree: Tree, stream: IO[str]) -> None:
    from crossbranch.parsers.confidence import CONFIDENCE

    start = _escape(tree.id)
    if stated := feature(tree.features, CONFIDENCE):
        stream.write(f"{start}\ttree\t\t0-{len(tree.sentence)}\t{stated}\n")
    for node in tree.nodes:
        if stated := feature(node.features, CONFIDENCE):
            blocks = ",".join(f"{first}-{stop}" for first, stop in node.blocks)
            stream.write(f"{start}\tconstituent\t{_escape(node.label)}\t{blocks}\t{stated}\n")

"""Writing treebanks one tree at a time, and counting what the format cannot hold."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable

from crossbranch.errors import (
    CONTINUOUS_NODES,
    CONTINUOUS_TREES,
    CrossbranchError,
    LossError,
    LossWarning,
    TransformError,
)
from crossbranch.tree import Tree
from crossbranch.treebank.files import Writable, open_target
from crossbranch.treebank.format import ANY, Format, count_losses
from crossbranch.treebank.header import Header
from crossbranch.treebank.source import OnError, check_on_error

MakeContinuous = Callable[[Tree], Tree]
"""Removes crossing branches from a tree, for formats that cannot hold them."""


Observe = Callable[[Tree, Counter[str]], None]
"""Takes a tree as it was written, and what was lost."""


class TreeWriter:
    """Writes trees as text in one format. `losses` counts what the format cannot hold."""

    def __init__(
        self,
        format: Format,
        *,
        strict: bool = False,
        make_continuous: MakeContinuous | None = None,
        uncounted: Collection[str] = (),
        unasked_features: Collection[str] = (),
    ) -> None:
        """Prepare to write.

        Args:
            format: The format of the text.
            strict: Raise a LossError if the format cannot hold everything.
            make_continuous: Removes crossing branches if the format cannot hold them. Without it,
                a tree with crossing branches raises a TransformError.
            uncounted: Parts that are not counted if they are lost, such as "offsets".
            unasked_features: Names of tree features that are not counted if they are lost.
        """
        self.format = format
        self.losses: Counter[str] = Counter()
        self.latest: tuple[Tree, Counter[str]] | None = None  # as written, and what it lost
        self._strict = strict
        self._make_continuous = make_continuous
        self._uncounted = uncounted
        held = format.holds.tree_features
        self._dropped = frozenset() if held is ANY else frozenset(unasked_features) - held

    @property
    def unencodable(self) -> str:
        """The codec error handler that writes characters outside the encoding."""
        return self.format.unencodable

    def start(self, header: Header, encoding: str = "utf-8") -> str:
        """Return the text before the first tree."""
        if header and not self.format.holds.header:
            self._lose(Counter({"headers": 1}), "the header")
        return self.format.write_declaration(encoding) + self.format.write_start(header)

    def tree(self, tree: Tree, number: int) -> str:
        """Return the text of a tree. `number` is its number in the file, counted from 1.

        Raises:
            LossError: The format cannot hold everything, and `strict` is set.
            TransformError: The format cannot hold crossing branches, and the tree has some.
        """
        where = f"sentence {tree.id or number}"
        crossing = 0
        if not self.format.holds.crossing_branches and tree.is_discontinuous:
            crossing = sum(node.is_discontinuous for node in tree.nodes)
            if not self._strict:
                tree = self._without_crossing_branches(tree, where)
        if self._dropped and tree.features:
            kept = [pair for pair in tree.features if pair[0] not in self._dropped]
            tree = tree.replace(features=kept)
        lost = count_losses(tree, self.format)
        if crossing:
            lost.update({CONTINUOUS_NODES: crossing, CONTINUOUS_TREES: 1})
        if tree.id == str(number):  # readers use this id if a file has none
            lost.pop("ids", None)
        for part in self._uncounted:
            lost.pop(part, None)
        if lost:
            self._lose(lost, where)
        self.latest = tree, lost
        return self.format.write_tree(tree, number)

    def end(self) -> str:
        """Return the text after the last tree."""
        return self.format.write_end()

    def warn(self) -> None:
        """Warn once about all losses. The warning points to the code of the user.

        There is no warning if only heads are lost: rules can find them again.
        """
        if self.losses.keys() - {"heads"}:
            warning = LossWarning(self.format.name, self.losses)
            warnings.warn(warning, stacklevel=_levels_inside_the_package())

    def _without_crossing_branches(self, tree: Tree, where: str) -> Tree:
        if self._make_continuous is not None:
            tree = self._make_continuous(tree)
        if tree.is_discontinuous:
            raise TransformError(
                f"{where}: {self.format.name} cannot hold crossing branches and never reorders"
                " words; make the tree continuous first, for example with the transform raise"
            )
        return tree

    def _lose(self, lost: Counter[str], where: str) -> None:
        if self._strict:
            counts = ", ".join(f"{count} {part}" for part, count in lost.items())
            raise LossError(f"{where}: {self.format.name} cannot hold {counts}")
        self.losses.update(lost)


def _levels_inside_the_package() -> int:
    """Return the number of calls between the caller and the first code outside crossbranch."""
    frame = sys._getframe(1)
    levels = 1
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("crossbranch."):
        frame = frame.f_back
        levels += 1
    return levels


def write_trees(
    trees: Iterable[Tree],
    target: Writable,
    writer: TreeWriter,
    *,
    header: Header,
    encoding: str = "utf-8",
    on_error: OnError = "stop",
    report: Callable[[CrossbranchError], None] | None = None,
    observe: Observe | None = None,
) -> Counter[str]:
    """Write trees one at a time. Return a count of what was lost, by part.

    If there is an error, a file that was there before stays as it was. If there was none, the trees
    before the error are kept, and the file is well-formed. `observe` is called with each tree as it
    was written, and what was counted as lost.
    """
    check_on_error(on_error)
    start = writer.start(header, encoding)
    with open_target(target, encoding, writer.unencodable) as stream:
        stream.write(start)
        try:
            for number, tree in enumerate(trees, 1):
                try:
                    text = writer.tree(tree, number)
                except TransformError as error:
                    if on_error == "stop":
                        raise
                    if report is not None:
                        report(error)
                else:
                    stream.write(text)
                    if observe is not None and writer.latest is not None:
                        observe(*writer.latest)
        finally:
            stream.write(writer.end())
    writer.warn()
    return writer.losses

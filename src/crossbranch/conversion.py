"""Treebanks in other forms: reading, transforming and writing in one go.

`treebank` knows formats and `transforms` knows how to change trees. Here both meet: formats without
crossing branches get continuous trees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from crossbranch.errors import CrossbranchError
from crossbranch.transforms.punctuation import Attach
from crossbranch.transforms.raising import Raise
from crossbranch.tree import ROOT, Tree
from crossbranch.treebank import Header
from crossbranch.treebank import write as write_as_they_are
from crossbranch.treebank.files import Writable
from crossbranch.treebank.source import OnError

_ATTACH, _RAISE = Attach(), Raise(heads="auto")


def make_continuous(tree: Tree) -> Tree:
    """Return the tree without crossing branches, as formats that cannot hold them get it.

    This is the usual context-free version of a treebank (Maier 2015, section 3.1), and the same as
    the pipeline `attach | raise(auto)`. First, what hangs below the virtual root, such as
    punctuation, is attached to the lowest node around it, so that it does not interrupt other
    constituents. Then every discontinuous constituent keeps the block of its head, and its other
    parts move to the node above. Heads that are not marked are found by head rules. Words and
    labels stay as they are.
    """
    if not tree.is_discontinuous:
        return tree
    if tree.root.label == ROOT:
        tree = _ATTACH.apply(tree)
    return _RAISE.apply(tree)


def write(
    trees: Iterable[Tree],
    target: Writable,
    *,
    format: str | None = None,
    header: Header | None = None,
    encoding: str = "utf-8",
    strict: bool = False,
    on_error: OnError = "stop",
    report: Callable[[CrossbranchError], None] | None = None,
) -> Counter[str]:
    """Write trees, one at a time, to a file, a stream, or standard output (`-`).

    Args:
        trees: The trees.
        target: Where to write; `.gz`, `.bz2`, `.xz` and `.zip` compress.
        format: The format (default: by the name of the file).
        header: What the treebank says about itself (default: that of the reader in `trees`).
        encoding: Of the file.
        strict: Raise a LossError instead of losing what the format cannot hold.
        on_error: At a tree that cannot be written: "stop", or "skip" it and go on.
        report: Is told about the trees that are skipped.

    Returns:
        What the format could not hold, by part. There is a LossWarning about it as well. Most of it
        was dropped. Trees with crossing branches were made continuous (see `make_continuous`) if
        the format needs it; apply another transform first if you want another way.
    """
    return write_as_they_are(
        trees,
        target,
        format=format,
        header=header,
        encoding=encoding,
        strict=strict,
        on_error=on_error,
        report=report,
        make_continuous=make_continuous,
    )

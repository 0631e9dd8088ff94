"""Treebanks in other forms: reading, transforming and writing in one go.

`treebank` knows formats and `transforms` knows how to change trees. Here both meet: formats without
crossing branches get continuous trees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from crossbranch.errors import CrossbranchError, UsageError
from crossbranch.transforms import Pipeline, pipeline, transform_each
from crossbranch.transforms.punctuation import Attach
from crossbranch.transforms.raising import Raise
from crossbranch.tree import ROOT, Tree
from crossbranch.treebank import Header, read
from crossbranch.treebank import write as write_as_they_are
from crossbranch.treebank.files import Readable, Writable
from crossbranch.treebank.reading import same_file
from crossbranch.treebank.selection import select
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
    if isinstance(trees, Tree):
        raise UsageError("one tree was given, expected several; put it into a list: [tree]")
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


def convert(
    source: Readable,
    target: Writable,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    encoding: str | None = None,
    output_encoding: str = "utf-8",
    numbers: Sequence[range] = (),
    limit: int | None = None,
    undo: Pipeline | str = "",
    apply: Pipeline | str = "",
    strict: bool = False,
    on_error: OnError = "stop",
    report: Callable[[CrossbranchError], None] | None = None,
    progress: Callable[[Iterable[Tree]], Iterable[Tree]] | None = None,
) -> Counter[str]:
    """Convert a treebank from one format to another, one sentence at a time.

    Args:
        source: What to read: a file, folder, archive, stream, or standard input (`-`).
        target: Where to write: a file, a stream, or standard output (`-`).
        source_format: The format to read (default: guessed).
        target_format: The format to write (default: by the name of the file).
        encoding: Of the source (default: detected).
        output_encoding: Of the target.
        numbers: Convert only sentences with these numbers; the first sentence has number 1.
        limit: Convert at most so many sentences.
        undo: Transforms to undo, the last one first.
        apply: Transforms to apply after that.
        strict: Raise a LossError instead of losing what the format cannot hold.
        on_error: At a bad sentence: "stop", or "skip" it and go on.
        report: Is told about the sentences that are skipped.
        progress: Is given the trees to pass them on, and sees how many there are.

    Returns:
        What the format could not hold, by part (see `write`).
    """
    backwards = pipeline(undo) if isinstance(undo, str) else undo
    forwards = pipeline(apply) if isinstance(apply, str) else apply
    if backwards.without_inverse():
        raise UsageError(f"cannot be undone: {', '.join(backwards.without_inverse())}")
    if same_file(source, target):
        raise UsageError(f"cannot write {target}: it is the input, or a file of the input")
    reader = read(source, format=source_format, encoding=encoding, on_error=on_error, report=report)
    trees: Iterable[Tree] = select(reader, numbers=numbers, limit=limit)
    for steps, step in ((backwards, backwards.undo), (forwards, forwards.apply)):
        if steps.steps:
            trees = transform_each(trees, step, report=_skipping(on_error, report))
    return write(
        trees if progress is None else progress(trees),
        target,
        format=target_format,
        header=reader.header,
        encoding=output_encoding,
        strict=strict,
        on_error=on_error,
        report=report,
    )


def _skipping(
    on_error: OnError, report: Callable[[CrossbranchError], None] | None
) -> Callable[[CrossbranchError], None] | None:
    """Return who is told about trees that are left out; None if the first one is an error."""
    return (report or (lambda _: None)) if on_error == "skip" else None

"""Conversion: reading, transforming and writing treebanks in one call.

`treebank` knows formats, and `transforms` knows how to change trees. This module uses both: trees
are made continuous for formats that cannot hold crossing branches.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from crossbranch.doors import door
from crossbranch.errors import ArgumentError, CrossbranchError, UsageError
from crossbranch.transforms import Pipeline, pipeline, transform_each
from crossbranch.transforms.punctuation import Attach
from crossbranch.transforms.raising import Raise
from crossbranch.tree import ROOT, Tree
from crossbranch.treebank import FORMATS, Format, Header, Limits, Reader, read
from crossbranch.treebank import write as write_as_they_are
from crossbranch.treebank.files import Readable, Writable, open_target
from crossbranch.treebank.reading import find_format, guess_format_by_name, same_file
from crossbranch.treebank.selection import select
from crossbranch.treebank.source import OnError
from crossbranch.treebank.verification import Verifier
from crossbranch.treebank.writing import Observe

_NO_LIMITS = Limits.parse("none")  # for files that we have just written
_ATTACH, _RAISE = Attach(), Raise(heads="auto")


def make_continuous(tree: Tree) -> Tree:
    """Return the tree without crossing branches, for formats that cannot hold them.

    This is the usual context-free version of a treebank (Maier 2015, section 3.1). The pipeline
    `attach | raise(auto)` does the same. First, children of the virtual root, such as punctuation,
    are attached to the lowest node around them, so that they do not interrupt other constituents.
    Then every discontinuous constituent keeps the block of its head, and its other parts move to
    the node above. If heads are not marked, head rules find them. Words and labels do not change.
    """
    if not tree.is_discontinuous:
        return tree
    if tree.root.label == ROOT:
        tree = _ATTACH.apply(tree)
    return _RAISE.apply(tree)


@partial(door, besides=("trees",))
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
    verify: bool = False,
) -> Counter[str]:
    """Write trees, one at a time, to a file, a stream, or standard output (`-`).

    Args:
        trees: The trees.
        target: The file to write. Names that end in `.gz`, `.bz2`, `.xz` or `.zip` are compressed.
        format: The format (default: chosen by the file name).
        header: Information about the treebank (default: the header of the reader in `trees`).
        encoding: The encoding of the file.
        strict: Raise a LossError if the format cannot hold everything.
        on_error: What to do with a tree that cannot be written: "stop", or "skip" it and continue.
        report: Called with the error of each skipped tree.
        verify: Read everything back and compare it. A file is read after it was written. A stream
            or standard output gets the text after it was compared.

    Raises:
        VerificationError: A tree that was read back lacks more than what was counted as lost.

    Returns:
        A count of what the format could not hold, by part. If there is any, there is also a
        LossWarning. Most parts were dropped. Trees with crossing branches were made continuous (see
        `make_continuous`) if the format needs it. For another method, apply a transform first.
    """
    if isinstance(trees, Tree):
        raise ArgumentError("one tree was given, expected several; put it into a list: [tree]")
    if header is None:
        header = trees.header if isinstance(trees, Reader) else Header()
    if format is None:
        format = guess_format_by_name(FORMATS, str(getattr(target, "name", target))).name
    if isinstance(trees, Reader) and same_file(trees.target, target):
        raise UsageError(f"cannot write {target}: it is the input, or a file of the input")

    def write_to(place: Writable, observe: Observe | None = None) -> Counter[str]:
        return write_as_they_are(
            trees,
            place,
            format=format,
            header=header,
            encoding=encoding,
            strict=strict,
            on_error=on_error,
            report=report,
            make_continuous=make_continuous,
            observe=observe,
        )

    if not verify:
        return write_to(target)
    return _write_and_verify(write_to, target, find_format(FORMATS, format), encoding, header)


def _write_and_verify(
    write_to: Callable[[Writable, Observe], Counter[str]],
    target: Writable,
    format: Format,
    encoding: str,
    header: Header,
) -> Counter[str]:
    """Write to a target, and compare what is read from it."""
    with Verifier(format) as verifier, ExitStack() as stack:
        is_file = isinstance(target, str | Path) and str(target) != "-"
        place: Any = target if is_file else stack.enter_context(tempfile.TemporaryFile())
        lost = write_to(place, verifier.keep)
        if not is_file:
            place.seek(0)
        found = read(place, format=format.name, encoding=encoding, limits=_NO_LIMITS)
        name = str(target) if isinstance(target, str | Path) else getattr(target, "name", "")
        verifier.check(found, "<stdout>" if name == "-" else name or "<stream>", header)
        if not is_file:
            place.seek(0)
            with open_target(target, encoding, format.unencodable) as stream:
                text = io.TextIOWrapper(place, encoding=encoding, newline="")
                shutil.copyfileobj(text, stream)
                text.detach()
    return lost


@door
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
    verify: bool = False,
    on_error: OnError = "stop",
    report: Callable[[CrossbranchError], None] | None = None,
    progress: Callable[[Iterable[Tree]], Iterable[Tree]] | None = None,
) -> Counter[str]:
    """Convert a treebank from one format to another, one sentence at a time.

    Args:
        source: The input: a file, folder, archive, stream, or standard input (`-`).
        target: The output: a file, a stream, or standard output (`-`).
        source_format: The format to read (default: guessed).
        target_format: The format to write (default: chosen by the file name).
        encoding: The encoding of the input (default: detected).
        output_encoding: The encoding of the output.
        numbers: Convert only sentences with these numbers. The first sentence has number 1.
        limit: Convert at most this many sentences.
        undo: Transforms to undo, the last one first.
        apply: Transforms to apply after that.
        strict: Raise a LossError if the format cannot hold everything.
        verify: Read the output back and compare it with what was written (see `write`).
        on_error: What to do with a bad sentence: "stop", or "skip" it and continue.
        report: Called with the error of each skipped sentence.
        progress: Called once with all trees; yields them one by one, and can count them.

    Returns:
        A count of what the format could not hold, by part (see `write`).
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
        verify=verify,
        on_error=on_error,
        report=report,
    )


def _skipping(
    on_error: OnError, report: Callable[[CrossbranchError], None] | None
) -> Callable[[CrossbranchError], None] | None:
    """Return the callback for skipped trees; None if the first bad tree raises an error."""
    return (report or (lambda _: None)) if on_error == "skip" else None

"""Treebanks in requests and answers: as texts in any format, or as JSON objects."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable

from crossbranch.errors import CrossbranchError, InputError, TransformError, TreeError
from crossbranch.server.errors import ApiError
from crossbranch.server.schemas import Mistake
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS, Header, Reader, read
from crossbranch.treebank.records import TreeRecord, tree_of
from crossbranch.treebank.writing import TreeWriter

_NAME = "content"  # what messages call the text of a request


def check_format(name: str) -> None:
    """Raise an ApiError if there is no such format."""
    if name not in FORMATS:
        message = f"unknown format {name!r}; expected one of {', '.join(FORMATS)}"
        raise ApiError(422, "unknown_format", message)


def written(
    trees: Iterable[Tree],
    writer: TreeWriter,
    *,
    header: Header | None = None,
    report: Callable[[CrossbranchError], None] | None = None,
) -> str:
    """Return trees as text. `writer.losses` then has what the format could not hold.

    Args:
        trees: The trees.
        writer: Writes them in a format.
        header: The header of the treebank.
        report: Called with the error of each tree that cannot be written; it is left out. Without
            it, the first one raises an error.
    """
    parts = [writer.start(header or Header())]
    for number, tree in enumerate(trees, 1):
        try:
            parts.append(writer.tree(tree, number))
        except TransformError as error:
            if report is None:
                raise
            report(error)
    return "".join([*parts, writer.end()])


def trees_of(records: Iterable[TreeRecord], what: str = "trees") -> list[Tree]:
    """Return the trees of a request.

    Raises:
        ApiError: One of them is not a tree. The details have its place in the list.
    """
    found = []
    for number, record in enumerate(records):
        try:
            found.append(tree_of(record))
        except TreeError as error:
            message = f"{what}[{number}]: {error}"
            raise ApiError(422, "bad_tree", message, number=number) from None
    return found


def tree_in(record: TreeRecord, what: str) -> Tree:
    """Return the tree of a request."""
    try:
        return tree_of(record)
    except TreeError as error:
        raise ApiError(422, "bad_tree", f"{what}: {error}") from None


class Content:
    """The trees of a text in a treebank format. Bad sentences are left out and noted."""

    def __init__(self, content: str, format: str | None) -> None:
        """Read a text; without a format, it is guessed."""
        if format is not None:
            check_format(format)
        stream = io.StringIO(content, newline="")
        stream.name = _NAME
        self.errors: list[Mistake] = []
        self.reader: Reader = read(stream, format=format, on_error="skip", report=self.note)

    def note(self, error: CrossbranchError) -> None:
        """Note why a sentence was left out."""
        self.errors.append(mistake_of(error))

    def trees(self) -> list[Tree]:
        """Return all good trees."""
        try:
            return list(self.reader)
        except InputError as error:  # nothing could be read
            self.note(error)
            return []


def mistake_of(error: CrossbranchError) -> Mistake:
    """Return an error of a sentence for the client."""
    if isinstance(error, InputError):
        return Mistake(str(error), error.line, error.sentence)
    return Mistake(str(error))

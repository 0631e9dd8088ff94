"""Verifying what was written: read it back, and compare it tree by tree, in constant memory."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from types import TracebackType
from typing import Self

import msgspec

from crossbranch import json_texts
from crossbranch.errors import InputError, VerificationError
from crossbranch.tree import Tree
from crossbranch.treebank.comparison import compare
from crossbranch.treebank.format import Format
from crossbranch.treebank.header import Header
from crossbranch.treebank.reading import Reader
from crossbranch.treebank.records import TreeRecord, record_of, tree_of


class _Kept(msgspec.Struct):
    tree: TreeRecord
    lost: dict[str, int]


class Verifier:
    """Keeps the trees that are written in a temporary file, and compares them with a file."""

    def __init__(self, format: Format) -> None:
        """Prepare for trees that are written in this format."""
        self._format = format
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._file.close()

    def keep(self, tree: Tree, lost: Counter[str]) -> None:
        """Take a tree that was written, and what was counted as lost."""
        self._file.write(json_texts.encode(_Kept(record_of(tree), lost)) + b"\n")

    def _kept(self) -> Iterator[tuple[Tree, Counter[str]]]:
        self._file.seek(0)
        for line in self._file:
            kept = json_texts.decode(line, _Kept)
            yield tree_of(kept.tree), Counter(kept.lost)

    def check(self, reader: Reader, path: str, header: Header) -> None:
        """Compare all trees with those of a reader.

        Raises:
            VerificationError: One is different in more than what was counted as lost.
        """
        number = 0
        try:
            for number, (tree, lost) in enumerate(self._kept(), 1):
                self._check_tree(tree, lost, next(reader, None), path, number)
            if next(reader, None) is not None:
                raise VerificationError(path, str(number + 1), "a sentence that was not written")
            if self._format.holds.header and reader.header != header:
                raise VerificationError(path, "", "the header is not as it was written")
        except InputError as error:
            raise VerificationError(path, str(number), f"it cannot be read: {error}") from error

    def _check_tree(
        self, tree: Tree, lost: Counter[str], found: Tree | None, path: str, number: int
    ) -> None:
        name = tree.id or str(number)
        if found is None:
            raise VerificationError(path, name, "it is missing")
        comparison = compare(tree, found, format=self._format, number=number)
        if difference := comparison.unexplained(lost):
            raise VerificationError(path, name, difference)

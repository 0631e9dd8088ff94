"""The outputs of a job: trees as text, and files that grow part by part."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import time
import zlib
from collections.abc import Callable
from pathlib import Path

from crossbranch.confidence.doubt import DOUBT_FEATURES
from crossbranch.conversion import make_continuous
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers.sentences import SEARCH_SPACE
from crossbranch.tree import Tree
from crossbranch.treebank.format import Format
from crossbranch.treebank.header import Header
from crossbranch.treebank.writing import TreeWriter

_PART = 1 << 20  # characters after which a part is full
_PATIENCE = 10.0  # seconds after which a part ends; only for files that are not compressed
_CHECKED = 1 << 12  # bytes at the end of a part that are checked before a job is resumed
_UNASKED = ("offsets", "texts", "lemmas", "heads", "edge labels")
"""Come with every tree: their loss needs no warning."""


class DrawnTrees:
    """Writes trees as drawings made of text characters."""

    unencodable = "crossbranch.escape"

    @door
    def __init__(self, *, width: int, color: bool) -> None:
        """Draw trees of at most `width` columns, if possible."""
        from crossbranch.drawing import draw_text

        self._draw = draw_text
        self._width, self._color = width, color

    @door
    def start(self, header: Header) -> str:
        """Return nothing."""
        return ""

    @door
    def tree(self, tree: Tree, number: int) -> str:
        """Return the drawing and an empty line. Id and comments, if any, come first."""
        drawing = self._draw(tree, width=self._width, color=self._color)
        title = (" ".join((tree.id, *tree.comments)).strip(),) if tree.comments else ()
        return "".join(f"{line}\n" for line in (*title, drawing, ""))

    def end(self) -> str:
        """Return nothing."""
        return ""


TreeTexts = TreeWriter | DrawnTrees
"""Turns trees into text."""


@door
def formatted(format: Format) -> TreeWriter:
    """Return a writer of parsed trees in a format. Lost offsets or lemmas give no warning."""
    return TreeWriter(
        format,
        make_continuous=make_continuous,
        uncounted=_UNASKED,
        unasked_features=(*DOUBT_FEATURES, SEARCH_SPACE),
    )


class GrowingFile:
    """A file that grows part by part, compressed if its suffix says so.

    In a compressed file, the end of a part depends only on the content, not on time. So the same
    trees give the same bytes, whether the job was interrupted or not.
    """

    def __init__(self, path: Path, unencodable: str) -> None:
        """Open or create a file. Its content is not changed yet."""
        self.size = 0
        self._unencodable = unencodable
        self._compress = _compressor(path)
        self._texts: list[str] = []
        self._waiting = 0
        self._since = time.monotonic()
        try:
            self._file = path.open("r+b" if path.exists() else "w+b")
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise UsageError(f"cannot write {path}: {reason.lower()}") from error

    def begin(self, size: int) -> None:
        """Keep the first `size` bytes, and write after them."""
        self.size = size
        self._file.truncate(size)
        self._file.seek(size)

    @property
    def is_full(self) -> bool:
        """Whether the part should end now."""
        if self._waiting >= _PART:
            return True
        return self._compress is None and time.monotonic() - self._since > _PATIENCE

    def write(self, text: str) -> None:
        """Add a text to the current part."""
        self._texts.append(text)
        self._waiting += len(text)

    def flush(self) -> None:
        """End the part: write it safely to the disk, and count its bytes."""
        data = "".join(self._texts).encode("utf-8", self._unencodable)
        if data:
            if self._compress is not None:
                data = self._compress(data)
            self._file.seek(self.size)  # after an interruption, the part is written again
            self._file.write(data)
            self._file.flush()
            os.fsync(self._file.fileno())
        self._texts, self.size = [], self.size + len(data)
        self._waiting = 0
        self._since = time.monotonic()

    def close(self) -> None:
        """Close the file. Text after the last finished part is not written."""
        self._file.close()


def _compressor(path: Path) -> Callable[[bytes], bytes] | None:
    suffix = path.suffix.lower()
    if suffix == ".gz":  # no time inside: the same trees give the same bytes
        return lambda data: gzip.compress(data, mtime=0)
    if suffix == ".bz2":
        return bz2.compress
    return lzma.compress if suffix == ".xz" else None


def can_grow(path: Path) -> bool:
    """Return True if a file can be continued later: a regular file that is no zip archive."""
    is_plain = path.is_file() or not path.exists()
    return (
        is_plain and path.suffix.lower() != ".zip"
    )  # a zip archive ends with its table of contents


def checksum(path: Path, size: int) -> int:
    """Return a checksum of the last few bytes before byte `size` of a file."""
    with path.open("rb") as file:
        file.seek(max(0, size - _CHECKED))
        return zlib.crc32(file.read(min(size, _CHECKED)))


def check_part(path: Path, size: int, expected: int) -> None:
    """Raise an error if a file has changed since it was written."""
    found = path.stat().st_size if path.exists() else 0
    if found < size:
        raise InputError(f"{found:,} bytes", f"at least {size:,} bytes", path=str(path))
    if size and checksum(path, size) != expected:
        raise InputError("changed content", "the content that was written", path=str(path))

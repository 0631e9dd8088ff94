"""What a job writes: trees as text, and files that grow by whole parts."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import time
import zlib
from collections.abc import Callable
from pathlib import Path

from crossbranch.conversion import make_continuous
from crossbranch.errors import InputError, UsageError
from crossbranch.tree import Tree
from crossbranch.treebank.format import Format
from crossbranch.treebank.header import Header
from crossbranch.treebank.writing import TreeWriter

_PART = 1 << 20  # characters after which a part is full
_PATIENCE = 10.0  # seconds after which it is, if parts leave no trace in the file
_CHECKED = 1 << 12  # bytes at the end of a part that are checked before writing goes on
_UNASKED = ("offsets", "texts")  # come from cutting raw text: nobody misses them


class DrawnTrees:
    """Trees as drawings made of text characters."""

    unencodable = "crossbranch.escape"

    def __init__(self, *, width: int, color: bool) -> None:
        """Draw no wider than so many columns, if possible."""
        from crossbranch.drawing import draw_text

        self._draw = draw_text
        self._width, self._color = width, color

    def start(self, header: Header) -> str:
        """Return nothing."""
        return ""

    def tree(self, tree: Tree, number: int) -> str:
        """Return the drawing and an empty line; if there are comments, id and comments first."""
        drawing = self._draw(tree, width=self._width, color=self._color)
        title = (" ".join((tree.id, *tree.comments)).strip(),) if tree.comments else ()
        return "".join(f"{line}\n" for line in (*title, drawing, ""))

    def end(self) -> str:
        """Return nothing."""
        return ""


TreeTexts = TreeWriter | DrawnTrees
"""How trees become text."""


def formatted(format: Format) -> TreeWriter:
    """Return what writes parsed trees in a format; offsets in raw text may be lost silently."""
    return TreeWriter(format, make_continuous=make_continuous, uncounted=_UNASKED)


class GrowingFile:
    """A file that grows by whole parts, compressed as its suffix says.

    In a compressed file, only its content decides where parts end. So the same trees give the same
    bytes, whether the job was interrupted or not.
    """

    def __init__(self, path: Path, unencodable: str) -> None:
        """Open a file, or make it; its content is left alone."""
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
        """Whether it is time to end the part."""
        if self._waiting >= _PART:
            return True
        return self._compress is None and time.monotonic() - self._since > _PATIENCE

    def write(self, text: str) -> None:
        """Add a text to the present part."""
        self._texts.append(text)
        self._waiting += len(text)

    def flush(self) -> None:
        """End the part: write it, so that it will be there whatever happens; count its bytes."""
        data = "".join(self._texts).encode("utf-8", self._unencodable)
        if data:
            if self._compress is not None:
                data = self._compress(data)
            self._file.seek(self.size)  # if an interruption comes, this is done once more
            self._file.write(data)
            self._file.flush()
            os.fsync(self._file.fileno())
        self._texts, self.size = [], self.size + len(data)
        self._waiting = 0
        self._since = time.monotonic()

    def close(self) -> None:
        """Close the file; what is not in a finished part is not written."""
        self._file.close()


def _compressor(path: Path) -> Callable[[bytes], bytes] | None:
    suffix = path.suffix.lower()
    if suffix == ".gz":  # no time inside: the same trees give the same bytes
        return lambda data: gzip.compress(data, mtime=0)
    if suffix == ".bz2":
        return bz2.compress
    return lzma.compress if suffix == ".xz" else None


def can_grow(path: Path) -> bool:
    """Say whether a file can be continued later: it is a plain one, and no zip archive."""
    is_plain = path.is_file() or not path.exists()
    return is_plain and path.suffix.lower() != ".zip"  # its table of contents comes last


def checksum(path: Path, size: int) -> int:
    """Return a checksum of the last bytes among the first `size` ones of a file."""
    with path.open("rb") as file:
        file.seek(max(0, size - _CHECKED))
        return zlib.crc32(file.read(min(size, _CHECKED)))


def check_part(path: Path, size: int, expected: int) -> None:
    """Refuse to continue a file that is not as it was left."""
    found = path.stat().st_size if path.exists() else 0
    if found < size:
        raise InputError(f"{found:,} bytes", f"{size:,} at least", path=str(path))
    if size and checksum(path, size) != expected:
        raise InputError("other content than was written", "an unchanged file", path=str(path))

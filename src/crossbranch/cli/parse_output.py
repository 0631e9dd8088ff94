"""What is written: trees in a format or drawn, and files that are written in whole parts."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import time
import warnings
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import IO, Protocol

from crossbranch.errors import (
    CrossbranchError,
    InputError,
    LossWarning,
    TransformError,
    UsageError,
)
from crossbranch.tree import Tree
from crossbranch.treebank.format import Format, count_losses
from crossbranch.treebank.header import Header
from crossbranch.treebank.source import OnError

_PART = 1 << 20  # characters after which a part is full
_PATIENCE = 10.0  # seconds after which it is, where parts leave no trace in the file
_CHECKED = 1 << 12  # bytes before the end of a part that are known again
# Nobody asked for these: they come from cutting raw text.
_UNASKED = ("offsets", "texts")

DRAWN = "drawn"
"""In place of a format: pictures for terminals."""

PICTURES = ("svg", "tikz", "html", "png")
"""In place of formats: what `crossbranch draw` draws."""


class TreeText(Protocol):
    """How trees become text."""

    unencodable: str

    def start(self) -> str:
        """Return what stands before the first tree."""

    def tree(self, tree: Tree, number: int) -> str:
        """Return the text of one tree, the `number`th."""

    def end(self) -> str:
        """Return what stands after the last tree."""

    def warn(self) -> None:
        """Warn about what was lost."""


class InFormat:
    """Trees in a treebank format."""

    def __init__(
        self, format: Format, *, on_error: OnError, note: Callable[[CrossbranchError], None]
    ) -> None:
        """Write in a format; `note` is told about trees that are left out."""
        self.unencodable = format.unencodable
        self._format = format
        self._on_error = on_error
        self._note = note
        self._losses: Counter[str] = Counter()

    def start(self) -> str:
        """Return the declaration and an empty header."""
        return self._format.write_declaration("utf-8") + self._format.write_start(Header())

    def tree(self, tree: Tree, number: int) -> str:
        """Return the text of a tree; none where it is left out."""
        if not self._format.holds.crossing_branches and tree.is_discontinuous:
            error = TransformError(
                f"sentence {tree.id or number}: {self._format.name} cannot hold crossing branches;"
                " write another format, and see `crossbranch convert` for making trees continuous"
            )
            if self._on_error == "stop":
                raise error
            self._note(error)
            return ""
        lost = count_losses(tree, self._format)
        if tree.id == str(number):  # a reader that finds no ids counts just so
            lost.pop("ids", None)
        for part in _UNASKED:
            lost.pop(part, None)
        self._losses.update(lost)
        return self._format.write_tree(tree, number)

    def end(self) -> str:
        """Return the end of the document, where it needs one."""
        return self._format.write_end()

    def warn(self) -> None:
        """Warn once about all that the format could not hold."""
        if self._losses:
            warnings.warn(LossWarning(self._format.name, self._losses), stacklevel=2)


class Drawn:
    """Trees as pictures."""

    unencodable = "crossbranch.escape"

    def __init__(self, *, width: int, color: bool) -> None:
        """Draw no wider than so many columns, if possible."""
        from crossbranch.drawing import draw_text

        self._draw = draw_text
        self._width, self._color = width, color

    def start(self) -> str:
        """Return nothing."""
        return ""

    def tree(self, tree: Tree, number: int) -> str:
        """Return picture and an empty line; where there are comments, the id and they first."""
        picture = self._draw(tree, width=self._width, color=self._color)
        title = (" ".join((tree.id, *tree.comments)).strip(),) if tree.comments else ()
        return "".join(f"{line}\n" for line in (*title, picture, ""))

    def end(self) -> str:
        """Return nothing."""
        return ""

    def warn(self) -> None:
        """Pictures show what they can."""


class Sink(Protocol):
    """Where text goes."""

    @property
    def is_full(self) -> bool:
        """Whether it is time to end a part."""

    def write(self, text: str) -> None:
        """Write a text, or keep it for the end of the part."""

    def end_part(self) -> None:
        """See that all texts are written."""


class Stream:
    """A stream of text, which goes where it goes."""

    is_full = False

    def __init__(self, stream: IO[str]) -> None:
        """Write to a stream that others open and close."""
        self._stream = stream

    def write(self, text: str) -> None:
        """Write a text."""
        self._stream.write(text)

    def end_part(self) -> None:
        """Write what is waiting."""
        self._stream.flush()


class Parts:
    """A file that grows by whole parts, compressed as its suffix says.

    Where a compressed file is cut into parts depends on its content alone, so the same trees give
    the same bytes, interrupted or not.
    """

    def __init__(self, path: Path, unencodable: str) -> None:
        """Open a file, or make it; its content is left alone."""
        self.size = 0
        self._path = path
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
        """Write behind the first `size` bytes; the others go."""
        self.size = size
        self._file.truncate(size)
        self._file.seek(size)

    @property
    def is_compressed(self) -> bool:
        """Whether parts can be seen in the file."""
        return self._compress is not None

    @property
    def is_full(self) -> bool:
        """Whether it is time to end the part."""
        if self._waiting >= _PART:
            return True
        return not self.is_compressed and time.monotonic() - self._since > _PATIENCE

    def write(self, text: str) -> None:
        """Add a text to the present part."""
        self._texts.append(text)
        self._waiting += len(text)

    def end_part(self) -> None:
        """Write the present part, so that it will be there whatever happens; count its bytes."""
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


def checksum(path: Path, size: int) -> int:
    """Return a checksum of the bytes of a file just before its first `size` ones end."""
    with path.open("rb") as file:
        file.seek(max(0, size - _CHECKED))
        return zlib.crc32(file.read(min(size, _CHECKED)))


def check_part(path: Path, size: int, expected: int) -> None:
    """Refuse to go on writing a file that is not as it was left."""
    found = path.stat().st_size if path.exists() else 0
    if found < size:
        raise InputError(f"{found:,} bytes", f"{size:,} at least", path=str(path))
    if size and checksum(path, size) != expected:
        raise InputError("other content than was written", "an unchanged file", path=str(path))

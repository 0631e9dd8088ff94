"""Unpacking compressed files and archives, by their first bytes, with limits."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import PurePath
from typing import IO, Any, cast

from crossbranch.errors import LimitError, UsageError
from crossbranch.treebank.limits import Budget, Limits
from crossbranch.treebank.live import live_stream
from crossbranch.treebank.names import is_about_the_rest, natural_order

_GZIP, _XZ, _ZIP = b"\x1f\x8b", b"\xfd7zXZ\x00", (b"PK\x03\x04", b"PK\x05\x06")
_BZ2 = tuple(b"BZh%d%b" % (n, end) for n in range(1, 10) for end in (b"1AY&SY", b"\x17rE8P\x90"))
_SIGNATURES = (_GZIP, _XZ, *_ZIP, *_BZ2)
_PIECE = 1 << 16
_LEAST_HEAD = 30  # bytes before each member of a zip archive

MODEL_FILES = ("manifest.json", "config.toml")
"""Every model folder has these files."""

UNREADABLE = (
    *(OSError, EOFError, RuntimeError, ValueError),
    *(struct.error, zlib.error, lzma.LZMAError, zipfile.BadZipFile),
)
"""The exceptions of streams for damaged, truncated or encrypted data."""


def unpack(name: str, stream: IO[bytes], limits: Limits) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the name and the unpacked stream of a file, or of each file of an archive.

    The first bytes decide, not the name, so that pipes and renamed files work, too. Streams of
    data that cannot be opened raise the error when they are read.
    """
    return _unpack(name, stream, Budget(name, limits), 0)


def _unpack(
    name: str, stream: IO[bytes], budget: Budget, depth: int
) -> Iterator[tuple[str, IO[bytes]]]:
    try:
        opened, head = _with_head(stream)
    except (*UNREADABLE, LimitError) as error:
        yield name, _Damaged(error)
        return
    if head.startswith(_ZIP):
        yield from _open_zip(name, opened, budget, depth)
    elif head.startswith(_GZIP):
        yield name, _unpacked(gzip.GzipFile(fileobj=_packed(opened, budget, depth)), budget)
    elif head.startswith(_BZ2):
        yield name, _unpacked(bz2.BZ2File(_packed(opened, budget, depth)), budget)
    elif head.startswith(_XZ):
        yield name, _unpacked(lzma.LZMAFile(_packed(opened, budget, depth)), budget)  # noqa: SIM115
    else:
        yield name, opened


def _unpacked(stream: object, budget: Budget) -> IO[bytes]:
    return cast("IO[bytes]", _Unpacked(cast("IO[bytes]", stream), budget))


def _packed(stream: IO[bytes], budget: Budget, depth: int) -> IO[bytes]:
    """Count the bytes of a packed stream, unless they came out of an archive."""
    return stream if depth else cast("IO[bytes]", _Packed(stream, budget))


def _with_head(stream: IO[bytes]) -> tuple[IO[bytes], bytes]:
    """Return the stream and its first bytes, which can still be read from it."""
    if (live := live_stream(stream)) is not None:
        return cast("IO[bytes]", live), live.head(_is_told)
    is_whole = isinstance(stream, io.BufferedReader) and stream.seekable()
    buffered = cast("io.BufferedReader", stream) if is_whole else _Buffered(stream)
    return cast("IO[bytes]", buffered), buffered.peek(10)


def _is_told(head: bytes) -> bool:
    """Say whether these bytes are enough to know if the data are compressed."""
    return not any(len(head) < len(sign) and sign.startswith(head) for sign in _SIGNATURES)


def _open_zip(
    name: str, stream: IO[bytes], budget: Budget, depth: int
) -> Iterator[tuple[str, IO[bytes]]]:
    with ExitStack() as stack:
        try:
            archive, members = _archive(name, stream, stack, budget, depth)
        except (*UNREADABLE, LimitError) as error:
            yield name, _Damaged(error)
            return
        if {member.filename for member in members}.issuperset(MODEL_FILES):
            raise model_error(name)
        for member in sorted(members, key=lambda member: natural_order(member.filename)):
            if budget.is_spent:
                return
            inner = f"{name}/{member.filename}"
            try:
                opened = archive.open(member)
            except UNREADABLE as error:
                yield inner, _Damaged(error)
                continue
            with opened:
                yield from _unpack(inner, _unpacked(opened, budget), budget, depth + 1)


def _archive(
    name: str, stream: IO[bytes], stack: ExitStack, budget: Budget, depth: int
) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    limits = budget.limits
    if depth >= limits.depth:
        limits.refuse("depth", f"{depth + 1} archives, one inside the other", path=name)
    if depth or not stream.seekable():  # the table of contents is at the end
        spooled = stack.enter_context(tempfile.SpooledTemporaryFile(max_size=1 << 24))  # noqa: SIM115
        shutil.copyfileobj(stream, spooled, _PIECE)
        stream = cast("IO[bytes]", spooled)
    stream = _packed(stream, budget, depth)
    archive = stack.enter_context(zipfile.ZipFile(stream))
    if not depth:
        budget.restart()  # the table of contents was read, but nothing is unpacked yet
    every = archive.infolist()
    if len(every) > limits.members:
        limits.refuse("members", f"an archive of {len(every):,} files", path=name)
    _check_places(every)
    members = [m for m in every if not m.is_dir() and not _hidden_member(m)]
    if not members:
        raise EOFError("an archive without files")
    return archive, members


def _check_places(members: list[zipfile.ZipInfo]) -> None:
    """Raise an error if members share bytes, as only bombs do: one could have thousands."""
    end = 0
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < end:
            raise zipfile.BadZipFile("an archive whose files overlap")
        end = member.header_offset + _LEAST_HEAD + member.compress_size


def model_error(name: str) -> UsageError:
    """Return the error for a model where sentences are expected."""
    return UsageError(f"{name} is a model, not a treebank; see `crossbranch models {name}`")


def _hidden_member(member: zipfile.ZipInfo) -> bool:
    path = PurePath(member.filename)
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return hidden or is_about_the_rest(path.name)


class _Damaged(io.BytesIO):
    """Data that cannot be opened. Reading them raises the error."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def read1(self, size: int | None = -1) -> bytes:
        raise self._error


class _Packed:
    """A stream of packed bytes, which are counted."""

    def __init__(self, stream: IO[bytes], budget: Budget) -> None:
        self._stream, self._budget = stream, budget

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._budget.take(len(data or b""))
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Unpacked(io.RawIOBase):
    """A stream of unpacked bytes, which are counted."""

    def __init__(self, stream: IO[bytes], budget: Budget) -> None:
        self._stream, self._budget = stream, budget
        self._read_some: Callable[[int], bytes] = getattr(stream, "read1", stream.read)

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> bytes:
        data = self._read_some(_PIECE if size < 0 else size)
        self._budget.spend(len(data))
        return data

    def readinto(self, buffer: Any, /) -> int:
        data = self.read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Buffered(io.BufferedReader):
    """Adds `peek` to any stream of bytes, to recognise compressed data."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(_Raw(stream))


class _Raw(io.RawIOBase):
    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(getattr(self._stream, "seekable", lambda: False)())

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readinto(self, buffer: Any, /) -> int:
        """Fill the whole buffer, even if a pipe gives the first bytes one by one."""
        view = memoryview(buffer)
        size = 0
        while size < len(view) and (data := self._stream.read(len(view) - size)):
            view[size : size + len(data)] = data
            size += len(data)
        return size

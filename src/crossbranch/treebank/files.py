"""Opening inputs and outputs: files, folders, archives, standard input and output."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import re
import shutil
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePath
from typing import IO, Any, cast

from crossbranch.disk import open_file, replacing
from crossbranch.errors import InputError, UsageError
from crossbranch.treebank.live import live_stream

_GZIP, _XZ, _ZIP = b"\x1f\x8b", b"\xfd7zXZ\x00", (b"PK\x03\x04", b"PK\x05\x06")
_BZ2 = tuple(b"BZh%d%b" % (n, end) for n in range(1, 10) for end in (b"1AY&SY", b"\x17rE8P\x90"))
_SIGNATURES = (_GZIP, _XZ, *_ZIP, *_BZ2)
_MODEL_FILES = ("manifest.json", "config.toml")  # every model folder has them
COMPRESSIONS = (".gz", ".bz2", ".xz", ".zip")

UNREADABLE = (
    *(OSError, EOFError, RuntimeError, ValueError),
    *(struct.error, zlib.error, lzma.LZMAError, zipfile.BadZipFile),
)
"""The exceptions of streams for damaged, truncated or encrypted data."""

Readable = str | Path | IO[bytes] | IO[str]
Writable = str | Path | IO[bytes] | IO[str]


def open_streams(target: Readable, *, pipes: bool = True) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the name and the stream of a file, or of each file in a folder or zip archive.

    Files of a folder or archive are in natural order (2 before 10). Hidden files are left out.
    Without `pipes`, only regular files are read.
    """
    if isinstance(target, str | Path) and str(target) != "-":
        path = Path(target)
        if path.is_dir():
            yield from _open_folder(path)
            return
        with _open_file(path, pipes=pipes) as stream:
            yield from _unpack(str(path), stream)
    elif isinstance(target, str | Path):
        yield from _unpack("<stdin>", sys.stdin.buffer)
    else:
        name = str(getattr(target, "name", "<stream>"))
        if is_text(target):
            yield name, cast("IO[bytes]", _Encoded(cast("IO[str]", target)))
        else:
            yield from _unpack(name, cast("IO[bytes]", target))


def is_text(target: Readable) -> bool:
    """Say whether this is a text stream. It needs no decoding: its bytes will be UTF-8."""
    return not isinstance(target, str | Path) and isinstance(target.read(0), str)


def _open_file(path: Path, *, pipes: bool = False) -> IO[bytes]:
    try:
        return path.open("rb") if pipes else open_file(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"cannot read {path}: {reason.lower()}") from error


def _open_folder(folder: Path) -> Iterator[tuple[str, IO[bytes]]]:
    refuse_model(folder)
    paths = files_of(folder)
    if not paths:
        raise InputError("an empty folder", "treebank files", path=str(folder))
    for path in paths:
        with _open_file(path) as stream:
            yield from _unpack(str(path), stream)


def refuse_model(folder: Path) -> None:
    """Raise a UsageError if a folder holds a model and not sentences."""
    if all((folder / name).is_file() for name in _MODEL_FILES):
        raise _model_error(str(folder))


def _model_error(name: str) -> UsageError:
    return UsageError(f"{name} is a model, not a treebank; see `crossbranch models {name}`")


def files_of(folder: Path) -> list[Path]:
    """Return the files of a folder in natural order, without hidden and README-like files."""
    paths = [path for path in folder.rglob("*") if path.is_file() and not _hidden(path, folder)]
    return sorted(paths, key=lambda path: natural_order(str(path.relative_to(folder))))


def _hidden(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    return any(part.startswith(".") for part in parts) or _is_about_the_rest(path.name)


def _is_about_the_rest(name: str) -> bool:
    """Whether a file describes a treebank and is not part of it, such as a README."""
    return name.upper().startswith(("README", "LICENSE", "LICENCE", "COPYING", "CHANGES", "NOTICE"))


def _unpack(name: str, stream: IO[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    """Unpack by the first bytes, not by the name, so that pipes and renamed files work, too."""
    try:
        opened, head = _with_head(stream)
    except UNREADABLE as error:
        yield name, _Damaged(error)
        return
    if head.startswith(_GZIP):
        yield name, cast("IO[bytes]", gzip.GzipFile(fileobj=opened))
    elif head.startswith(_BZ2):
        yield name, cast("IO[bytes]", bz2.BZ2File(opened))
    elif head.startswith(_XZ):
        yield name, cast("IO[bytes]", lzma.LZMAFile(opened))  # noqa: SIM115
    elif head.startswith(_ZIP):
        yield from _open_zip(name, opened)
    else:
        yield name, opened


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


def _open_zip(name: str, stream: IO[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    with ExitStack() as stack:
        try:
            if not stream.seekable():  # a pipe: an archive's table of contents is at its end
                spooled = stack.enter_context(tempfile.SpooledTemporaryFile(max_size=1 << 24))
                shutil.copyfileobj(stream, spooled)
                stream = cast("IO[bytes]", spooled)
            archive = stack.enter_context(zipfile.ZipFile(stream))
            members = [m for m in archive.infolist() if not m.is_dir() and not _hidden_member(m)]
            if not members:
                raise EOFError("an archive without files")
        except UNREADABLE as error:
            yield name, _Damaged(error)
            return
        if {member.filename for member in members}.issuperset(_MODEL_FILES):
            raise _model_error(name)
        for member in sorted(members, key=lambda member: natural_order(member.filename)):
            inner = f"{name}/{member.filename}"
            try:
                opened = archive.open(member)
            except UNREADABLE as error:
                yield inner, _Damaged(error)
                continue
            with opened:
                yield from _unpack(inner, opened)


def _hidden_member(member: zipfile.ZipInfo) -> bool:
    path = PurePath(member.filename)
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return hidden or _is_about_the_rest(path.name)


class _Damaged(io.BytesIO):
    """Data that cannot be opened. Reading them raises the error."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def read1(self, size: int | None = -1) -> bytes:
        raise self._error


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


class _Encoded(io.RawIOBase):
    """A text stream as bytes in UTF-8."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while size < 0 or len(self._rest) < size:
            more = self._stream.read(1 << 16)
            if not more:
                break
            self._rest += more.encode("utf-8", "surrogatepass")
        size = len(self._rest) if size < 0 else size
        data, self._rest = self._rest[:size], self._rest[size:]
        return data


def natural_order(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """Return a key that sorts numbers inside names by their value, and before letters.

    >>> sorted(["10.xml", "9.xml"], key=natural_order)
    ['9.xml', '10.xml']
    """
    parts = re.findall(r"\d{1,18}|\D+", name)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts], name


def strip_compression(name: str) -> str:
    """Return a file name without its compression suffix, such as `.gz`."""
    for suffix in COMPRESSIONS:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name


def check_encoding(encoding: str) -> None:
    """Raise a UsageError if this is not the name of a text encoding."""
    try:
        codecs.lookup(encoding)
        b"\n\xff".decode(encoding, "replace")  # some codecs are not for text
    except (LookupError, ValueError):
        raise UsageError(f"unknown encoding: {encoding}") from None


@contextmanager
def open_target(target: Writable, encoding: str, unencodable: str) -> Iterator[IO[str]]:
    """Open a target for writing text. Its suffix decides whether it is compressed.

    The codec error handler `unencodable` writes characters outside the encoding.
    """
    check_encoding(encoding)
    with ExitStack() as stack:
        if isinstance(target, str | Path):
            binary = _open_binary(stack, target)
        elif isinstance(target, io.TextIOBase) or hasattr(target, "encoding"):
            yield cast("IO[str]", target)
            return
        else:
            binary = cast("IO[bytes]", target)
        text = io.TextIOWrapper(binary, encoding=encoding, errors=unencodable, newline="\n")
        try:
            yield text
        finally:
            text.flush()
            text.detach()  # a stream of the caller stays open


@contextmanager
def open_binary_target(target: str | Path) -> Iterator[IO[bytes]]:
    """Open a file for writing bytes. Its suffix decides whether it is compressed."""
    with ExitStack() as stack:
        yield _open_binary(stack, target)


def _open_binary(stack: ExitStack, target: str | Path) -> IO[bytes]:
    if str(target) == "-":
        return sys.stdout.buffer
    path = Path(target)
    try:
        file = stack.enter_context(replacing(path, keeps_part=True))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"cannot write {path}: {reason.lower()}") from error
    suffix = path.suffix.lower()
    if suffix == ".gz":  # without name and time, so that the same trees give the same bytes
        return cast(
            "IO[bytes]", stack.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0))
        )
    if suffix == ".bz2":
        return cast("IO[bytes]", stack.enter_context(bz2.BZ2File(file, "wb")))
    if suffix == ".xz":
        return cast("IO[bytes]", stack.enter_context(lzma.LZMAFile(file, "wb")))
    if suffix == ".zip":
        archive = stack.enter_context(zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED))
        member = zipfile.ZipInfo(path.stem, date_time=(1980, 1, 1, 0, 0, 0))
        member.compress_type = zipfile.ZIP_DEFLATED
        return stack.enter_context(archive.open(member, "w", force_zip64=True))
    return file

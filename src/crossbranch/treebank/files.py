"""Opening inputs and outputs: files, folders, archives, standard input and output."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import sys
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

from crossbranch.disk import open_file, replacing
from crossbranch.errors import InputError, UsageError
from crossbranch.treebank.limits import Limits, current_limits
from crossbranch.treebank.names import (
    COMPRESSIONS,
    is_about_the_rest,
    natural_order,
    strip_compression,
)
from crossbranch.treebank.unpacking import MODEL_FILES, UNREADABLE, model_error, unpack

__all__ = [
    "COMPRESSIONS",
    "UNREADABLE",
    "Readable",
    "Writable",
    "check_encoding",
    "files_of",
    "is_text",
    "natural_order",
    "open_binary_target",
    "open_streams",
    "open_target",
    "refuse_model",
    "strip_compression",
]

Readable = str | Path | IO[bytes] | IO[str]
Writable = str | Path | IO[bytes] | IO[str]


def open_streams(
    target: Readable, *, limits: Limits | None = None, pipes: bool = True
) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the name and the stream of a file, or of each file in a folder or zip archive.

    Files of a folder or archive are in natural order (2 before 10). Hidden files are left out. A
    stream of packed data raises a LimitError if more comes out of it than `limits` allow (default:
    the usual ones). Without `pipes`, only regular files are read.
    """
    limits = limits or current_limits()
    if isinstance(target, str | Path) and str(target) != "-":
        path = Path(target)
        if path.is_dir():
            yield from _open_folder(path, limits)
            return
        with _open_file(path, pipes=pipes) as stream:
            yield from unpack(str(path), stream, limits)
    elif isinstance(target, str | Path):
        yield from unpack("<stdin>", sys.stdin.buffer, limits)
    else:
        name = str(getattr(target, "name", "<stream>"))
        if is_text(target):
            yield name, cast("IO[bytes]", _Encoded(cast("IO[str]", target)))
        else:
            yield from unpack(name, cast("IO[bytes]", target), limits)


def is_text(target: Readable) -> bool:
    """Say whether this is a text stream. It needs no decoding: its bytes will be UTF-8."""
    return not isinstance(target, str | Path) and isinstance(target.read(0), str)


def _open_file(path: Path, *, pipes: bool = False) -> IO[bytes]:
    try:
        return path.open("rb") if pipes else open_file(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"cannot read {path}: {reason.lower()}") from error


def _open_folder(folder: Path, limits: Limits) -> Iterator[tuple[str, IO[bytes]]]:
    refuse_model(folder)
    paths = files_of(folder)
    if not paths:
        raise InputError("an empty folder", "treebank files", path=str(folder))
    for path in paths:
        with _open_file(path) as stream:
            yield from unpack(str(path), stream, limits)


def refuse_model(folder: Path) -> None:
    """Raise a UsageError if a folder holds a model and not sentences."""
    if all((folder / name).is_file() for name in MODEL_FILES):
        raise model_error(str(folder))


def files_of(folder: Path) -> list[Path]:
    """Return the files of a folder in natural order, without hidden and README-like files."""
    paths = [path for path in folder.rglob("*") if path.is_file() and not _hidden(path, folder)]
    return sorted(paths, key=lambda path: natural_order(str(path.relative_to(folder))))


def _hidden(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    return any(part.startswith(".") for part in parts) or is_about_the_rest(path.name)


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

"""What a reader reads from: a stream in any encoding, with errors that know their place."""

from __future__ import annotations

import codecs
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Literal

from crossbranch.errors import InputError
from crossbranch.treebank.header import Header

OnError = Literal["stop", "skip"]
Report = Callable[[InputError], None]

_CHUNK = 1 << 18
_UNREADABLE = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, RuntimeError)


class Source:
    """One stream of bytes with a name, read as lines or as bytes."""

    def __init__(
        self,
        path: str,
        stream: IO[bytes],
        *,
        encoding: str | None = None,
        on_error: OnError = "stop",
        report: Report | None = None,
    ) -> None:
        """Wrap a stream of (decompressed) bytes."""
        self.path = path
        self.encoding = encoding
        self.header = Header()
        self.skipped = 0
        self._stream = stream
        self._on_error = on_error
        self._report = report
        self._head = b""
        self._bad_lines: dict[int, InputError] = {}

    def error(
        self,
        found: str,
        expected: str,
        *,
        line: int | None = None,
        byte: int | None = None,
        sentence: str = "",
    ) -> InputError:
        """Return an error that names this source."""
        return InputError(
            found, expected, path=self.path, line=line, byte=byte, sentence=sentence
        )

    def report(self, error: InputError) -> None:
        """Raise the error, or note it and let the reader go on with the next sentence."""
        if self._on_error == "stop":
            raise error
        self.skipped += 1
        if self._report is not None:
            self._report(error)

    def peek(self, size: int = 1 << 16) -> bytes:
        """Return the first bytes without using them up."""
        while len(self._head) < size and (more := self._read(size - len(self._head))):
            self._head += more
        return self._head

    def chunks(self) -> Iterator[bytes]:
        """Yield all bytes in pieces."""
        if self._head:
            yield self._head
            self._head = b""
        while chunk := self._read(_CHUNK):
            yield chunk

    def _read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except _UNREADABLE as error:
            reason = str(error) or type(error).__name__
            raise self.error(f"unreadable data ({reason})", "a complete, undamaged file") from error

    def lines(self) -> Iterator[str]:
        """Yield the lines, decoded and without their ends.

        A line that is not in the encoding is yielded with its bad bytes replaced; `check` names it.
        """
        number = 1
        decode = _Decoder(self.encoding)
        for piece in _whole_lines(self._ascii_compatible(decode)):
            text = decode.strictly(piece)
            if text is not None:
                lines = text.split("\n")
                lines.pop()
            else:
                lines = []
                for raw in piece.split(b"\n")[:-1]:
                    line, bad = decode.leniently(raw)
                    if bad is not None:
                        self._note_bad_line(number + len(lines), bad, decode.encoding)
                    lines.append(line)
            self.encoding = decode.encoding
            number += len(lines)
            yield from lines

    def _ascii_compatible(self, decode: _Decoder) -> Iterator[bytes]:
        """Yield the bytes so that a line end is one byte; a byte order mark goes."""
        chunks = self.chunks()
        first = next(chunks, b"")
        wide = decode.encoding if "\n".encode(decode.encoding) != b"\n" else None
        if self.encoding is None and first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            wide = "utf-16"
        if wide is None:
            yield first.removeprefix(codecs.BOM_UTF8)
            yield from chunks
            return
        decode.encoding = "utf-8"
        recode = codecs.getincrementaldecoder(wide)("replace").decode
        yield recode(first).encode("utf-8", "replace")
        for chunk in chunks:
            yield recode(chunk).encode("utf-8", "replace")

    def _note_bad_line(self, line: int, bad: bytes, encoding: str) -> None:
        found = f"the byte 0x{bad[0]:02x}"
        self._bad_lines[line] = self.error(found, f"text in the encoding {encoding}", line=line)

    def check(self, first: int, last: int) -> None:
        """Raise the error of the first badly encoded line in first..last (inclusive), if any."""
        if self._bad_lines:
            for line in [line for line in self._bad_lines if line <= last]:
                error = self._bad_lines.pop(line)
                if line >= first:
                    raise error


class _Decoder:
    """Decodes as the encoding says, or else UTF-8, falling back to ISO-8859-1 where that fits better."""

    def __init__(self, encoding: str | None) -> None:
        self.encoding = encoding or "utf-8"
        self._guessing = encoding is None

    def strictly(self, piece: bytes) -> str | None:
        """Return the text of whole lines, or None where some bytes are not in the encoding."""
        if self._guessing and not piece.isascii():
            self._guess(piece)
        try:
            text = piece.decode(self.encoding)
        except UnicodeDecodeError:
            return None
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        return text

    def leniently(self, raw: bytes) -> tuple[str, bytes | None]:
        """Return the text of one line, and its first bad bytes, if any."""
        raw = raw.removesuffix(b"\r")
        try:
            return raw.decode(self.encoding), None
        except UnicodeDecodeError as error:
            return raw.decode(self.encoding, "replace"), raw[error.start : error.end]

    def _guess(self, piece: bytes) -> None:
        """Decide with the first piece that is not ASCII: which encoding do most of its lines fit?"""
        self._guessing = False
        lines = [line for line in piece.split(b"\n") if not line.isascii()]
        valid = sum(_is_utf8(line) for line in lines)
        if valid * 2 < len(lines):
            self.encoding = "iso-8859-1"


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _whole_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Cut the bytes after line ends; the last piece gets one if it has none."""
    rest: list[bytes] = []
    for chunk in chunks:
        end = chunk.rfind(b"\n") + 1
        if not end:
            rest.append(chunk)
            continue
        yield b"".join([*rest, chunk[:end]])
        rest = [chunk[end:]]
    if last := b"".join(rest):
        yield last + b"\n"

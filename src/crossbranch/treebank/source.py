"""Sources: streams of bytes in any encoding, and errors with file name and line."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from itertools import chain
from typing import IO, Literal

from crossbranch.errors import DamageError, InputError, LimitError, UsageError
from crossbranch.treebank.files import UNREADABLE
from crossbranch.treebank.header import Header
from crossbranch.treebank.limits import Limits, current_limits
from crossbranch.treebank.live import LiveStream

OnError = Literal["stop", "skip"]
Report = Callable[[InputError], None]

CHUNK = 1 << 18
"""About so many bytes are read at once."""
_HEAD = 1 << 16
_LONG_LINE = b"?"  # stands for a line that is too long


def check_on_error(on_error: str) -> None:
    """Raise a UsageError if this is neither "stop" nor "skip"."""
    if on_error not in ("stop", "skip"):
        raise UsageError(f"on_error is {on_error!r}, expected 'stop' or 'skip'")


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
        limits: Limits | None = None,
    ) -> None:
        """Wrap a stream of (decompressed) bytes. By default, the usual limits hold."""
        self.path = path
        self.limits = limits or current_limits()
        self.encoding = encoding
        self.header = Header()
        self.skipped = 0
        # read1 if possible: read would lose the bytes shortly before damaged data.
        self._read_some: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
        self._live = stream if isinstance(stream, LiveStream) else None
        self._on_error = on_error
        self._report = report
        self._head = b""
        self._ended = False
        self._damage: InputError | None = None  # not reported yet
        self._damaged = False
        self._bad_lines: dict[int, InputError] = {}
        self._position = 0  # bytes of all lines before the current run
        self._sentence_start: int | None = None  # None: sentences are not measured

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
        return InputError(found, expected, path=self.path, line=line, byte=byte, sentence=sentence)

    def begin_sentence(self) -> None:
        """Note that a sentence begins, or the text before the first one.

        From now on, `lines` raises a LimitError if there are more bytes than a sentence may have.
        For speed, this is checked about every 256 kilobytes.
        """
        self._sentence_start = self._position

    def check_size(self, vertices: int, *, line: int | None = None, sentence: str = "") -> None:
        """Raise a LimitError if a sentence has too many tokens and nodes."""
        if vertices > self.limits.vertices:
            found = f"a sentence of more than {self.limits.vertices:,} tokens and nodes"
            self.limits.refuse("vertices", found, path=self.path, line=line, sentence=sentence)

    def report(self, error: InputError) -> None:
        """Raise the error, or count it so that reading continues with the next sentence."""
        if self._on_error == "stop":
            raise error
        self.skipped += 1
        if self._report is not None:
            self._report(error)

    def peek(self, size: int = _HEAD) -> bytes:
        """Return the first bytes, which can still be read. A live stream gives those up to now."""
        while len(self._head) < size and not self._ended:
            if self._head and self.is_quiet():
                break
            self._head += self._read(size - len(self._head))
        return self._head

    def is_quiet(self) -> bool:
        """Say whether this is a pipe or a terminal that has no bytes to read at the moment."""
        return self._live is not None and not self._ended and self._live.is_quiet()

    def chunks(self) -> Iterator[bytes]:
        """Yield all readable bytes in pieces. A live stream gives them as they come."""
        if self._head:
            yield self._head
            self._head = b""
        while chunk := self._read(CHUNK):
            yield chunk

    def _read(self, size: int) -> bytes:
        """Return the next bytes, fewer than `size` if the data end, are damaged, or are live.

        Damage is reported after the last readable bytes.
        """
        parts: list[bytes] = []
        while size and not self._ended:
            part = b""
            try:
                part = self._read_some(size)
            except UNREADABLE as error:
                found = f"unreadable data ({str(error) or type(error).__name__})"
                self._damage = DamageError(found, "a complete, undamaged file", path=self.path)
                self._damaged = True
            self._ended = not part
            parts.append(part)
            size = 0 if self._live is not None else size - len(part)
        data = b"".join(parts)
        if not data and self._damage is not None:
            damage, self._damage = self._damage, None
            self.report(damage)
        return data

    def head(self) -> str:
        """Return the beginning as text, to guess the format."""
        start = self.peek()
        decode = _SourceDecoder(self.encoding or _marked_encoding(start))
        decode.guess(start.rpartition(b"\n")[0] or start)
        decoder = codecs.getincrementaldecoder(decode.encoding)("replace")
        try:
            return decoder.decode(start).removeprefix("\ufeff")  # no half character at the end
        except UnicodeError:
            return ""

    def lines(self) -> Iterator[str]:
        """Return the lines, decoded and without line ends.

        Bytes that are not in the encoding are replaced; `check` reports their lines.
        """
        return chain.from_iterable(self._runs_of_lines())

    def _runs_of_lines(self) -> Iterator[list[str]]:
        number = 1
        decode = _SourceDecoder(self.encoding or _marked_encoding(self.peek()))
        for piece in self._whole_lines(decode):
            self._check_sentence(number, len(piece))
            if len(piece) > self.limits.line:
                piece = self._without_long_lines(piece, number)
            text = decode.strictly(piece)
            if text is not None:
                lines = text.split("\n")
                lines.pop()
            else:
                lines = []
                for raw in piece.split(b"\n")[:-1]:
                    line, bad = decode.leniently(raw)
                    if bad is not None:
                        expected = f"text in the encoding {decode.name}"
                        place = number + len(lines)
                        error = self.error(bad, expected, line=place)
                        self._bad_lines.setdefault(place, error)
                    lines.append(line)
            self.encoding = decode.name
            number += len(lines)
            yield lines
            self._position += len(piece)

    def _check_sentence(self, number: int, size: int) -> None:
        start, limits = self._sentence_start, self.limits
        if start is not None and self._position + size - start > limits.sentence + 2 * CHUNK:
            found = f"a sentence of more than {limits.sentence:,} bytes before this line"
            limits.refuse("sentence", found, path=self.path, line=number)

    def _without_long_lines(self, piece: bytes, number: int) -> bytes:
        """Cut lines that are too long. `check` reports them."""
        lines = piece.split(b"\n")
        for index, line in enumerate(lines):
            if len(line) > self.limits.line:
                lines[index] = _LONG_LINE
                try:
                    found = f"a line of more than {self.limits.line:,} bytes"
                    self.limits.refuse("line", found, path=self.path, line=number + index)
                except LimitError as error:
                    if self._on_error == "stop":
                        raise
                    self._bad_lines[number + index] = error
        return b"\n".join(lines)

    def _whole_lines(self, decode: _SourceDecoder) -> Iterator[bytes]:
        """Cut the bytes after line ends. If the last line has no line end, one is added."""
        rest: list[bytes] = []
        size = 0  # of the rest; no more is kept of a line than shows that it is too long
        for chunk in self._bytes(decode):
            end = chunk.rfind(b"\n") + 1
            if not end:
                if size <= self.limits.line:
                    rest.append(chunk)
                    size += len(chunk)
                if size > self.limits.line and self._on_error == "stop":
                    break
                continue
            yield b"".join([*rest, chunk[:end]])
            rest = [chunk[end:]]
            size = len(rest[0])
        last = b"".join(rest)
        if last and not self._damaged:  # half a line is not a line
            yield last + b"\n"

    def _bytes(self, decode: _SourceDecoder) -> Iterator[bytes]:
        """Yield bytes in which a line end is one byte, without a byte order mark."""
        chunks = self.chunks() if decode.is_narrow else self._recode(decode)
        yield next(chunks, b"").removeprefix(codecs.BOM_UTF8)
        yield from chunks

    def _recode(self, decode: _SourceDecoder) -> Iterator[bytes]:
        """Convert a wider encoding, such as UTF-16, to UTF-8."""
        wide, decode.encoding = decode.encoding, "utf-8"
        decoder = codecs.getincrementaldecoder(wide)("crossbranch.damage")
        try:
            for chunk in self.chunks():
                yield decoder.decode(chunk).encode("utf-8", "surrogatepass")
            yield decoder.decode(b"", True).encode("utf-8", "surrogatepass")
        except UnicodeError as error:  # a byte order mark is missing
            found, expected = f"unreadable text ({error})", f"text in the encoding {wide}"
            self.report(DamageError(found, expected, path=self.path))

    def check(self, first: int, last: int, sentence: str = "") -> None:
        """Raise the error of the first badly encoded line in first..last (inclusive), if any."""
        if self._bad_lines:
            for line in [line for line in self._bad_lines if line <= last]:
                error = self._bad_lines.pop(line)
                if line >= first:
                    if sentence:
                        error = type(error)(
                            error.found,
                            error.expected,
                            path=self.path,
                            line=line,
                            sentence=sentence,
                        )
                    raise error


class _SourceDecoder:
    """Decodes with the given encoding. Without one, UTF-8, or ISO-8859-1 if that fits better."""

    def __init__(self, encoding: str | None) -> None:
        self.name = self.encoding = encoding or "utf-8"
        if codecs.lookup(self.name).name == "utf-8-sig":
            self.encoding = "utf-8"  # byte order marks are dropped anyway
        self.is_narrow = "\n".encode(self.encoding) == b"\n"
        self._guessing = encoding is None

    def strictly(self, piece: bytes) -> str | None:
        """Return the text of whole lines, or None if some bytes are not in the encoding."""
        self.guess(piece)
        try:
            text = piece.decode(self.encoding)
        except UnicodeDecodeError:
            return None
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        return text

    def leniently(self, raw: bytes) -> tuple[str, str | None]:
        """Return the text of one line, and a description of its bad bytes, if any."""
        raw = raw.removesuffix(b"\r")
        try:
            return raw.decode(self.encoding), None
        except UnicodeDecodeError as error:
            bad = f"the byte 0x{raw[error.start]:02x}" if self.is_narrow else "a damaged character"
            return raw.decode(self.encoding, "replace"), bad

    def guess(self, piece: bytes) -> None:
        """Choose the encoding that fits most lines of the first piece that is not ASCII."""
        if not self._guessing or piece.isascii():
            return
        self._guessing = False
        lines = [line for line in piece.split(b"\n") if not line.isascii()]
        valid = sum(_is_utf8(line) for line in lines)
        if valid * 2 < len(lines):
            self.name = self.encoding = "iso-8859-1"


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _marked_encoding(head: bytes) -> str | None:
    """Return the wide encoding whose byte order mark comes first, if there is one."""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    return "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else None


def _mark_damage(error: UnicodeError) -> tuple[str, int]:
    """Replace bad bytes by a character that is not valid in UTF-8, so that its line is found."""
    assert isinstance(error, UnicodeDecodeError)
    return "\udc80", error.end


codecs.register_error("crossbranch.damage", _mark_damage)

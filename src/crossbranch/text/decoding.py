"""Raw text of any size and content: decoded in pieces, and split into sections.

A section ends at the first empty line after 256 kilobytes (if each line is a sentence, at the first
line end). Sections are tokenized one by one, so reading can start again at the start of any of
them. Only the bytes of a section decide where it ends, not the pieces in which they were read.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

import msgspec

from crossbranch.text.flow import PAUSE
from crossbranch.treebank.source import Source

_SECTION = 1 << 18  # bytes; a section ends where it can after these
HEAD = 1 << 16  # bytes by which an encoding is guessed
_PDF = b"%PDF-"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNLIKELY = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")  # in a text for people
_CUTTABLE = re.compile("utf-8|ascii|iso8859|cp125|koi8|mac")  # a line end is one byte, always
_REPLACEMENT = "\ufffd"
_BAD = re.compile("[\udc80-\udcff]")  # how bytes outside the encoding are decoded


class TextPlace(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A place in a text at which reading can start again."""

    byte: int = 0
    character: int = 0
    encoding: str = ""
    """The encoding of the text; empty if nothing has been read yet."""
    replaced: int = 0
    """How many characters before this place were not in the encoding."""


class RawText:
    """The text of one file, section by section."""

    def __init__(
        self,
        source: Source,
        place: TextPlace,
        *,
        skip: int = 0,
        strict: bool = False,
        lines: bool = False,
    ) -> None:
        """Prepare to read.

        Args:
            source: The bytes.
            place: Where to start, with the encoding.
            skip: How many bytes of the source are before that place.
            strict: Raise an InputError for bytes that are not in the encoding (default: they are
                replaced by U+FFFD and counted).
            lines: Each line is a sentence.
        """
        self.place = place
        self._source = source
        self._chunks = _after(source.chunks(), skip)
        self._rest = b""
        self._strict = strict
        self._end = re.compile(rb"\n" if lines else rb"\n\r?\n")
        self._can_cut = _CUTTABLE.match(codecs.lookup(place.encoding).name) is not None

    def sections(self) -> Iterator[TextPlace]:
        """Yield where each section starts. Use up its `pieces` before asking for the next one."""
        while self._has_more():
            yield self.place

    def pieces(self) -> Iterator[str]:
        """Yield the text of the current section; afterwards `place` is at its end.

        PAUSE means that a pipe or a terminal had no more text at this moment.
        """
        decoder = _Decoder(self.place.encoding, self._strict)
        size = characters = 0
        tail = b""
        for chunk in self._present():
            cut = self._cut(tail, chunk, size)
            if cut is not None:
                self._rest, chunk = chunk[cut:], chunk[:cut]
            text = self._decoded(decoder, chunk, size, cut is not None)
            size += len(chunk)
            characters += len(text)
            yield text
            if cut is not None:
                break
            if self._source.is_quiet():
                yield PAUSE
            tail = (tail + chunk[-2:])[-2:]
        else:
            text = self._decoded(decoder, b"", size, True)
            characters += len(text)
            yield text
        self.place = msgspec.structs.replace(
            self.place,
            byte=self.place.byte + size,
            character=self.place.character + characters,
            replaced=self.place.replaced + decoder.replaced,
        )

    def _present(self) -> Iterator[bytes]:
        while self._has_more():
            chunk, self._rest = self._rest, b""
            yield chunk

    def _has_more(self) -> bool:
        self._rest = self._rest or next(self._chunks, b"")
        return bool(self._rest)

    def _cut(self, tail: bytes, chunk: bytes, size: int) -> int | None:
        """Find the end of the section in `chunk`; before it are `size` bytes that end in `tail`."""
        if not self._can_cut or size + len(chunk) < _SECTION:
            return None
        first = max(0, _SECTION - (size - len(tail)))
        found = self._end.search(tail + chunk, first)
        return None if found is None else found.end() - len(tail)

    def _decoded(self, decoder: _Decoder, data: bytes, size: int, final: bool) -> str:
        before = decoder.held
        try:
            return decoder.decode(data, final)
        except UnicodeDecodeError as error:
            bad = error.object[error.start]
            where = self.place.byte + size - before + error.start
            expected = f"text in the encoding {self.place.encoding}"
            raise self._source.error(f"the byte 0x{bad:02x}", expected, byte=where) from None


def _after(chunks: Iterator[bytes], skip: int) -> Iterator[bytes]:
    for chunk in chunks:
        if skip < len(chunk):
            yield chunk[skip:]
        skip = max(0, skip - len(chunk))


class _Decoder:
    """Decodes bytes in pieces, and counts the characters that it has to replace."""

    def __init__(self, encoding: str, strict: bool) -> None:
        self.replaced = 0
        self.held = 0  # bytes that wait for the rest of their character
        self._decoder = codecs.getincrementaldecoder(encoding)("strict" if strict else "replace")
        self._replacement = _REPLACEMENT.encode(encoding, "ignore")
        self._waiting = b""

    def decode(self, data: bytes, final: bool) -> str:
        text = self._decoder.decode(data, final)
        whole = self._waiting + data if self._waiting else data
        self._waiting = b"" if final else self._decoder.getstate()[0]
        self.held = len(self._waiting)
        if _REPLACEMENT in text:
            whole = whole[: len(whole) - self.held]
            genuine = whole.count(self._replacement) if self._replacement else 0
            self.replaced += max(0, text.count(_REPLACEMENT) - genuine)
        return text


def first_place(source: Source, encoding: str | None) -> TextPlace:
    """Return the place after the byte order mark, with the encoding that is given or guessed."""
    head = source.peek(HEAD)
    if encoding is not None:
        name = codecs.lookup(encoding).name
        if name in ("utf-8", "utf-8-sig"):
            marked = head.startswith(codecs.BOM_UTF8)
            return TextPlace(encoding="utf-8", byte=len(codecs.BOM_UTF8) * marked)
        return TextPlace(encoding=encoding)
    for mark, name in _MARKS:
        if head.startswith(mark):
            return TextPlace(encoding=name, byte=len(mark))
    return TextPlace(encoding="utf-8" if _fits_utf8(head) else "iso-8859-1")


def looks_like(source: Source) -> str:
    """Say what a file is that does not look like text; nothing if it may be text."""
    head = source.peek(HEAD)
    if head.startswith(_PDF):
        return "a PDF file"
    if b"\0" in head and not head.startswith(tuple(mark for mark, _ in _MARKS)):
        return "binary data, or UTF-16 without a byte order mark"
    return ""


def _fits_utf8(head: bytes) -> bool:
    """Return whether a text is read as UTF-8 rather than as Latin-1.

    Letters beyond ASCII in Latin-1 are almost never valid UTF-8: nearly all of them are bad bytes.
    So the text is Latin-1 if it has more bad bytes than good characters beyond ASCII. Binary data
    is read as UTF-8.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    text = decoder.decode(head, len(head) < HEAD)  # otherwise the last character may be cut
    bad = len(_BAD.findall(text))
    if not bad or _UNLIKELY.search(head):  # as in nearly all files
        return True
    good = sum(not character.isascii() for character in text) - bad
    return good > bad

"""Raw text of any size and content: decoded in pieces, and cut into sections.

A section ends at an empty line (at the end of a line, where each line is a sentence) after some
hundred thousand bytes. Each one is tokenized by itself, so reading can begin again at any of them.
Where sections end depends on the bytes since the last end alone, not on how they were read.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Container, Iterator, Sequence

import msgspec

from crossbranch.treebank.source import Source

_SECTION = 1 << 18  # bytes; a section ends where it can after these
HEAD = 1 << 16  # bytes by which an encoding is guessed
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
_BAD = re.compile("[\udc80-\udcff]")  # how bytes are decoded that are not in the encoding
_SHOWN = 40  # characters of a tag that are kept as an example


class TagCounts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Of tokens whose tags are kept: how many have none, and how many one that nobody knows."""

    missing: int = 0
    unknown: int = 0
    example: str = ""
    """One of those that nobody knows."""

    def add(self, tags: Sequence[str], known: Container[str]) -> TagCounts:
        """Return the counts with those of one more sentence."""
        unknown = [tag for tag in tags if tag and tag not in known]
        return TagCounts(
            missing=self.missing + tags.count(""),
            unknown=self.unknown + len(unknown),
            example=self.example or (unknown[0][:_SHOWN] if unknown else ""),
        )


class Place(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where reading can begin again: which input, which file in it, and where in its text."""

    input: int = 0
    member: int = 0
    byte: int = 0
    character: int = 0
    encoding: str = ""
    begun: bool = False  # whether a sentence of the same file is before this place
    replaced: int = 0  # characters that were not in the encoding, before this place
    tags: TagCounts = TagCounts()  # before this place


class RawText:
    """The text of one file, section by section."""

    def __init__(
        self,
        source: Source,
        place: Place,
        *,
        skip: int = 0,
        strict: bool = False,
        lines: bool = False,
    ) -> None:
        """Read the text of a source from `place`, which is `skip` bytes further on."""
        self.place = place
        self._source = source
        self._chunks = _after(source.chunks(), skip)
        self._rest = b""
        self._strict = strict
        self._end = re.compile(rb"\n" if lines else rb"\n\r?\n")
        self._can_cut = _CUTTABLE.match(codecs.lookup(place.encoding).name) is not None

    def sections(self) -> Iterator[Place]:
        """Yield where each section starts; `pieces` must be used up before the next one."""
        while self._has_more():
            yield self.place

    def pieces(self) -> Iterator[str]:
        """Yield the text of the present section; then `place` is behind it."""
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
        """Find the end of a section that has `size` bytes, of which `tail` are the last ones."""
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
    """Decodes in pieces, and counts what it had to replace."""

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


def first_place(source: Source, encoding: str | None) -> Place:
    """Return where the text of a source begins: its encoding, as given or guessed, and its mark."""
    head = source.peek(HEAD)
    if encoding is not None:
        name = codecs.lookup(encoding).name
        if name in ("utf-8", "utf-8-sig"):
            marked = head.startswith(codecs.BOM_UTF8)
            return Place(encoding="utf-8", byte=len(codecs.BOM_UTF8) * marked)
        return Place(encoding=encoding)
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Place(encoding=name, byte=len(mark))
    return Place(encoding="utf-8" if _fits_utf8(head) else "iso-8859-1")


def _fits_utf8(head: bytes) -> bool:
    """Say whether this is no Latin-1: most of it is UTF-8, or there is no knowing what it is.

    In Latin-1, hardly ever do two letters that are not ASCII follow each other so that they look
    like a character in UTF-8; where one stands alone, it is a bad byte.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    text = decoder.decode(head, len(head) < HEAD)  # otherwise the last character may be cut
    bad = len(_BAD.findall(text))
    if not bad or _UNLIKELY.search(head):  # as nearly all files
        return True
    good = sum(not character.isascii() for character in text) - bad
    return good > bad

"""Reading XML safely as a stream: sentence by sentence, in constant memory.

Nothing is fetched or expanded: a DOCTYPE is skipped, and a document that declares entities is an
error. If the XML is broken, expat stops. Reading then starts again at the next sentence, so that
only the bad sentence is lost.
"""

from __future__ import annotations

import codecs
import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from typing import ClassVar, NoReturn
from xml.parsers import expat

from crossbranch.errors import DamageError, InputError, LimitError
from crossbranch.tree import Tree
from crossbranch.treebank.source import CHUNK, Source

_SLICE = 1 << 15
_LONGEST_TAG = 32
_MOST_REPEATED = 8  # how often a broken document may be read again
_WRAPPER = b"<fragment>"
_DECLARATION = re.compile(
    rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']""", re.ASCII
)


class Sentences(ABC):
    """Makes sentences from XML events. Each XML format has its own subclass."""

    sentence_tag: ClassVar[re.Pattern[bytes]]
    """The start of a sentence, to continue after broken XML."""

    def __init__(self, source: Source) -> None:
        """Prepare for the events of this source."""
        self.source = source
        self.done: list[Tree | InputError] = []
        self.parser: expat.XMLParserType
        self.lines_before = 0
        self.mark = (0, 1)

    def attach(self, parser: expat.XMLParserType, lines_before: int) -> None:
        """Take the events of a parser that starts after this many lines."""
        self.parser = parser
        self.lines_before = lines_before
        self.mark = (0, 1)
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.ProcessingInstructionHandler = self.instruction

    @property
    def line(self) -> int:
        """The line of the current event."""
        return self.lines_before + self.parser.CurrentLineNumber

    def set_mark(self) -> None:
        """Store byte and line of a sentence start or end. After broken XML, reading continues here.

        The error may be found much later: a comment that is not closed hides whole sentences.
        """
        self.mark = (self.parser.CurrentByteIndex, self.parser.CurrentLineNumber)

    def break_off(self, error: InputError) -> NoReturn:
        """Give up the unfinished sentence. A new parser reads the current start tag."""
        raise _Stop(self.parser.CurrentByteIndex, self.parser.CurrentLineNumber, error)

    @abstractmethod
    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a start tag."""

    @abstractmethod
    def end(self, name: str) -> None:
        """Take an end tag. Append a complete tree, or the error in it, to `done`."""

    @abstractmethod
    def instruction(self, target: str, data: str) -> None:
        """Take a processing instruction."""

    @abstractmethod
    def size(self) -> int:
        """Return the number of elements of the unfinished sentence, 0 between sentences."""

    @abstractmethod
    def name(self) -> str:
        """Return the id of the unfinished sentence, if there is one."""

    @abstractmethod
    def abandon(self) -> str | None:
        """Forget the unfinished sentence and return its id; None between sentences."""

    @abstractmethod
    def check_document(self) -> InputError | None:
        """Return an error if a well-formed document is not in this format."""


def read_sentences(source: Source, sentences: Sentences) -> Iterator[Tree]:
    """Yield the trees that `sentences` makes from a source."""
    return _Stream(source, sentences).read()


class _Stop(Exception):  # noqa: N818 - not always an error
    """Where (as the parser counts) and why a parser stopped. After a DOCTYPE, there is no error."""

    def __init__(
        self, byte: int, line: int, error: InputError | None, *, doctype: bool = False
    ) -> None:
        self.byte, self.line, self.error, self.doctype = byte, line, error, doctype


class _Stream:
    """Feeds a parser. If it stops, a new parser continues with the next sentence."""

    def __init__(self, source: Source, sentences: Sentences) -> None:
        self._source = source
        self._sentences = sentences
        self._window = bytearray()  # the bytes that may have to be read again
        self._window_start = 0
        self._place = 0  # start of the parser or, without a parser, of the search for a sentence
        self._lines_before = 0  # lines before that place
        self._parser: expat.XMLParserType | None = None
        self._wrapper = b""  # the first input of a parser, so that many sentences form one document
        self._fed = 0  # where the parser has got to in the window
        self._wanted = 0  # bytes to wait for, inside a long tag or comment
        self._repeated = 0  # bytes that were parsed more than once
        self._segment_end: int | None = None  # where the parser must stop, if sentences are cut out

    def read(self) -> Iterator[Tree]:
        for chunk in _utf8(self._source):
            self._window += chunk
            yield from self._parse(final=False)
            self._check_window()
        yield from self._parse(final=True)
        if not self._wrapper and (error := self._sentences.check_document()):
            self._source.report(error)

    def _check_window(self) -> None:
        """Raise a LimitError if there is no end of a sentence for too long."""
        limits = self._source.limits
        if len(self._window) > limits.sentence + 2 * CHUNK:
            found = f"XML without the end of a sentence for more than {limits.sentence:,} bytes"
            line = self._lines_before + self._sentences.mark[1]
            limits.refuse("sentence", found, path=self._source.path, line=line)

    def _parse(self, *, final: bool) -> Iterator[Tree]:
        while self._parser is not None or self._open(final=final):
            stop = yield from self._feed(final=final)
            if stop is None:
                self._forget_what_is_parsed()
                return
            self._close(stop)
            if stop.error is not None:
                self._source.report(stop.error)

    def _open(self, *, final: bool) -> bool:
        """Start a new parser at the next sentence (first: at the document), if there is one."""
        start = self._place - self._window_start
        found = True
        end = None
        if self._wrapper:
            tag = self._sentences.sentence_tag.search(self._window, start)
            place = tag.start() if tag else max(start, len(self._window) - _LONGEST_TAG)
            if tag and self._cuts_sentences():
                after = self._sentences.sentence_tag.search(self._window, tag.end())
                if after is None and not final:  # the sentence may not be complete yet
                    return False
                end = after.start() if after else len(self._window)
            self._lines_before += self._window.count(b"\n", start, place)
            start, found = place, tag is not None
        del self._window[:start]
        self._place = self._window_start = self._window_start + start
        self._fed = self._wanted = 0
        self._segment_end = None if end is None else end - start
        if found:
            self._parser = self._new_parser()
        return found

    def _new_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.EntityDeclHandler = self._refuse_entities
        parser.EndDoctypeDeclHandler = self._skip_doctype
        if self._wrapper:
            parser.Parse(self._wrapper, False)
        self._sentences.attach(parser, self._lines_before)
        return parser

    def _cuts_sentences(self) -> bool:
        """Whether a document was so broken that each sentence now ends before the next one.

        Otherwise, every comment that is not closed would be read up to the end of the document.
        """
        return self._repeated > _MOST_REPEATED * (self._window_start + len(self._window) + CHUNK)

    def _feed(self, *, final: bool) -> Generator[Tree, None, _Stop | None]:
        """Parse in small pieces, because expat reads to the end of a piece after an exception.

        Expat starts again at the beginning of an unfinished tag, comment or instruction. So the
        pieces grow while it makes no progress.
        """
        parser = self._parser
        assert parser is not None
        end = len(self._window) if self._segment_end is None else self._segment_end
        while (left := end - self._fed) and (left >= self._wanted or final):
            size = max(_SLICE, self._wanted)
            before = parser.CurrentByteIndex
            piece = bytes(self._window[self._fed : min(self._fed + size, end)])
            self._fed += len(piece)
            stop = self._step(piece, final=False) or self._too_large()
            yield from self._deliver()
            if stop is not None:
                return stop
            is_stuck = parser.CurrentByteIndex == before
            self._wanted = max(2 * self._wanted, 2 * _SLICE) if is_stuck else 0
        if self._segment_end is not None:
            return self._end_segment()
        if not final:
            return None
        stop = self._step(b"", final=True)
        yield from self._deliver()
        return stop

    def _too_large(self) -> _Stop | None:
        try:
            line, sentence = self._sentences.line, self._sentences.name()
            self._source.check_size(self._sentences.size(), line=line, sentence=sentence)
        except LimitError as error:
            byte, line = self._sentences.mark
            return _Stop(byte + 1, line, error)
        return None

    def _end_segment(self) -> _Stop:
        """Stop before the next sentence, with an error if this one has no end."""
        assert self._segment_end is not None
        line = 1 + self._window.count(b"\n", 0, self._segment_end)
        name = self._sentences.abandon()
        error = None
        if name is not None:
            error = self._source.error(
                "broken XML (a sentence without an end)",
                f"well-formed XML in {self._source.encoding}",
                line=self._lines_before + self._sentences.mark[1],
                sentence=name,
            )
        return _Stop(self._segment_end + len(self._wrapper), line, error)

    def _step(self, piece: bytes, *, final: bool) -> _Stop | None:
        assert self._parser is not None
        try:
            self._parser.Parse(piece, final)
        except _Stop as stop:
            return stop
        except expat.ExpatError as error:
            byte, line = self._sentences.mark
            sentence = self._sentences.abandon()
            if self._wrapper and sentence is None and (final or self._is_at_end_tag()):
                return _Stop(byte + 1, line, None)  # the end of the document
            return _Stop(byte + 1, line, self._broken(error, sentence or ""))
        return None

    def _broken(self, error: expat.ExpatError, sentence: str) -> InputError:
        return self._source.error(
            f"broken XML ({expat.ErrorString(error.code)})",
            f"well-formed XML in {self._source.encoding}",
            line=self._lines_before + error.lineno,
            sentence=sentence,
        )

    def _is_at_end_tag(self) -> bool:
        """Say whether expat reports an error in an end tag: its position is after `</`."""
        assert self._parser is not None
        place = self._place - len(self._wrapper) + self._parser.ErrorByteIndex
        return self._window.endswith(b"</", 0, max(place - self._window_start, 0))

    def _deliver(self) -> Iterator[Tree]:
        done = self._sentences.done
        self._sentences.done = []
        for item in done:
            if isinstance(item, InputError):
                self._source.report(item)
            else:
                yield item

    def _close(self, stop: _Stop) -> None:
        """Store where to continue: always after the start of the current parser."""
        self._sentences.abandon()
        self._parser = None
        place = self._place - len(self._wrapper) + stop.byte
        self._place = max(place + stop.doctype, self._place + 1, self._window_start)
        self._repeated += max(self._window_start + self._fed - self._place, 0)
        self._lines_before += stop.line - 1
        self._wrapper = b"" if stop.doctype else _WRAPPER

    def _forget_what_is_parsed(self) -> None:
        place = self._place - len(self._wrapper) + self._sentences.mark[0]
        if place > self._window_start:
            size = place - self._window_start
            del self._window[:size]
            self._window_start = place
            self._fed -= size

    def _refuse_entities(self, *_: object) -> None:
        parser = self._parser
        assert parser is not None
        line = parser.CurrentLineNumber
        error = self._source.error(
            "an entity declaration",
            "XML that declares no entities",
            line=self._lines_before + line,
        )
        raise _Stop(parser.CurrentByteIndex, line, error)

    def _skip_doctype(self) -> None:
        """Continue after the DOCTYPE. With one, expat would silently drop unknown entities."""
        parser = self._parser
        assert parser is not None
        raise _Stop(parser.CurrentByteIndex, parser.CurrentLineNumber, None, doctype=True)


def _utf8(source: Source) -> Iterator[bytes]:
    """Yield a source in UTF-8. Bytes outside its encoding become a character that XML forbids."""
    encoding = source.encoding or _detect(source.peek())
    source.encoding = encoding
    try:
        if codecs.lookup(encoding).name == "utf-8":
            yield from source.chunks()
            return
        "<".encode(encoding)  # some codecs are not for text
        decoder = codecs.getincrementaldecoder(encoding)("crossbranch.forbid")
        for chunk in source.chunks():
            yield decoder.decode(chunk).encode("utf-8", "replace")
        yield decoder.decode(b"", True).encode("utf-8", "replace")
    except LookupError:
        raise source.error(f"the encoding {encoding!r}", "an encoding of text", line=1) from None
    except (UnicodeError, ValueError) as error:
        found = f"unreadable text ({error})"
        raise DamageError(found, f"text in {encoding}", path=source.path) from None


def _detect(head: bytes) -> str:
    """Return the encoding by byte order mark or XML declaration; UTF-8 if there is neither."""
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if head.startswith((b"<\0?\0", b"\0<\0?")):
        return "utf-16-le" if head[0] else "utf-16-be"
    declared = _DECLARATION.match(head)
    encoding = declared[1].decode("ascii").lower() if declared else "utf-8"
    # A declaration that can be read byte by byte is not in a wider encoding, even if it says so.
    return "utf-8" if encoding.startswith(("utf-16", "utf-32", "ucs", "iso-10646")) else encoding


def _forbid(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "\x01", error.end


codecs.register_error("crossbranch.forbid", _forbid)

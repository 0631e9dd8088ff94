"""The sentences of all inputs, one after the other, starting at any mark."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, cast

import msgspec

from crossbranch.doors import door
from crossbranch.errors import CrossbranchError, InputError, OptionError, UsageError
from crossbranch.jobs.inputs import RAW, JobInput
from crossbranch.parsers.sentences import untagged
from crossbranch.text.decoding import RawText, TextPlace, first_place, looks_like
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS, read
from crossbranch.treebank.files import check_encoding, open_streams, strip_compression
from crossbranch.treebank.source import OnError, Source

if TYPE_CHECKING:
    from crossbranch.text import Tokenizer

_SHOWN = 40  # characters of a tag that are kept as an example


class TagCounts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Counts tokens without a tag, or with a tag that the model does not know."""

    missing: int = 0
    unknown: int = 0
    example: str = ""
    """One of the unknown tags."""

    def add(self, tags: Sequence[str], known: Container[str]) -> TagCounts:
        """Return the counts after one more sentence."""
        unknown = [tag for tag in tags if tag and tag not in known]
        return TagCounts(
            missing=self.missing + tags.count(""),
            unknown=self.unknown + len(unknown),
            example=self.example or (unknown[0][:_SHOWN] if unknown else ""),
        )


class ReadingMark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A place where reading can start: the input, the file in it, the place in the file's text.

    It also has the counts up to that place.
    """

    input: int = 0
    member: int = 0
    at: TextPlace = TextPlace()
    begun: bool = False
    """Whether the file has a sentence before this place."""
    tags: TagCounts = TagCounts()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """How to read sentences."""

    encoding: str | None = None
    on_error: OnError = "stop"
    lines: bool = False
    """Each line of raw text is a sentence."""
    keep_tags: bool = False
    """Use the tags of treebanks."""
    needs_tags: bool = False
    """The model has no tagger."""
    known_tags: frozenset[str] | None = None
    """The tags of the tagger. Other tags are counted. If None, nothing is counted."""
    names_documents: bool = False
    """Add a comment at the beginning of each raw-text file, if there are several."""
    tokenizer: Tokenizer | None = None
    report: Callable[[CrossbranchError], None] = lambda error: None
    """Called for each bad sentence that is skipped."""
    tell: Callable[[str], None] = lambda message: None
    """Called with messages, for example about a guessed encoding."""


class JobSentences:
    """All sentences of a job: flat trees, or the trees of a treebank; only their tokens matter."""

    @door
    def __init__(self, inputs: Sequence[JobInput], options: ReadingOptions) -> None:
        """Prepare to read. Nothing is opened yet."""
        if options.encoding is not None:
            check_encoding(options.encoding)
        self.replaced = 0
        """The number of raw-text characters that could not be decoded."""
        self.tags = TagCounts()
        """The number of missing and unknown tags, if tags are kept."""
        self.count = 0
        """The number of sentences that were yielded so far."""
        self._inputs = inputs
        self._options = options
        raw = [one for one in inputs if one.format == RAW]
        self._are_several = len(raw) > 1 and any(one.text is None for one in raw)
        self._marks: deque[tuple[int, ReadingMark]] = deque()  # with the sentences before each
        sizes = [_size(one) for one in inputs]
        self.size = None if None in sizes else sum(filter(None, sizes))
        """The number of bytes in all files, or None if it is not known."""
        self._sizes = [size or 0 for size in sizes]
        self._before = 0  # bytes of the finished inputs
        self._file: IO[bytes] | None = None  # the current one
        self._stop = (len(inputs), 0, 0)  # the place where reading stops

    @property
    def is_live(self) -> bool:
        """Whether the next sentence may take a long time to arrive."""
        return any(one.is_live for one in self._inputs)

    @property
    def position(self) -> int:
        """The number of bytes that have been read."""
        try:
            return self._before + (0 if self._file is None else self._file.tell())
        except (AttributeError, ValueError):  # another thread has just closed it
            return self._before

    @door
    def start(
        self,
        mark: ReadingMark = ReadingMark(),  # noqa: B008 - frozen
        count: int = 0,
        stop: ReadingMark | None = None,
    ) -> Iterator[Tree]:
        """Yield the sentences from a mark on, up to the mark `stop` if there is one.

        `count` is the number of sentences before the first mark.
        """
        self.count = count
        self._before = sum(self._sizes[: mark.input])
        self.replaced, self.tags = mark.at.replaced, mark.tags
        self._stop = (len(self._inputs), 0, 0) if stop is None else _place(stop)
        for index in range(mark.input, len(self._inputs)):
            if (index, 0, 0) >= self._stop:
                break
            input = self._inputs[index]
            here = mark if index == mark.input else ReadingMark(input=index)
            sentences = self._raw(input, here) if input.format == RAW else self._read(input, index)
            for tree in sentences:
                self.count += 1
                yield tree
            self._before += self._sizes[index]

    @door
    def marks(self, size: int) -> Iterator[ReadingMark]:
        """Yield the places where reading can start, without splitting the text into tokens.

        These are the beginnings of all inputs, and of the sections of raw-text files with more than
        `size` bytes. Files that cannot be read from the middle, such as compressed ones, are not
        cut.
        """
        for index, input in enumerate(self._inputs):
            first = ReadingMark(input=index)
            yield first
            if input.format != RAW or self._sizes[index] <= size or not _can_be_cut(input):
                continue
            with self._opened(input) as file:
                for name, stream in _streams(input, file):
                    text = self._raw_text(name, stream, first, self._options.encoding, True)
                    for start in text.sections():
                        if start.character:
                            yield ReadingMark(input=index, at=start)
                        for _ in text.pieces():
                            pass

    @door
    def mark_before(self, count: int) -> tuple[ReadingMark, int]:
        """Return the last mark before the sentence `count`, and the number of sentences before it.

        Earlier marks are deleted.
        """
        while len(self._marks) > 1 and self._marks[1][0] <= count:
            self._marks.popleft()
        before, mark = self._marks[0]
        return mark, before

    def _add_mark(self, mark: ReadingMark) -> None:
        self._marks.append((self.count, mark))

    def _raw(self, input: JobInput, mark: ReadingMark) -> Iterator[Tree]:
        with self._opened(input) as file:
            for member, (name, stream) in enumerate(_streams(input, file)):
                if member < mark.member:
                    continue
                here = (
                    mark if member == mark.member else ReadingMark(input=mark.input, member=member)
                )
                encoding = self._options.encoding if input.text is None else "utf-8"
                can_seek = stream is self._file and stream.seekable()
                comments = self._comments(input, name)
                yield from self._raw_stream(name, stream, here, encoding, can_seek, comments)

    def _comments(self, input: JobInput, name: str) -> tuple[str, ...]:
        """Return the comments of the first sentence of a file, as in CoNLL-U."""
        is_member = input.text is None and name not in (str(input.path), "<stdin>")
        if not self._options.names_documents or not (self._are_several or is_member):
            return ()
        given = name if is_member else input.name
        shown = given.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        return (f"newdoc id = {shown}",)

    def _raw_stream(
        self,
        name: str,
        stream: IO[bytes],
        mark: ReadingMark,
        encoding: str | None,
        can_seek: bool,
        comments: tuple[str, ...],
    ) -> Iterator[Tree]:
        options = self._options
        tokenizer = options.tokenizer
        assert tokenizer is not None  # otherwise no input is raw
        text = self._raw_text(name, stream, mark, encoding, can_seek)
        begun = mark.begun
        for start in text.sections():
            if (mark.input, mark.member, start.byte) >= self._stop:
                return
            self._add_mark(msgspec.structs.replace(mark, at=start, begun=begun, tags=self.tags))
            pieces = text.pieces()
            for tree in tokenizer.stream(pieces, lines=options.lines, start=start.character):
                yield tree.replace(id=str(self.count + 1), comments=() if begun else comments)
                begun = True
            for _ in pieces:  # the tokenizer may not have read all of them
                pass
            self.replaced = text.place.replaced

    def _raw_text(
        self,
        name: str,
        stream: IO[bytes],
        mark: ReadingMark,
        encoding: str | None,
        can_seek: bool,
    ) -> RawText:
        """Prepare to read raw text from a mark on."""
        options = self._options
        is_new = not mark.at.encoding
        if not is_new and can_seek:
            stream.seek(mark.at.byte)
        source = Source(name, stream, on_error=options.on_error, report=options.report)
        place = self._first_place(source, encoding) if is_new else mark.at
        skip = place.byte if is_new or not can_seek else 0
        strict = encoding is not None and options.on_error == "stop"
        return RawText(source, place, skip=skip, strict=strict, lines=options.lines)

    def _first_place(self, source: Source, encoding: str | None) -> TextPlace:
        first = first_place(source, encoding)
        if encoding is None and (found := looks_like(source)):
            self._options.tell(f"{source.path} looks like {found}, not like text")
        if encoding is None and first.encoding == "iso-8859-1":
            self._options.tell(
                f"{source.path} is not UTF-8 and is read as iso-8859-1; if that is wrong, give its"
                " encoding"
            )
        return msgspec.structs.replace(first, replaced=self.replaced)

    def _read(self, input: JobInput, index: int) -> Iterator[Tree]:
        """Yield the sentences of a file that is not raw text."""
        options = self._options
        self._add_mark(
            ReadingMark(input=index, at=TextPlace(replaced=self.replaced), tags=self.tags)
        )
        before = self.count
        with self._opened(input) as file:
            reader = read(
                "-" if file is None else file,
                format=input.format,
                encoding=options.encoding if input.text is None else "utf-8",
                on_error=options.on_error,
                report=options.report,
            )
            _ = reader.header  # reads as far as the first sentence
            self._check(reader.format, input.name)  # also if there is no sentence
            for number, tree in enumerate(reader, 1):
                self._check(reader.format, input.name)
                if (sentence := self._tagged(tree, reader.format, input.name, number)) is None:
                    continue
                if len(self._inputs) > 1 and _counts_lines(reader.format):
                    sentence = sentence.replace(id=str(before + int(tree.id)))
                yield sentence

    def _check(self, format: str | None, name: str) -> None:
        """Raise an error if the model needs the tags of a treebank without `keep_tags`."""
        options = self._options
        if options.needs_tags and not options.keep_tags and _is_treebank(format):
            raise OptionError(
                "{name} is a treebank, but this model has no tagger; give {0} to use the tags of"
                " the treebank, or give a file with word/tag",
                "keep_tags",
                name=name,
            )

    def _tagged(self, tree: Tree, format: str | None, name: str, number: int) -> Tree | None:
        """Remove tags that are not used. Report a sentence without tags if tags are needed."""
        options = self._options
        if not options.needs_tags:
            if options.keep_tags or not _is_treebank(format):
                if options.known_tags is not None and format and FORMATS[format].holds.tags:
                    self.tags = self.tags.add(tree.tags, options.known_tags)
                return tree
            return tree.replace(sentence=untagged(tree.sentence))
        if not tree.sentence or any(token.tag for token in tree.sentence):
            return tree
        found = f"the word {tree.sentence[0].form!r} without a tag"
        place = tree.id or str(number)
        error = InputError(
            found, "tags, as in word/tag", path="<stdin>" if name == "-" else name, sentence=place
        )
        if options.on_error == "stop":
            raise error
        options.report(error)
        return None

    @contextmanager
    def _opened(self, input: JobInput) -> Iterator[IO[bytes] | None]:
        """Open the input. None stands for standard input."""
        if input.text is not None:
            yield io.BytesIO(input.text.encode("utf-8"))
        elif (path := input.path) is None:
            yield None
        else:
            try:
                file = path.open("rb")
            except OSError as error:
                reason = error.strerror or type(error).__name__
                raise UsageError(f"cannot read {path}: {reason.lower()}") from error
            with file:
                self._file = file
                try:
                    yield file
                finally:
                    self._file = None


def _streams(input: JobInput, file: IO[bytes] | None) -> Iterator[tuple[str, IO[bytes]]]:
    if input.text is not None:
        yield input.name, cast("IO[bytes]", file)
    else:
        yield from open_streams("-" if file is None else file)


def _place(mark: ReadingMark) -> tuple[int, int, int]:
    """Return the place of a mark: its input, the file in it, and the byte."""
    return mark.input, mark.member, mark.at.byte


def _can_be_cut(input: JobInput) -> bool:
    """Return True if a file can be read from any byte on: it is not compressed, by its name."""
    return input.path is not None and strip_compression(input.name) == input.name


def _is_treebank(format: str | None) -> bool:
    return format is not None and FORMATS[format].holds.constituents


def _counts_lines(format: str | None) -> bool:
    return format is not None and FORMATS[format].fits_any_text


def _size(input: JobInput) -> int | None:
    if input.text is not None:
        return 0
    path = input.path
    return path.stat().st_size if path is not None and path.is_file() else None

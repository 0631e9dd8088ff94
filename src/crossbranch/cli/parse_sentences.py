"""The sentences of all inputs, one after the other, from any place on that was marked before."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, cast

import msgspec

from crossbranch.cli.parse_input import RAW, Input
from crossbranch.cli.parse_raw import Place, RawText, TagCounts, first_place
from crossbranch.errors import CrossbranchError, InputError, UsageError
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS, read
from crossbranch.treebank.files import check_encoding, open_streams
from crossbranch.treebank.source import OnError, Source

if TYPE_CHECKING:
    from crossbranch.text import Tokenizer

Note = Callable[[CrossbranchError], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How to read."""

    encoding: str | None
    on_error: OnError
    lines: bool
    keep_tags: bool
    """Whether the tags of treebanks are used."""
    needs_tags: bool
    """Whether nobody else will provide tags."""
    known_tags: frozenset[str] | None = None
    """What the tagger gives; None where nobody counts other tags."""
    names_documents: bool = False
    """Whether a comment says where each file of raw text begins, if there are several."""
    tokenizer: Tokenizer | None
    note: Note
    """What is told about each bad sentence that is left out."""
    tell: Callable[[str], None]
    """What is told about decisions."""


class Sentences:
    """All sentences of a call, as flat trees or with trees that nobody will look at."""

    def __init__(self, inputs: Sequence[Input], reading: Reading) -> None:
        """Prepare to read; nothing is opened yet."""
        if reading.encoding is not None:
            check_encoding(reading.encoding)
        self.replaced = 0
        """Characters of raw text that were not in the encoding."""
        self.tags = TagCounts()
        """Of the tags that are kept: those that are missing or unknown."""
        self._inputs = inputs
        self._reading = reading
        raw = [one for one in inputs if one.format == RAW]
        self._are_several = len(raw) > 1 and any(one.text is None for one in raw)
        self._count = 0  # sentences handed on
        self._marks: deque[tuple[int, Place]] = deque()  # with the sentences before each
        sizes = [_size(one) for one in inputs]
        self.size = None if None in sizes else sum(filter(None, sizes))
        """Bytes in all files, where that is known."""
        self._sizes = [size or 0 for size in sizes]
        self._before = 0  # bytes of the inputs that are finished
        self._file: IO[bytes] | None = None  # the present one

    @property
    def position(self) -> int:
        """How many bytes of the files have been read."""
        return self._before + (0 if self._file is None else self._file.tell())

    def start(self, place: Place, count: int) -> Iterator[Tree]:
        """Yield the sentences from a place on, before which there are `count` sentences."""
        self._count = count
        self._before = sum(self._sizes[: place.input])
        self.replaced, self.tags = place.replaced, place.tags
        for index in range(place.input, len(self._inputs)):
            input = self._inputs[index]
            here = place if index == place.input else Place(input=index)
            sentences = self._raw(input, here) if input.format == RAW else self._read(input, index)
            for tree in sentences:
                self._count += 1
                yield tree
            self._before += self._sizes[index]

    def place_of(self, count: int) -> tuple[Place, int]:
        """Return the last place marked before the sentence `count`, and how many are before it.

        Places before that are forgotten.
        """
        while len(self._marks) > 1 and self._marks[1][0] <= count:
            self._marks.popleft()
        before, place = self._marks[0]
        return place, before

    def _mark(self, place: Place) -> None:
        self._marks.append((self._count, place))

    def _raw(self, input: Input, place: Place) -> Iterator[Tree]:
        with self._opened(input) as file:
            for member, (name, stream) in enumerate(_streams(input, file)):
                if member < place.member:
                    continue
                here = place if member == place.member else Place(input=place.input, member=member)
                encoding = self._reading.encoding if input.text is None else "utf-8"
                can_seek = stream is self._file and stream.seekable()
                comments = self._comments(input, name)
                yield from self._raw_stream(name, stream, here, encoding, can_seek, comments)

    def _comments(self, input: Input, name: str) -> tuple[str, ...]:
        """Return those of the first sentence of a file, in the words of CoNLL-U."""
        is_member = input.text is None and name not in (str(input.path), "<stdin>")
        if not self._reading.names_documents or not (self._are_several or is_member):
            return ()
        given = name if is_member else input.name
        shown = given.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        return (f"newdoc id = {shown}",)

    def _raw_stream(
        self,
        name: str,
        stream: IO[bytes],
        place: Place,
        encoding: str | None,
        can_seek: bool,
        comments: tuple[str, ...],
    ) -> Iterator[Tree]:
        reading = self._reading
        tokenizer = reading.tokenizer
        assert tokenizer is not None  # otherwise no input is raw
        is_new = not place.encoding
        if not is_new and can_seek:
            stream.seek(place.byte)
        source = Source(name, stream, on_error=reading.on_error, report=reading.note)
        if is_new:
            place = self._first(source, place, encoding)
        skip = place.byte if is_new or not can_seek else 0
        strict = encoding is not None and reading.on_error == "stop"
        text = RawText(source, place, skip=skip, strict=strict, lines=reading.lines)
        begun = place.begun
        for start in text.sections():
            self._mark(msgspec.structs.replace(start, begun=begun))
            pieces = text.pieces()
            for tree in tokenizer.stream(pieces, lines=reading.lines, start=start.character):
                yield tree.replace(id=str(self._count + 1), comments=() if begun else comments)
                begun = True
            for _ in pieces:  # what a tokenizer may have left
                pass
            self.replaced = text.place.replaced

    def _first(self, source: Source, place: Place, encoding: str | None) -> Place:
        first = first_place(source, encoding)
        if encoding is None and first.encoding == "iso-8859-1":
            self._reading.tell(f"{source.path} is read as iso-8859-1 (--encoding says otherwise)")
        return msgspec.structs.replace(
            first,
            input=place.input,
            member=place.member,
            replaced=self.replaced,
            tags=self.tags,
        )

    def _read(self, input: Input, index: int) -> Iterator[Tree]:
        """Yield the sentences of a file that has them."""
        reading = self._reading
        self._mark(Place(input=index, replaced=self.replaced, tags=self.tags))
        before = self._count
        with self._opened(input) as file:
            reader = read(
                "-" if file is None else file,
                format=input.format,
                encoding=reading.encoding if input.text is None else "utf-8",
                on_error=reading.on_error,
                report=reading.note,
            )
            _ = reader.header  # reads as far as the first sentence
            self._check(reader.format, input.name)  # also where there is none
            for number, tree in enumerate(reader, 1):
                self._check(reader.format, input.name)
                if (sentence := self._tagged(tree, reader.format, input.name, number)) is None:
                    continue
                if len(self._inputs) > 1 and _counts_lines(reader.format):
                    sentence = sentence.replace(id=str(before + int(tree.id)))
                yield sentence

    def _check(self, format: str | None, name: str) -> None:
        """Refuse to take gold tags for granted."""
        if not self._reading.needs_tags or self._reading.keep_tags or not _is_treebank(format):
            return
        raise UsageError(
            f"{name} is a treebank and this model has no tagger: give --gold-tags to use the tags"
            " of the treebank, or a file with word/tag"
        )

    def _tagged(self, tree: Tree, format: str | None, name: str, number: int) -> Tree | None:
        """Take tags away that are not to be used; report a sentence that needs them."""
        reading = self._reading
        if not reading.needs_tags:
            if reading.keep_tags or not _is_treebank(format):
                if reading.known_tags is not None and format and FORMATS[format].holds.tags:
                    self.tags = self.tags.add(tree.tags, reading.known_tags)
                return tree
            return tree.replace(sentence=[token._replace(tag="") for token in tree.sentence])
        if not tree.sentence or any(token.tag for token in tree.sentence):
            return tree
        found = f"the word {tree.sentence[0].form!r} without a tag"
        place = tree.id or str(number)
        error = InputError(
            found, "tags, as in word/tag", path="<stdin>" if name == "-" else name, sentence=place
        )
        if reading.on_error == "stop":
            raise error
        reading.note(error)
        return None

    @contextmanager
    def _opened(self, input: Input) -> Iterator[IO[bytes] | None]:
        """Open what is to be read; None is standard input."""
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


def _streams(input: Input, file: IO[bytes] | None) -> Iterator[tuple[str, IO[bytes]]]:
    if input.text is not None:
        yield input.name, cast("IO[bytes]", file)
    else:
        yield from open_streams("-" if file is None else file)


def _is_treebank(format: str | None) -> bool:
    return format is not None and FORMATS[format].holds.constituents


def _counts_lines(format: str | None) -> bool:
    return format is not None and FORMATS[format].fits_any_text


def _size(input: Input) -> int | None:
    if input.text is not None:
        return 0
    path = input.path
    return path.stat().st_size if path is not None and path.is_file() else None

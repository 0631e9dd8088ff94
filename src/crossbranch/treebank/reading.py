"""Reading treebanks: the format is guessed, the files are opened, the trees stream out."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping
from pathlib import Path

from crossbranch.errors import InputError, UsageError
from crossbranch.tree import Tree
from crossbranch.treebank.files import Readable, open_streams, strip_compression
from crossbranch.treebank.format import Format
from crossbranch.treebank.header import Header
from crossbranch.treebank.source import OnError, Report, Source


class Reader(Iterator[Tree]):
    """Trees from one or more files, one after the other.

    `header` is what the first file says about itself, `format` the format of the latest file, `skipped` the number of
    sentences left out because they were bad.
    """

    def __init__(
        self,
        target: Readable,
        formats: Mapping[str, Format],
        *,
        format: str | None = None,
        encoding: str | None = None,
        on_error: OnError = "stop",
        report: Report | None = None,
    ) -> None:
        """Prepare to read; nothing is opened before the first tree is asked for."""
        if format is not None:
            find_format(formats, format)
        if encoding is not None:
            _check_encoding(encoding)
        if on_error not in ("stop", "skip"):
            raise UsageError(f"on_error is {on_error!r}, expected 'stop' or 'skip'")
        self.format = format
        self.encoding = encoding
        self.target = target
        self._formats = formats
        self._given_format = format
        self._on_error = on_error
        self._report = report
        self._sources: list[Source] = []
        self._skipped_before = 0
        self._trees = self._read()
        self._ahead: list[Tree] = []

    @property
    def header(self) -> Header:
        """What the treebank says about itself; reads as far as the first tree."""
        if not self._sources and not self._ahead:
            self._ahead.extend([tree for tree in [next(self._trees, None)] if tree is not None])
        return self._sources[0].header if self._sources else Header()

    @property
    def skipped(self) -> int:
        """The number of bad sentences left out so far."""
        return sum(source.skipped for source in self._sources) + self._skipped_before

    def __next__(self) -> Tree:
        return self._ahead.pop() if self._ahead else next(self._trees)

    def _read(self) -> Iterator[Tree]:
        for name, stream in open_streams(self.target):
            source = Source(
                name,
                stream,
                encoding=self.encoding,
                on_error=self._on_error,
                report=self._report,
            )
            if len(self._sources) > 1:  # the first is kept for its header, the latest for its count
                self._skipped_before += self._sources.pop().skipped
            self._sources.append(source)
            format = self._choose(source)
            if format is not None:
                self.format = format.name
                yield from format.read(source)

    def _choose(self, source: Source) -> Format | None:
        try:
            if self._given_format is not None:
                return find_format(self._formats, self._given_format)
            return guess_format(self._formats, source)
        except InputError as error:  # one strange file in a folder is one bad sentence
            source.report(error)
            return None


def find_format(formats: Mapping[str, Format], name: str) -> Format:
    """Return the format with this name."""
    if name not in formats:
        raise UsageError(f"unknown format {name!r}; there are {', '.join(formats)}")
    return formats[name]


def guess_format(formats: Mapping[str, Format], source: Source) -> Format:
    """Choose a format by name and content: of those whose content fits, one whose suffix fits."""
    head = _decode_head(source)
    fitting = [format for format in formats.values() if format.looks_like(head)]
    by_name = [format for format in fitting if has_suffix(format, source.path)]
    if by_name or fitting:
        return (by_name or fitting)[0]
    by_name = [format for format in formats.values() if has_suffix(format, source.path)]
    if by_name:  # let its reader say what is wrong
        return by_name[0]
    raise source.error("text in no known format", f"one of {', '.join(formats)}", byte=0)


def guess_format_by_name(formats: Mapping[str, Format], name: str) -> Format:
    """Choose the format to write by the name of the file."""
    for format in formats.values():
        if has_suffix(format, name):
            return format
    known = ", ".join(suffix for format in formats.values() for suffix in format.suffixes)
    raise UsageError(f"cannot tell a format from the name {name!r}; known endings: {known}")


def has_suffix(format: Format, name: str) -> bool:
    """Say whether a file name, less its compression, ends as files of this format do."""
    return strip_compression(name).lower().endswith(format.suffixes) if format.suffixes else False


def _decode_head(source: Source) -> str:
    head = source.peek()
    if source.encoding is not None:
        return head.decode(source.encoding, "replace").removeprefix("\ufeff")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return head.decode("utf-16", "replace")
    return head.decode("utf-8-sig", "replace")


def _check_encoding(encoding: str) -> None:
    try:
        codecs.lookup(encoding)
    except LookupError:
        raise UsageError(f"unknown encoding: {encoding}") from None


def same_file(one: Readable, other: object) -> bool:
    """Say whether both name one file on disk, which cannot be read and written at once."""
    if not isinstance(one, str | Path) or not isinstance(other, str | Path):
        return False
    first, second = Path(one), Path(other)
    return first.exists() and second.exists() and first.samefile(second)

"""Reading treebanks: guess the format, open the files, and yield the trees one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.tree import Tree
from crossbranch.treebank.files import (
    Readable,
    check_encoding,
    is_text,
    open_streams,
    strip_compression,
)
from crossbranch.treebank.format import Format
from crossbranch.treebank.header import Header
from crossbranch.treebank.limits import Limits, current_limits
from crossbranch.treebank.source import OnError, Report, Source, check_on_error


class Reader(Iterator[Tree]):
    """An iterator of trees from one or more files.

    `header` is the header of the first file. `format` is the format of the current file. `skipped`
    is the number of bad sentences that were skipped.
    """

    @door
    def __init__(
        self,
        target: Readable,
        formats: Mapping[str, Format],
        *,
        format: str | None = None,
        encoding: str | None = None,
        on_error: OnError = "stop",
        report: Report | None = None,
        limits: Limits | None = None,
    ) -> None:
        """Prepare to read. Files are opened when the first tree is needed."""
        if format is not None:
            find_format(formats, format)
        if encoding is not None:
            check_encoding(encoding)
        check_on_error(on_error)
        self.format = format
        self.encoding = encoding
        self.target = target
        self._formats = formats
        self._given_format = format
        self._on_error = on_error
        self._report = report
        self._limits = limits or current_limits()
        self._first: Source | None = None  # the first one that could be read
        self._present: Source | None = None
        self._skipped_before = 0  # in the sources before the current one
        self._trees = self._read()
        self._ahead: list[Tree] = []

    @property
    def header(self) -> Header:
        """The header of the treebank. Reads the file up to the first tree."""
        if self._present is None and not self._ahead:
            self._ahead.extend([tree for tree in [next(self._trees, None)] if tree is not None])
        return self._first.header if self._first is not None else Header()

    @property
    def skipped(self) -> int:
        """The number of bad sentences skipped so far."""
        return self._skipped_before + (self._present.skipped if self._present is not None else 0)

    def __next__(self) -> Tree:
        return self._ahead.pop() if self._ahead else next(self._trees)

    def _read(self) -> Iterator[Tree]:
        encoding = "utf-8" if is_text(self.target) else self.encoding
        for name, stream in open_streams(self.target, limits=self._limits):
            self._skipped_before = self.skipped
            source = self._present = Source(
                name,
                stream,
                encoding=encoding,
                on_error=self._on_error,
                report=self._report,
                limits=self._limits,
            )
            format = self._choose(source)
            if format is not None:
                self._first = self._first or source
                self.format = format.name
                yield from self._read_source(format, source)
        if self._first is None and not self.skipped:
            found = "only plain text files with unknown endings"
            raise InputError(
                found, "treebank files, or the name of the format", path=str(self.target)
            )

    def _read_source(self, format: Format, source: Source) -> Iterator[Tree]:
        try:
            yield from format.read(source)
        except InputError as error:  # the rest of this file cannot be read, but other files can
            if self._on_error == "stop":
                raise
            source.report(error)

    def _choose(self, source: Source) -> Format | None:
        if self._given_format is not None:
            return find_format(self._formats, self._given_format)
        try:
            format = guess_format(self._formats, source)
        except InputError as error:  # an unknown file in a folder counts as one bad sentence
            source.report(error)
            return None
        return None if format.fits_any_text and self._is_beside(source.path) else format

    def _is_beside(self, path: str) -> bool:
        """Say whether a plain text file is not part of the treebank beside it, such as a README."""
        if not isinstance(self.target, str | Path) or path in (str(Path(self.target)), "<stdin>"):
            return False
        return not any(format.fits_any_text for format in _named(self._formats, path))


def find_format(formats: Mapping[str, Format], name: str) -> Format:
    """Return the format with this name."""
    if name not in formats:
        raise UsageError(f"unknown format {name!r}; expected one of {', '.join(formats)}")
    return formats[name]


def guess_format(formats: Mapping[str, Format], source: Source) -> Format:
    """Choose a format by content and name. Content is the better proof, except for plain text."""
    head = source.head()
    fitting = [format for format in formats.values() if format.looks_like(head)]
    # The ending .txt does not prove a format.
    is_any = strip_compression(source.path).lower().endswith(".txt")
    named = [] if is_any else _named(formats, source.path)
    both = [format for format in named if format in fitting]
    proven = [format for format in fitting if not format.fits_any_text]
    for candidates in (both, proven, named, fitting):
        if candidates:  # if only the name fits, the reader will say what is wrong
            return candidates[0]
    raise source.error("text in an unknown format", f"one of {', '.join(formats)}", byte=0)


def guess_format_by_name(formats: Mapping[str, Format], name: str) -> Format:
    """Choose the format to write by the file name."""
    if named := _named(formats, name):
        return named[0]
    known = ", ".join(suffix for format in formats.values() for suffix in format.suffixes)
    raise UsageError(f"cannot recognise the format by the name {name!r}; known endings: {known}")


def _named(formats: Mapping[str, Format], name: str) -> list[Format]:
    """Return the formats that fit a file name, the one with the longest suffix first."""
    name = strip_compression(name).lower()

    def length(format: Format) -> int:
        return max((len(s) for s in format.suffixes if name.endswith(s)), default=0)

    return sorted(filter(length, formats.values()), key=length, reverse=True)


def same_file(one: Readable, other: object) -> bool:
    """Say whether both are the same file, or the first is a folder that contains the other.

    This prevents writing to a file that is being read.
    """
    if not isinstance(one, str | Path) or not isinstance(other, str | Path) or str(other) == "-":
        return False
    first, second = Path(one), Path(other)
    if first.is_dir():
        return second.resolve().is_relative_to(first.resolve())
    return first.exists() and second.exists() and first.samefile(second)

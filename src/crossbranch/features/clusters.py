"""Brown clusters: a path of bits for each word. Similar words share the first bits.

A table is a file with the lines `BITS <tab> WORD [<tab> COUNT]`, as programs for Brown clustering
write it; it may be compressed. Or it is a JSON file of the package spacy-lookups-data: give its
path, or `spacy:LANGUAGE` if the package is installed. The most frequent words come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module, resources
from typing import Self

import msgspec

from crossbranch.errors import InputError, UsageError
from crossbranch.treebank.files import open_streams
from crossbranch.treebank.source import Source

_PACKAGE = "spacy_lookups_data"
_PREFIX = "spacy:"
_SUFFIX = "_lexeme_cluster.json.gz"
_EXPECTED_LINE = "bits, a word and optionally a count, separated by tabs"
KEPT = 200_000
"""The number of words of a table that a model keeps, besides those of its training data."""


class Clusters:
    """A table of clusters: a path of bits for each word, the most frequent word first."""

    def __init__(self, paths: Mapping[str, str], *, name: str = "", is_kept: bool = False) -> None:
        """Make a table from words and their paths; `is_kept`: `keep` was already called."""
        self.name = name
        self.paths = dict(paths)
        self._is_kept = is_kept

    @classmethod
    def read(cls, name: str) -> Self:
        """Read a table: a file, or `spacy:LANGUAGE`.

        Raises:
            UsageError: There is no such table.
            InputError: The file is not a table of clusters.
        """
        target = _packaged(name) if name.startswith(_PREFIX) else name
        paths: dict[str, str] = {}
        for path, stream in open_streams(target, pipes=False):
            source = Source(path, stream)
            is_json = source.peek(1).startswith(b"{")
            paths |= _read_json(source) if is_json else _read_lines(source)
        return cls(paths, name=name)

    def find(self, form: str) -> str:
        """Return the path of a word, or of the word in lower case; empty if neither is known."""
        return self.paths.get(form) or self.paths.get(form.lower(), "")

    def keep(self, words: Iterable[str] = (), *, limit: int = KEPT) -> Clusters:
        """Return a smaller table, with the `limit` most frequent words and those of `words`.

        The whole table would be larger than the rest of a model, and rare words hardly help. A
        table that was made smaller once is returned as it is, so that the parser and the tagger of
        a model can share it.
        """
        if self._is_kept:
            return self
        wanted = set(words)
        wanted.update(word.lower() for word in list(wanted))
        kept = {
            word: path
            for rank, (word, path) in enumerate(self.paths.items())
            if rank < limit or word in wanted
        }
        return Clusters(kept, name=self.name, is_kept=True)

    def __len__(self) -> int:
        return len(self.paths)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clusters):
            return NotImplemented
        # The order matters, too: `keep` depends on it.
        return self.name == other.name and list(self.paths.items()) == list(other.paths.items())

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> bytes:
        """Return the table as JSON: paths, words, and the number of the path of each word."""
        numbers: dict[str, int] = {}
        places = [numbers.setdefault(path, len(numbers)) for path in self.paths.values()]
        return msgspec.json.encode(_File(self.name, list(numbers), list(self.paths), places))

    @classmethod
    def from_json(cls, data: bytes, *, path: str = "") -> Self:
        """Read what `to_json` wrote. Errors name `path`."""
        try:
            file = msgspec.json.decode(data, type=_File)
            places = file.places
            if places and not 0 <= min(places) <= max(places) < len(file.paths):
                raise ValueError("a number without a path")
            paths = dict(zip(file.words, map(file.paths.__getitem__, places), strict=True))
            if len(paths) != len(file.words):
                raise ValueError("a word twice")
            if not all(map(_is_path, file.paths)):
                raise ValueError("a path that does not consist of 0 and 1")
        except (ValueError, RecursionError) as error:  # from msgspec, from zip, and from above
            raise InputError(str(error), "a table of clusters in JSON", path=path) from None
        return cls(paths, name=file.name)


class _File(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    paths: list[str]
    words: list[str]
    places: list[int]  # of each word's path in `paths`


def _packaged(name: str) -> str:
    """Return the path of a table in the optional package."""
    language = name.removeprefix(_PREFIX)
    try:
        import_module(_PACKAGE)
    except ImportError:
        raise UsageError(
            f"the clusters {name} need the package spacy-lookups-data, which is not "
            "installed; run: pip install spacy-lookups-data"
        ) from None
    folder = resources.files(_PACKAGE) / "data"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(_SUFFIX))
    if f"{language}{_SUFFIX}" not in names:
        known = ", ".join(_PREFIX + found.removesuffix(_SUFFIX) for found in names)
        raise UsageError(f"unknown clusters {name!r}; expected one of {known}")
    return str(folder / f"{language}{_SUFFIX}")


def _read_json(source: Source) -> dict[str, str]:
    """Read a number for each word. Its bits, the lowest first, are the path; 0 means no path."""
    data = b"".join(source.chunks())
    try:
        numbers = msgspec.json.decode(data, type=dict[str, int])
        return {word: _bits(number) for word, number in numbers.items() if number}
    except ValueError as error:
        raise source.error(str(error), "JSON with a number for each word") from None


def _bits(number: int) -> str:
    if number < 0:
        raise ValueError(f"the number {number}")
    return format(number, "b")[::-1]


def _read_lines(source: Source) -> dict[str, str]:
    rows: list[tuple[int, str, str]] = []
    for number, line in enumerate(source.lines(), start=1):
        source.check(number, number)
        if line:
            rows.append(_read_line(source, number, line))
    rows.sort(key=lambda row: -row[0])  # stable: without counts, the order of the file is kept
    paths: dict[str, str] = {}
    for _, word, path in rows:
        paths.setdefault(word, path)
    return paths


def _read_line(source: Source, number: int, line: str) -> tuple[int, str, str]:
    """Return count, word and path."""
    path, *rest = line.split("\t")
    if not 1 <= len(rest) <= 2 or not rest[0]:
        raise source.error(repr(line), _EXPECTED_LINE, line=number)
    if not _is_path(path):
        raise source.error(f"the path {path!r}", "a path of 0 and 1", line=number)
    count = rest[1] if len(rest) == 2 else "0"
    if not (count.isascii() and count.isdigit()):
        raise source.error(f"the count {count!r}", "a whole number", line=number)
    return int(count), rest[0], path


def _is_path(text: str) -> bool:
    return bool(text) and not text.strip("01")


def first_bits(path: str, size: int | None) -> str:
    """Return the first `size` bits of a path; all bits if `size` is None.

    Short paths are filled up with 0. This is safe: no path is the beginning of another, and paths
    that were stored as numbers have lost the zeros at their end.
    """
    return path if size is None else path.ljust(size, "0")[:size]

"""Distributions: numbers for each token from another program, as additional input of a parser.

For example, a supertagger gives the probability of each category for each token. The numbers come
from a file, or from a function in Python. They are checked, and kept as arrays of small floats.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from math import exp, isfinite
from typing import Any, NamedTuple

import msgspec

from crossbranch.doors import door
from crossbranch.errors import InputError
from crossbranch.tasks.settings import DistributionSettings
from crossbranch.treebank.files import open_streams
from crossbranch.treebank.source import Report, Source

Rows = Iterable[Iterable[float]]
"""The numbers of a sentence: a row for each token."""

RowsOf = Callable[[list[list[str]]], Iterable[Rows]]
"""A function that returns the rows of sentences, which are lists of words."""

_LITTLE = 1e-3  # by which rounding may lift the logarithm of a probability above 0


class Distributions(NamedTuple):
    """The numbers of all tokens of some sentences."""

    width: int
    """How many numbers each token has."""

    sentences: list[array[float] | None]
    """For each sentence, the rows of its tokens one after the other. None: they could not be read,
    or are not as many as the tokens."""

    @door
    def rows(self, sentence: int) -> list[list[float]] | None:
        """Return the rows of a sentence as lists."""
        numbers = self.sentences[sentence]
        if numbers is None:
            return None
        starts = range(0, len(numbers), self.width or 1)
        return [numbers[start : start + self.width].tolist() for start in starts]


class _Found(NamedTuple):
    """The rows of a sentence as they were found, and where."""

    rows: list[Sequence[Any]]
    words: list[str] | None
    lines: Sequence[int]


class _RowError(Exception):
    """A row that cannot be used. Its arguments: what was found and expected, and the token."""


@door
def read_distributions(
    file: str,
    sentences: Sequence[Sequence[str]],
    settings: DistributionSettings,
    *,
    report: Report,
) -> Distributions:
    """Read the numbers of the tokens of sentences from a file.

    Args:
        file: The file. Each of its sentences belongs to the sentence with the same number.
        sentences: The words of the sentences. In tsv files, those without words have no lines.
        settings: The format of the file, and what the numbers are.
        report: Called with an InputError for each sentence whose rows do not fit. It may raise it.

    Raises:
        UsageError: The file cannot be opened.
        InputError: The file has too few or too many sentences, or none that fits.
    """
    reader = _Checker(settings)
    found: list[array[float] | None] = []
    path, is_json = file, False
    sources = (Source(name, stream) for name, stream in open_streams(file))
    kept = [sentence for sentence in sentences if sentence]
    for source in sources:
        is_json = _is_json(source, settings)
        wanted = sentences if is_json else kept
        for one in _json_rows(source) if is_json else _tsv_rows(source, settings):
            if isinstance(one, InputError):
                report(one)
                found.append(None)
            elif len(found) < len(wanted):
                found.append(reader.numbers(one, wanted[len(found)], source, report))
            else:
                expected = f"{len(wanted):,}, one for each sentence"
                raise source.error("more sentences with rows", expected, line=one.lines[0])
    wanted = sentences if is_json else kept
    if len(found) != len(wanted):
        raise InputError(f"rows for {len(found):,} sentences", f"{len(wanted):,}", path=path)
    if any(wanted) and reader.width == 0:
        raise InputError("no sentence whose rows fit", "at least one", path=path)
    rest = iter(found)
    if not is_json:
        found = [next(rest) if sentence else array("f") for sentence in sentences]
    return Distributions(reader.width, found)


@door
def make_distributions(
    function: RowsOf,
    sentences: Sequence[Sequence[str]],
    settings: DistributionSettings | None = None,
    *,
    report: Report,
) -> Distributions:
    """Return the numbers that a function gives to the tokens of sentences.

    Args:
        function: Called once with a list of sentences, each a list of words. It returns the rows of
            each sentence: a row of numbers for each token. Arrays of other libraries will do.
        sentences: The words of the sentences.
        settings: What the numbers are; None: the defaults.
        report: Called with an InputError for each sentence whose rows do not fit. It may raise it.

    Raises:
        InputError: The function gave rows for too few or too many sentences.
    """
    reader = _Checker(settings or DistributionSettings())
    name = f"<{getattr(function, '__name__', 'function')}>"
    given = iter(function([list(sentence) for sentence in sentences]))
    found: list[array[float] | None] = []
    for number, (sentence, rows) in enumerate(zip(sentences, given, strict=False), 1):
        one = _Found([list(row) for row in rows], None, ())
        try:
            found.append(reader.checked(one, sentence))
        except _RowError as error:
            what, expected, token = error.args
            at = f", token {token + 1}"
            report(InputError(what, expected, path=name, sentence=f"{number}{at}"))
            found.append(None)
    more = len(list(islice(given, 1)))
    if len(found) < len(sentences) or more:
        count = f"more than {len(found):,}" if more else f"{len(found):,}"
        raise InputError(f"rows for {count} sentences", f"{len(sentences):,}", path=name)
    return Distributions(reader.width, found)


class _Checker:
    """Turns rows into arrays, and checks that all have the same width."""

    def __init__(self, settings: DistributionSettings) -> None:
        self.width = settings.width
        self._are_logarithms = settings.log_probabilities

    def numbers(
        self, found: _Found, words: Sequence[str], source: Source, report: Report
    ) -> array[float] | None:
        """Return the numbers of a sentence. If they do not fit, report it and return None."""
        try:
            return self.checked(found, words)
        except _RowError as error:
            what, expected, token = error.args
            line = found.lines[min(token, len(found.lines) - 1)]
            report(source.error(what, expected, line=line))
            return None

    def checked(self, found: _Found, words: Sequence[str]) -> array[float]:
        if len(found.rows) != len(words):
            raise _RowError(f"{len(found.rows)} rows", f"{len(words)}, one for each token", 0)
        for token, (given, word) in enumerate(zip(found.words or words, words, strict=False)):
            if given != word:
                raise _RowError(f"the word {given!r}", f"{word!r}", token)
        width = self.width or (len(found.rows[0]) if found.rows else 0)
        numbers = array("f")
        for token, row in enumerate(found.rows):
            if len(row) != width or not width:
                raise _RowError(f"{len(row)} numbers", str(width or "at least 1"), token)
            numbers.extend(self._row(row, token))
        self.width = width or self.width
        return numbers

    def _row(self, row: Sequence[Any], token: int) -> array[float]:
        try:
            numbers = array("f", map(float, row))
        except (ValueError, TypeError, OverflowError):
            bad = next(cell for cell in row if not _is_number(cell))
            raise _RowError(repr(bad), "a number", token) from None
        if self._are_logarithms:
            high = max(numbers)
            if not high <= _LITTLE:
                raise _RowError(f"{high:g}", "the logarithm of a probability", token)
            numbers = array("f", [min(exp(number), 1.0) for number in numbers])
        if not all(map(isfinite, numbers)):
            bad = next(cell for cell in numbers if not isfinite(cell))
            raise _RowError(str(bad), "a number", token)
        return numbers


def _is_number(cell: Any) -> bool:
    try:
        float(cell)
    except (ValueError, TypeError, OverflowError):
        return False
    return True


def _is_json(source: Source, settings: DistributionSettings) -> bool:
    if settings.format != "auto":
        return settings.format == "json"
    return source.head().lstrip().startswith(("[", "{"))


def _tsv_rows(source: Source, settings: DistributionSettings) -> Iterator[_Found | InputError]:
    """Yield the rows between empty lines."""
    rows: list[Sequence[str]] = []
    words: list[str] = []
    lines: list[int] = []
    for number, line in enumerate(source.lines(), 1):
        if line.strip():
            cells = line.split("\t") if "\t" in line else line.split()
            if settings.words:
                words.append(cells.pop(0))
            rows.append(cells)
            lines.append(number)
        elif rows:
            yield _Found(rows, words or None, lines)
            rows, words, lines = [], [], []
    if rows:
        yield _Found(rows, words or None, lines)


class _Line(msgspec.Struct):
    """A sentence as an object, with or without its words."""

    rows: list[list[float]]
    words: list[str] | None = None


_decode = msgspec.json.Decoder(list[list[float]] | _Line).decode


def _json_rows(source: Source) -> Iterator[_Found | InputError]:
    """Yield the rows of each line: a list of rows, or an object with rows and perhaps words."""
    for number, line in enumerate(source.lines(), 1):
        if not line.strip():
            continue
        try:
            found = _decode(line)
        except msgspec.DecodeError as error:
            expected = "a list of rows of numbers, or an object with rows"
            yield source.error(str(error), expected, line=number)
            continue
        rows, words = (found.rows, found.words) if isinstance(found, _Line) else (found, None)
        if words is not None and len(words) != len(rows):
            yield source.error(f"{len(words)} words", f"{len(rows)}, one for each row", line=number)
            continue
        yield _Found([*rows], words, (number,))

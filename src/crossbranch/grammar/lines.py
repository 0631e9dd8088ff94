"""The lines of grammar files of other programs: their numbers, their columns, their errors."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from crossbranch.disk import open_file
from crossbranch.errors import InputError, UsageError
from crossbranch.escape import escaper, unescape
from crossbranch.grammar.syntax import LARGEST_WEIGHT
from crossbranch.treebank.files import UNREADABLE, open_streams

_BLANKS = re.compile(r"[ \t]+")
_escape_blanks = escaper(r"\s")
_ESCAPED = re.compile("&#x([0-9a-f]{2});")
_UNSAFE = re.compile(r"[\s\[\]()/?\"]|\A[:;#](?=\Z)|\A-(?=>\Z)")  # not allowed in symbols
_NUMBER = re.compile(r"_(?=\d+\Z)")


class Line(NamedTuple):
    """A line that is not empty."""

    path: str
    number: int
    text: str

    @property
    def columns(self) -> list[str]:
        """What is between blanks and tabs."""
        return _BLANKS.split(self.text)

    def weight(self, text: str, meaning: str) -> float:
        """Return a positive number, which may be written as a fraction."""
        above, slash, below = text.partition("/")
        try:
            number = float(above) / float(below) if slash else float(above)
        except (ValueError, ZeroDivisionError):
            number = 0.0
        if not 0 < number <= LARGEST_WEIGHT:
            raise self.error("a positive number or fraction", found=f"the {meaning} {text}")
        return number

    def error(self, expected: str, *, found: str = "") -> InputError:
        """Return an error at this place."""
        return InputError(found or repr(self.text), expected, path=self.path, line=self.number)


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a file, which may be compressed.

    Raises:
        InputError: The file cannot be read.
    """
    try:
        if str(path) != "-" and not Path(path).is_file():
            open_file(path).close()  # a folder, a pipe, or no such file: the error says which
        return b"".join(stream.read() for _, stream in open_streams(path, pipes=False))
    except (*UNREADABLE, UsageError) as error:
        reason = (getattr(error, "strerror", "") or type(error).__name__).lower()
        raise InputError(reason, "a readable grammar file", path=str(path)) from error


def decode(data: bytes, path: str) -> str:
    """Return the text of a file in UTF-8."""
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise InputError("bytes that are not UTF-8", "UTF-8 text", path=path) from error


def lines_of(path: str | Path) -> Iterator[Line]:
    """Yield the lines of a file, without empty ones."""
    text = decode(read_bytes(path), str(path))
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield Line(str(path), number, line.strip())


class FanOuts:
    """Checks that every name always has the same number of blocks."""

    def __init__(self) -> None:
        """Start without names."""
        self._known: dict[str, tuple[int, Line]] = {}

    def check(self, line: Line, name: str, fan_out: int) -> None:
        """Raise an InputError if a name had another number of blocks in an earlier line."""
        first, place = self._known.setdefault(name, (fan_out, line))
        if fan_out != first:
            found = f"{name} with {fan_out} blocks"
            raise line.error(f"{first}, as in line {place.number}", found=found)


def own_symbol(name: str, fan_out: int, *, has_number: bool = True) -> str:
    """Return the symbol for a name of another program.

    Args:
        name: The name.
        fan_out: The number of its blocks.
        has_number: Whether the name ends in its fan-out, as in VP_2, if that is above 1.
    """
    symbol = _UNSAFE.sub(_escape, name)
    if fan_out == 1 or not has_number:
        symbol = _NUMBER.sub(_escape, symbol)
    return symbol if has_number or fan_out == 1 else f"{symbol}_{fan_out}"


def _escape(match: re.Match[str]) -> str:
    return f"&#x{ord(match[0]):x};"


def foreign_name(symbol: str, safe: str) -> str:
    """Return the name of a symbol for another program, which allows these characters in names."""

    def restore(match: re.Match[str]) -> str:
        character = chr(int(match[1], 16))
        return character if character in safe else match[0]

    return _ESCAPED.sub(restore, symbol)


def foreign_word(form: str) -> str:
    """Return a word for a file with columns: blanks in it are escaped."""
    return _escape_blanks(form)


def own_word(form: str) -> str:
    """Return the word that `foreign_word` wrote."""
    return unescape(form)

"""Reading and writing grammars: one function each, for all formats.

lcfrs     the format of crossbranch: one file
discodop  the format of disco-dop: NAME.rules and NAME.lex
rparse    the format of rparse and treetools: NAME.rcg and NAME.lex
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.grammar import discodop, rparse
from crossbranch.grammar.lcfrs import Grammar
from crossbranch.grammar.lines import Line, lines_of
from crossbranch.grammar.text_format import read_text, write_text
from crossbranch.treebank.files import COMPRESSIONS, open_target, strip_compression


class TwoFiles(NamedTuple):
    """A format that has rules and words in different files."""

    rules: str
    words: str
    read: Callable[[str, Iterable[Line]], Grammar]
    write: Callable[[Grammar], tuple[Iterator[str], Iterator[str]]]


_TWO_FILES = {
    "discodop": TwoFiles(
        discodop.RULES, discodop.WORDS, discodop.read_discodop, discodop.write_discodop
    ),
    "rparse": TwoFiles(rparse.RULES, rparse.WORDS, rparse.read_rparse, rparse.write_rparse),
}

GRAMMAR_FORMATS = ("lcfrs", *_TWO_FILES)


@door
def read(path: str | os.PathLike[str], *, format: str | None = None) -> Grammar:
    """Read a grammar.

    Args:
        path: A file, or the name of a shipped grammar: german, dutch or english. For formats with
            two files, give the file of rules. If there is no file of words, the grammar has none:
            it can parse tags.
        format: One of `GRAMMAR_FORMATS` (default: by the name of the file, or lcfrs).

    Raises:
        InputError: The file cannot be read, or a line is bad.
    """
    name = os.fspath(path)
    two = _TWO_FILES.get(_format_of(name, format))
    if two is None:
        return read_text(name)
    words = _words_beside(name, two)
    return two.read(name, () if words is None else lines_of(words))


@door
def write(grammar: Grammar, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write a grammar.

    Args:
        grammar: The grammar.
        path: A file, or - for standard output. For formats with two files, the file of rules.
        format: One of `GRAMMAR_FORMATS` (default: by the name of the file, or lcfrs).

    Raises:
        UsageError: The format cannot hold this grammar, or the file cannot be written.
    """
    name = os.fspath(path)
    chosen = _format_of(name, format)
    two = _TWO_FILES.get(chosen)
    if two is None:
        _write_lines(name, write_text(grammar))
        return
    if name == "-":
        raise UsageError(f"{chosen} has two files; give a name, such as my{two.rules}")
    rules, words = two.write(grammar)
    _write_lines(name, rules)
    _write_lines(_name_of_words(name, two), words)


def _format_of(name: str, format: str | None) -> str:
    if format is not None:
        if format not in GRAMMAR_FORMATS:
            known = ", ".join(GRAMMAR_FORMATS)
            raise UsageError(f"unknown grammar format {format!r}; expected one of {known}")
        return format
    suffix = Path(strip_compression(name)).suffix
    return next((key for key, two in _TWO_FILES.items() if two.rules == suffix), "lcfrs")


def _name_of_words(name: str, two: TwoFiles) -> str:
    """Return the name of the file of words: my.lex.gz for my.rules.gz."""
    bare = strip_compression(name)
    return bare.removesuffix(two.rules) + two.words + name[len(bare) :]


def _words_beside(name: str, two: TwoFiles) -> str | None:
    """Return the file of words, compressed or not, or None if there is none."""
    first = _name_of_words(name, two)
    bare = strip_compression(first)
    found = (place for place in (first, bare, *(bare + c for c in COMPRESSIONS)))
    return next((place for place in found if Path(place).is_file()), None)


def _write_lines(target: str, lines: Iterable[str]) -> None:
    with open_target(target, "utf-8", "strict") as file:
        file.writelines(lines)

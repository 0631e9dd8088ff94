"""Trees in brackets inside a text, for example on the command line. Round or square brackets.

(S (NP The cat) (VP sat))
[S [NP The cat] [VP sat]]
(S (VP 0=What 3=do) (SQ 1=should 2=I))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count, islice
from operator import length_hint

from crossbranch.errors import InputError
from crossbranch.tree import Tree
from crossbranch.treebank.bracket import bracket_tree
from crossbranch.treebank.brackets import (
    BalancedTexts,
    BracketError,
    Unit,
    offset_of,
    quote,
    units_of,
)
from crossbranch.treebank.discbracket import DiscBracket, first_index, read_line
from crossbranch.treebank.psd import Psd, psd_tree

_EXAMPLE = "a tree in brackets, such as (S (NP it) (VP rains))"


def is_notation(text: str) -> bool:
    """Say whether a text begins like a tree in brackets."""
    return text.lstrip().startswith(("(", "["))


def tree_from_string(text: str) -> Tree:
    """Return the tree that is written in a text, in any notation with brackets.

    Raises:
        InputError: The text has no tree, or several. The error says where in the text.
    """
    found = list(islice(trees_in(text), 2))
    if len(found) > 1:
        raise InputError("a second tree after the first", "one tree", path="<text>")
    return found[0] if found[0].id != "1" else found[0].replace(id="")


def trees_in(text: str) -> Iterator[Tree]:
    """Yield the trees of a text. A tree without an id gets its number as id.

    Raises:
        InputError: There is no tree, or one is broken. The error says where in the text.
    """
    if not is_notation(text):
        found = quote(text.strip()) if text.strip() else "an empty text"
        raise InputError(found, _EXAMPLE, path="<text>")
    numbers = count(1)
    parts = list(BalancedTexts(re.split("\r\n|\r|\n", text)))
    read = _reader(text, parts[0][1])
    for line, part in parts:
        try:
            yield from read(part, numbers)
        except BracketError as error:
            offset = error.offset or 0
            raise InputError(
                error.found,
                error.expected,
                path="<text>",
                line=line + part.count("\n", 0, offset),
                column=offset - part.rfind("\n", 0, offset),
            ) from None


_Reader = Callable[[str, Iterator[int]], Iterator[Tree]]


def _reader(text: str, first: str) -> _Reader:
    """Recognise the notation: words with indices, words with lemmas and an ID, or plain words."""
    if DiscBracket().looks_like(text):
        base = first_index(first) or 0
        return lambda part, numbers: iter([read_line(part, str(next(numbers)), base)])
    make = psd_tree if Psd().looks_like(text) else bracket_tree
    return lambda part, numbers: _read_units(part, numbers, make)


def _read_units(
    part: str, numbers: Iterator[int], make: Callable[[Iterator[Unit], str], Tree]
) -> Iterator[Tree]:
    """Yield the trees of a text of balanced brackets."""
    units: list[Unit] = []
    left = iter(units)
    try:
        units = units_of(part)
        left = iter(units)
        while length_hint(left):
            yield make(left, str(next(numbers)))
    except BracketError as error:
        error.offset = offset_of(part, len(units) - length_hint(left) - 1) if units else 0
        raise

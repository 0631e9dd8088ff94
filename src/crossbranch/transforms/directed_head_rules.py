"""Head-rule files of rparse and disco-dop, written anew as rows of a head table.

    % a comment
    np right-to-left nn ne      in an NP: the last NN; or the last NE; or the last child
    cnp like np                 the same rules as for NP (only disco-dop)

docs/head-rules.md says what the programs do with such files, and where they differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from crossbranch.punctuation import PUNCTUATION_TAGS

Row = list[str]
"""The columns of a table: labels, which child, candidates."""

_WHICH = {
    "left-to-right": "first",
    "right-to-left": "last",
    "left": "first",
    "right": "last",
    "leftdis": "first",
    "rightdis": "last",
}
_LIKE = "like"
_COMMENT = "%"
_MARKS = frozenset(tag.upper() for tag in PUNCTUATION_TAGS)
_SPECIAL = re.compile(r"[\\|/*#]")
_HEAD_FUNCTION = "/HD|/HD-*|/*-HD|/*-HD-*"
_CONJUNCTIONS = "CC|CONJP"


def is_directed(text: str) -> bool:
    """Say whether rules have directions: the first line has one, or is a comment with `%`."""
    row = next(filter(None, map(str.split, text.splitlines())), [""])
    return row[0].startswith(_COMMENT) or (len(row) > 1 and row[1].lower() in (*_WHICH, _LIKE))


def table_rows(text: str) -> Iterator[Row]:
    """Yield the rows of a table that finds the same heads.

    Raises ValueError(found, expected, line).
    """
    yield ["*", "first", _HEAD_FUNCTION]
    yield ["*", "across", _CONJUNCTIONS]
    rules: dict[str, list[_Rule]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith(_COMMENT):
            label, direction, names = _columns(line, number)
            new = (
                _rules_like(names, rules, number)
                if direction == _LIKE
                else [_Rule(_WHICH[direction], _candidates(direction, names))]
            )
            rules.setdefault(label, []).extend(new)
    for label, known in rules.items():
        for rule in known:
            yield from rule.rows(_escape(label))
        yield [_escape(label), known[-1].which, "*"]
    yield ["*", "first", "*"]


class _Rule(NamedTuple):
    """One line: which child, and its candidates; those with several names prefer none of them."""

    which: str
    candidates: list[list[str]]

    def rows(self, label: str) -> Iterator[Row]:
        """Yield rows for the candidates in their order; punctuation needs rows of its own."""
        for is_mark, some in groupby(self.candidates, lambda names: names[0] in _MARKS):
            which = f"{self.which}-mark" if is_mark else self.which
            yield [label, which, *("|".join(map(_with_features, names)) for names in some)]


def _columns(line: str, number: int) -> tuple[str, str, list[str]]:
    """Return the label in upper case, the direction in lower case, and names in upper case."""
    label, *rest = line.split()
    if not rest:
        raise ValueError(repr(label), "a label, a direction, and labels", number)
    direction = rest[0].lower()
    if direction not in (*_WHICH, _LIKE):
        raise ValueError(repr(rest[0]), f"one of {', '.join((*_WHICH, _LIKE))}", number)
    return label.upper(), direction, [name.upper() for name in rest[1:]]


def _rules_like(names: list[str], rules: dict[str, list[_Rule]], number: int) -> list[_Rule]:
    if len(names) != 1 or names[0] not in rules:
        found = " ".join([_LIKE, *names])
        raise ValueError(repr(found), "like and a label with rules above this line", number)
    return list(rules[names[0]])


def _candidates(direction: str, names: list[str]) -> list[list[str]]:
    if not direction.endswith("dis"):
        return [[name] for name in names]
    words = [name for name in names if name not in _MARKS]
    marks = [name for name in names if name in _MARKS]
    return [some for some in (words, marks) if some]


def _with_features(name: str) -> str:
    """Return a pattern for a label or tag, and for a tag with features, such as N[soort]."""
    return f"{_escape(name)}|{_escape(name)}[*"


def _escape(name: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", name)

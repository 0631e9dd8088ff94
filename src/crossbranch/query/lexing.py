"""The words of a query: names, texts in quotes, regular expressions, variables and signs."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from crossbranch.errors import QueryError

Kind = Literal["name", "word", "quoted", "regex", "variable", "feature", "sign", "end"]

_PIECES = re.compile(
    r"""
    (?P<blank>\s+)
  | (?P<word>"(?:[^"\\]|\\.)*"i?)
  | (?P<quoted>'(?:[^'\\]|\\.)*'i?)
  | (?P<regex>/(?:[^/\\]|\\.)*/i?)
  | (?P<variable>\#\w+)
  | (?P<feature>@[\w-]+)
  | (?P<name>\d+\.\d+|[\w-][\w+*$^-]*)
  | (?P<sign>>>|>=|<<|<=|<~|~>|!=|[><=|&()\[\]{}:.,])
    """,
    re.VERBOSE | re.DOTALL,
)
_UNFINISHED = {'"': 'a second "', "'": "a second '", "/": "a second /", "#": "a name after #"}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class Piece(NamedTuple):
    """A piece of a query, and its place."""

    kind: Kind
    text: str
    """As written; without quotes, slashes and the sign of a variable."""

    start: int
    end: int
    ignores_case: bool = False


def pieces(query: str) -> list[Piece]:
    """Return the pieces of a query. The last one is its end."""
    found: list[Piece] = []
    position = 0
    while position < len(query):
        match = _PIECES.match(query, position)
        if match is None:
            sign = query[position]
            expected = _UNFINISHED.get(sign, "a name, a text in quotes, a relation or a bracket")
            raise QueryError(query, position, repr(sign), expected)
        position = match.end()
        if match.lastgroup != "blank":
            found.append(_piece(match))
    found.append(Piece("end", "", len(query), len(query)))
    return found


def _piece(match: re.Match[str]) -> Piece:
    kind: Kind = match.lastgroup  # type: ignore[assignment]
    text, ignores_case = match[0], False
    if kind in ("word", "quoted", "regex"):
        ignores_case = text.endswith("i")
        text = text[1 : -2 if ignores_case else -1]
        # A backslash in a regular expression has its meaning there, except before a slash.
        text = text.replace(r"\/", "/") if kind == "regex" else _ESCAPED.sub(r"\1", text)
    elif kind in ("variable", "feature"):
        text = text[1:]
    return Piece(kind, text, match.start(), match.end(), ignores_case)

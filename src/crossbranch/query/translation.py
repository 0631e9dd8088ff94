"""Translating queries of other programs, Tregex and TIGERSearch, into ours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from crossbranch.errors import QueryError, UsageError
from crossbranch.query.parsing import parse_query

_PLAIN = re.compile(r"[\w-][\w+*$^-]*")
_RESERVED = ("and", "or", "not", "count")


@dataclass
class Translation:
    """A query in our language, and what users should know about it."""

    query: str = ""
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Add a note, once."""
        if text not in self.notes:
            self.notes.append(text)


def translate(query: str, language: str) -> Translation:
    """Translate a query.

    Args:
        query: The query.
        language: "tregex" or "tiger".

    Raises:
        QueryError: The query has a mistake, or a part that cannot be translated. The message shows
            where.
    """
    from crossbranch.query import tiger, tregex  # they use this module

    languages = {"tregex": tregex.translate, "tiger": tiger.translate}
    if language not in languages:
        raise UsageError(f"unknown language {language!r}; expected one of {', '.join(languages)}")
    translation = languages[language](query)
    parse_query(translation.query)  # so that a mistake is not found later
    return translation


class Piece(NamedTuple):
    """A piece of a query, and its place."""

    kind: str
    text: str
    start: int

    def __str__(self) -> str:
        return repr(self.text) if self.kind != "end" else "the end of the query"


class Pieces:
    """A query in pieces, read from left to right."""

    def __init__(self, query: str, pattern: re.Pattern[str], what: str) -> None:
        """Cut a query into pieces: the groups of a pattern. White space separates pieces."""
        self.query, self.place = query, 0
        self.pieces: list[Piece] = []
        position = 0
        while position < len(query):
            match = pattern.match(query, position)
            if match is None:
                raise QueryError(query, position, repr(query[position]), what)
            if match.lastgroup != "blank":
                self.pieces.append(Piece(str(match.lastgroup), match[0], position))
            position = match.end()
        self.pieces.append(Piece("end", "", len(query)))

    @property
    def next(self) -> Piece:
        """The piece that comes next."""
        return self.pieces[self.place]

    @property
    def after_next(self) -> Piece:
        """The piece after the next one."""
        return self.pieces[min(self.place + 1, len(self.pieces) - 1)]

    def take(self) -> Piece:
        """Return the next piece and go on."""
        self.place += 1
        return self.pieces[self.place - 1]

    def is_next(self, *texts: str) -> bool:
        """Say whether one of these signs comes next."""
        return self.next.kind != "end" and self.next.text in texts

    def skip(self, text: str) -> bool:
        """Go on if this sign comes next."""
        if self.is_next(text):
            self.place += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Go on. Raise an error if this sign does not come next."""
        if not self.skip(text):
            self.fail(repr(text))

    def fail(self, expected: str, piece: Piece | None = None, found: str = "") -> NoReturn:
        """Raise an error at the next piece."""
        piece = piece or self.next
        raise QueryError(self.query, piece.start, found or str(piece), expected)


def name(text: str) -> str:
    """Write a text as a value in our language."""
    if _PLAIN.fullmatch(text) and text not in _RESERVED:
        return text
    return quoted(text, "'")


def quoted(text: str, quote: str = '"') -> str:
    """Write a text in quotes."""
    escaped = re.sub(r"([\\%s])" % quote, r"\\\1", text)  # noqa: UP031 - braces would be doubled
    return f"{quote}{escaped}{quote}"


def joined(parts: Sequence[str], word: str) -> str:
    """Join conditions with `and` or `or`; several are in brackets if `or` joins them."""
    text = f" {word} ".join(parts)
    return f"({text})" if word == "or" and len(parts) > 1 else text

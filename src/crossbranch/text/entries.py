"""The results for each chunk are kept, because most chunks of a text occur again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crossbranch.text.chunks import ChunkCutter, before_what
from crossbranch.text.forms import Forms
from crossbranch.text.sentences import (
    SentenceEnds,
    View,
    is_abbreviation,
    is_candidate,
    marks_in,
    view,
)
from crossbranch.tree import Token

_MOST_KEPT, _MOST_VIEWS = 32_000_000, 16_000_000  # bytes, about
_ENTRY_SIZE, _TOKEN_SIZE, _VIEW_SIZE = 300, 150, 400  # the same; at most 4 for each character
_new = tuple.__new__


class Entry(NamedTuple):
    """A chunk's tokens, and what matters for the end of a sentence."""

    tokens: tuple[tuple[str, int, int], ...]  # form, start and end in the chunk
    may_end: bool  # whether a sentence may end after the chunk
    is_weak: bool  # whether only before a capital
    abbreviation: bool  # whether its last period belongs to a word
    has_marks: bool
    brackets: int  # how many more open than close
    quotes: int
    turns: bool  # whether it is a quote that opens and closes in turn


def _size(chunk: str, entry: Entry) -> int:
    """Return roughly how many bytes an entry takes; it may have many tokens."""
    return _ENTRY_SIZE + 4 * len(chunk) + _TOKEN_SIZE * len(entry.tokens)


class Entries:
    """Makes entries and keeps them."""

    def __init__(self, cutter: ChunkCutter, forms: Forms, ends: SentenceEnds) -> None:
        self._cutter, self._forms, self._ends = cutter, forms, ends
        self.kept: dict[str, Entry] = {}  # by chunk; those with a period at the end, by kind too
        self._views: dict[str, View] = {}
        self._kept_size = self._view_size = 0

    def get(self, chunk: str, after: str, *, is_first: bool) -> Entry:
        """Return the entry of a chunk.

        Args:
            chunk: Without white space.
            after: The next chunk in the paragraph, or "".
            is_first: Whether the chunk is the first of its sentence.
        """
        kind = before_what(chunk, after, is_first=is_first)
        key = f"{chunk}\t{kind}" if chunk[-1] == "." else chunk  # no chunk has white space in it
        entry = self.kept.get(key)
        if entry is None:
            entry = self._make(chunk, kind)
            self._kept_size += _size(chunk, entry)
            if self._kept_size > _MOST_KEPT:
                self.kept.clear()
                self._kept_size = _size(chunk, entry)
            self.kept[key] = entry
        return entry

    def view(self, chunk: str) -> View:
        """Return the parts of a chunk that features use."""
        found = self._views.get(chunk)
        if found is None:
            found = view(self._forms.plain(chunk))
            size = _VIEW_SIZE + 8 * len(chunk)
            self._view_size += size
            if self._view_size > _MOST_VIEWS:
                self._views.clear()
                self._view_size = size
            self._views[chunk] = found
        return found

    def _make(self, chunk: str, kind: str) -> Entry:
        chunk = self._forms.plain(chunk)
        cuts = self._cutter.cuts(chunk, kind)
        edges = (0, *cuts, len(chunk))
        tokens = tuple(zip(self._forms.of(chunk, cuts), edges[:-1], edges[1:], strict=True))
        brackets, quotes = marks_in(chunk)
        return Entry(
            tokens,
            is_candidate(chunk, self._ends),
            chunk[-1] in self._ends.weak,
            is_abbreviation(chunk, edges[-2]),
            bool(brackets or quotes),
            brackets,
            quotes,
            chunk in self._forms.turning,
        )

    def tokens(
        self, items: Sequence[tuple[str, str]], found: Sequence[Entry], position: int
    ) -> list[Token]:
        """Return the tokens of a sentence.

        Args:
            items: Its chunks, each with the gap after it.
            found: The entries of the chunks.
            position: Where the first chunk starts.
        """
        tokens: list[Token] = []
        add, kind = tokens.append, Token
        for (chunk, gap), entry in zip(items, found, strict=True):
            if entry.turns:
                form = self._forms.by_turns(self._forms.plain(chunk), tokens)
                add(Token(form, start=position, end=position + len(chunk)))
            else:
                for form, start, end in entry.tokens:
                    add(_new(kind, (form, "", "", "", "", (), position + start, position + end)))
            position += len(chunk) + len(gap)
        return tokens

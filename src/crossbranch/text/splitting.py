"""Items of a text to its sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from crossbranch.text.entries import Entries, Entry
from crossbranch.text.flow import Item, ends_line, ends_paragraph, flow
from crossbranch.text.sentences import LOOK_AHEAD, Place, SentenceEnds
from crossbranch.tree import Token

MOST_TOKENS = 1000
"""No sentence of a text is longer."""

_ENDS, _PAUSES = ".?!…。！？", ",;:"
_FINAL = frozenset(_ENDS)


def sentences(
    entries: Entries, ends: SentenceEnds, pieces: Iterable[str], position: int
) -> Iterator[tuple[list[Token], str]]:
    """Yield tokens and text of each sentence of a text.

    Where a sentence ends depends only on the sentence and the text after it. So a text in pieces
    has the same sentences as the whole text. There is one exception: at a PAUSE, a sentence with a
    final mark and a line end does not wait for the text after it.
    """

    def is_final(chunk: str) -> bool:
        ending = entries.view(chunk).end
        return ending in _FINAL and not entries.get(chunk, "", is_first=False).abbreviation

    waiting: list[Item] = []
    for items, is_last in flow(pieces, lines=False, is_final=is_final):
        waiting += items
        taken = 0
        while taken < len(waiting):
            chunk, gap = waiting[taken]
            if not chunk:
                position += len(gap)
                taken += 1
                continue
            found = _find(waiting, taken, entries, ends, is_last)
            if not found:
                break
            sentence = waiting[taken : taken + len(found)]
            text = text_of(sentence)
            yield entries.tokens(sentence, found, position), text
            position += len(text) + len(sentence[-1][1])
            taken += len(found)
        del waiting[:taken]


def lines(
    entries: Entries, pieces: Iterable[str], position: int
) -> Iterator[tuple[list[Token], str]]:
    """Yield tokens and text of each line; nothing for an empty one. Long lines come in parts."""
    waiting: list[Item] = []
    is_open = False  # whether the line has had a sentence already
    for items, is_last in flow(pieces, lines=True):
        waiting += items
        taken = 0
        while taken < len(waiting):
            chunk, gap = waiting[taken]
            count = 1
            if chunk:
                found = _find_line(waiting, taken, entries, is_last)
                if not found:
                    break
                count = len(found)
                sentence = waiting[taken : taken + count]
                text = text_of(sentence)
                yield entries.tokens(sentence, found, position), text
                position += len(text)
                gap = sentence[-1][1]
                is_open = True
            position += len(gap)
            taken += count
            line_ends = gap.count("\n")
            if line_ends:
                yield from [([], "")] * (line_ends - is_open)
                is_open = False
        del waiting[:taken]


def text_of(items: Sequence[Item]) -> str:
    """Return the text of a sentence's items, without the last gap."""
    text = "".join(chain.from_iterable(items))
    gap = items[-1][1] if items else ""
    return text[: -len(gap)] if gap else text


def _find(
    items: Sequence[Item], first: int, entries: Entries, ends: SentenceEnds, is_last: bool
) -> list[Entry]:
    """Return the entries of the sentence that starts here; none if more must be read before."""
    found: list[Entry] = []
    count = brackets = quotes = 0
    known = len(items) if is_last else len(items) - LOOK_AHEAD
    starters, kept = ends.starters, entries.kept
    for number in range(first, len(items)):
        chunk, gap = items[number]
        is_end = gap != " " and ends_paragraph(gap)
        if number >= known and not is_end and not _paragraph_ends(items, number):
            return []
        after = "" if is_end or number + 1 == len(items) else items[number + 1][0]
        entry = kept.get(chunk) or entries.get(chunk, after, is_first=not found)
        found.append(entry)
        count += len(entry.tokens)
        if count > MOST_TOKENS:
            return found[: _best_cut(items, first, found)]
        if entry.has_marks:
            brackets += entry.brackets
            quotes += entry.quotes
        may_end = entry.may_end and (not entry.is_weak or after[:1].isupper())
        if (may_end or after in starters) and after:
            views = [entries.view(part) for part in _around(items, first, number)]
            place = Place(views, entry.abbreviation, len(found), brackets, quotes)
            is_end = ends.is_end(place)
        if is_end:
            return found
    return found


def _find_line(items: Sequence[Item], first: int, entries: Entries, is_last: bool) -> list[Entry]:
    """Return the entries of the line that starts here; none if more must be read before."""
    found: list[Entry] = []
    count = 0
    for number in range(first, len(items)):
        chunk, gap = items[number]
        is_end = ends_line(gap)
        if not is_end and not is_last and number + 1 == len(items):
            return []
        after = "" if is_end or number + 1 == len(items) else items[number + 1][0]
        found.append(entries.get(chunk, after, is_first=not found))
        count += len(found[-1].tokens)
        if count > MOST_TOKENS:
            return found[: _best_cut(items, first, found)]
        if is_end:
            return found
    return found


def _paragraph_ends(items: Sequence[Item], number: int) -> bool:
    """Return whether the paragraph ends in the text that was read so far."""
    return any(ends_paragraph(gap) for _, gap in items[number:])


def _around(items: Sequence[Item], first: int, number: int) -> list[str]:
    """Return the chunks around a place, within the sentence and the paragraph."""
    before = items[number - 1][0] if number > first else ""
    chunks = [before, items[number][0]]
    for chunk, gap in items[number + 1 : number + 1 + LOOK_AHEAD]:
        chunks.append(chunk)
        if gap != " " and ends_paragraph(gap):
            break
    return chunks + [""] * (2 + LOOK_AHEAD - len(chunks))


def _best_cut(items: Sequence[Item], first: int, found: Sequence[Entry]) -> int:
    """Return the best place to split a sentence that is too long, as a number of items."""
    best, best_rank = 1, -1
    count = 0
    for number, entry in enumerate(found[:-1], 1):
        count += len(entry.tokens)
        chunk, gap = items[first + number - 1]
        rank = 3 if chunk[-1] in _ENDS else 2 if chunk[-1] in _PAUSES else 1 if gap else 0
        if 2 * count < MOST_TOKENS:
            rank = -1
        if rank >= best_rank:
            best, best_rank = number, rank
    return best

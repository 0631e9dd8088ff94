"""A text in pieces to its chunks and the gaps after them, in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from crossbranch.errors import UsageError
from crossbranch.text.characters import (
    LEADING_GAP,
    MOST_BLANKS,
    MOST_BLANKS_IN_LINE,
    RUNS,
    chunks_of,
    may_need_cuts,
)

Item = tuple[str, str]
"""A chunk and the white space after it; either may be empty."""

_BLOCK = 1 << 16


class _Pause(str):
    """An empty piece of text with a meaning."""

    __slots__ = ()


PAUSE: Final = _Pause()
"""A piece of a text that stands for "nothing more for now": who writes the text waits."""


def ends_paragraph(gap: str) -> bool:
    """Return whether white space ends a paragraph: it has an empty line, or is very long."""
    return (
        gap.count("\n") > 1
        or len(gap) > MOST_BLANKS
        or (gap.count("\r") > 1 and "\n" not in gap)
        or "\u2029" in gap
        or "\f" in gap
    )


def ends_line(gap: str) -> bool:
    """Return whether white space ends a line: it has a line end, or is very long."""
    return "\n" in gap or len(gap) > MOST_BLANKS_IN_LINE


def flow(
    pieces: Iterable[str], *, lines: bool, is_final: Callable[[str], bool] | None = None
) -> Iterator[tuple[list[Item], bool]]:
    """Yield lists of items as the pieces come, and whether nothing of the text is held back.

    Nothing is held back after the last piece. The same is true at a PAUSE, if the text so far ends
    with a final chunk and a line end. (A chunk is final if a text may end there.)

    The items do not depend on how the text is split into pieces, with one exception: a gap may come
    in parts if it is longer than MOST_BLANKS (with `lines`: if it `ends_line`), or if there was a
    PAUSE in it after a final chunk. The first part comes after its chunk and is such a gap by
    itself. The other parts come after empty chunks.
    """
    rest = ""
    for block in _blocks(pieces):
        if block is PAUSE:
            if is_final is not None and _ends_at_final(rest, is_final):
                yield _all_items(rest), True
                rest = ""
            continue
        items, rest = _items(rest + block, lines=lines)
        if items:
            yield items, False
    yield _all_items(rest), True


def _ends_at_final(text: str, is_final: Callable[[str], bool]) -> bool:
    """Return whether a text (at most one run) ends with a final chunk and a line end."""
    return any("\n" in gap and is_final(chunks_of(run)[-1]) for run, gap in RUNS.findall(text))


def _all_items(text: str) -> list[Item]:
    items = _leading(text)
    _add_all(items, RUNS.findall(text))
    return items


def _blocks(pieces: Iterable[object]) -> Iterator[str]:
    for piece in pieces:
        if not isinstance(piece, str):
            kind = type(piece).__name__
            raise UsageError(f"a piece of the text is of type {kind}, expected str")
        if len(piece) <= _BLOCK:
            yield piece
        else:
            yield from (piece[at : at + _BLOCK] for at in range(0, len(piece), _BLOCK))


def _items(text: str, *, lines: bool) -> tuple[list[Item], str]:
    """Return the items of an incomplete text, and the text that must wait for the rest."""
    items = _leading(text)
    found = RUNS.findall(text)
    if not found:
        return items, ""
    last_run, last_gap = found.pop()
    _add_all(items, found)
    if ends_line(last_gap) if lines else len(last_gap) > MOST_BLANKS:
        _add(items, chunks_of(last_run), last_gap)
        return items, ""
    if last_gap:
        return items, last_run + last_gap
    certain = chunks_of(last_run, complete=False)
    items.extend((chunk, "") for chunk in certain)
    return items, last_run[sum(map(len, certain)) :]


def _leading(text: str) -> list[Item]:
    gap = LEADING_GAP.match(text)
    return [("", gap.group())] if gap and gap.group() else []


def _add_all(items: list[Item], found: list[Item]) -> None:
    """Add runs and gaps; in most texts, no run must be split."""
    runs = [run for run, _ in found]
    if may_need_cuts(runs):
        for run, gap in found:
            _add(items, chunks_of(run), gap)
    else:
        items += found


def _add(items: list[Item], chunks: list[str], gap: str) -> None:
    items.extend((chunk, "") for chunk in chunks[:-1])
    items.append((chunks[-1], gap))

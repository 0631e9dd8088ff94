"""The approximate width of a text in an unknown sans-serif font.

The widths are those of DejaVu Sans, the widest of the usual fonts, so texts always have enough
room.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from math import ceil

_NARROW = frozenset("fijlrtI.,:;'`!|()[]{}/\\- ")
_BROAD = frozenset("mwMW@%—…")
_SIGNS = frozenset("+<>=~#&_^$€*?")
_ELLIPSIS = "…"
_LATIN_END = "\u0250"
_EMOJI = "\U0001f000"


def text_width(text: str, size: int) -> int:
    """Return the approximate width of a text at this font size, in points."""
    return ceil(size * sum(map(_ems, text)))


def shorten(text: str, size: int, room: int) -> str:
    """Return a text, cut to fit the room. If it was cut, it ends in an ellipsis."""
    if text_width(text, size) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high)
            if text_width(text[:middle] + _ELLIPSIS, size) <= room
            else (low, middle - 1)
        )
    return text[:low] + _ELLIPSIS


@lru_cache(maxsize=4096)
def _ems(character: str) -> float:
    """The width of a character in units of the font size."""
    if character in _NARROW:
        return 0.42
    if character in _BROAD:
        return 1.0
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):  # accents, joiners
        return 0.0
    if character >= _EMOJI:
        return 1.4
    if unicodedata.east_asian_width(character) in "WF":
        return 1.1
    if character >= _LATIN_END or character.isupper() or character in _SIGNS:
        return 0.8
    return 0.65

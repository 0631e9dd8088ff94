"""Preparing words and labels for drawings: on one line, visible, with known width and direction."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size

ABSENT = "--"
"""Shown if there is no word, tag or label, as in export files."""

_JOINERS = "\u200c\u200d"  # part of how words and emoji are written, though not printable
_ISOLATE, _END = "\u2068", "\u2069"
_RIGHT_TO_LEFT = ("R", "AL", "AN")


def visible(text: str, width: int | None = None, ellipsis: str = "…") -> str:
    """Return a text without characters that would break the line, cut if it is too wide."""
    if not text.isprintable():
        text = "".join(_escape(character) for character in text)
    if text and cell_len(text) == 0:  # a lone accent needs something to stand on
        text = "\N{DOTTED CIRCLE}" + text
    if width is not None and cell_len(text) > width:
        text = set_cell_size(text, width - len(ellipsis)) + ellipsis
    return text


def isolate(text: str) -> str:
    """Isolate right-to-left text, so that it does not move the text beside it."""
    if text.isascii():
        return text
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text):
        return _ISOLATE + text + _END
    return text


def is_right_to_left(words: Iterable[str]) -> bool:
    """Whether most letters of these words belong to a right-to-left script."""
    text = "".join(words)
    if text.isascii():
        return False
    kinds = [unicodedata.bidirectional(character) for character in text]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")


def _escape(character: str) -> str:
    if character.isprintable() or character in _JOINERS:
        return character
    return character.encode("unicode_escape").decode("ascii")

"""Characters of raw text: white space, the atoms that words consist of, and very long runs.

A *run* is a piece of text without white space. A *chunk* is a run, or a part of one, if the run is
too long or has no spaces between its sentences. An *atom* is a run of letters, a run of digits, or
any other character, with the marks that belong to it. Atoms are never split, except for the clitics
of some treebanks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

MOST_CHARACTERS = 200
"""No chunk is longer than this, and so no token."""

MOST_BLANKS = 1000
"""A gap longer than this ends a paragraph, so that a text of blanks needs no memory."""

MOST_BLANKS_IN_LINE = 10_000
"""The same where each line is a sentence: only what nobody would write ends one within a line."""

# A byte order mark and a zero-width space separate words, but str.isspace does not know them.
_WHITE = r"[\s\ufeff\u200b]"
RUNS = re.compile(rf"([^\s\ufeff\u200b]+)({_WHITE}*)")
LEADING_GAP = re.compile(rf"{_WHITE}*")

FULL_STOPS = "。！？｡"
"""What ends a sentence in scripts without blanks."""
_FULL_STOP = re.compile(rf"[{FULL_STOPS}]+[\"'”’」』）)]*")
_MOST_MARKS = 50  # marks that belong to one character; more than that is not text
CERTAIN = MOST_CHARACTERS + _MOST_MARKS + 10
"""With so many characters of a run ahead, its next cut does not depend on what follows."""

LETTER, DIGIT, MARK, IDEOGRAPH, OTHER = "a", "0", "m", "i", "."
_JOINER = "\u200d"
_ASCII_ATOMS = re.compile(r"[A-Za-z]+|[0-9]+|.", re.DOTALL)


def is_white(character: str) -> bool:
    """Return whether a character separates words."""
    return character.isspace() or character in "\ufeff\u200b"


@lru_cache(maxsize=1 << 14)
def kind_of(character: str) -> str:
    """Return the kind of a character: LETTER, DIGIT, MARK, IDEOGRAPH or OTHER."""
    category = unicodedata.category(character)
    if category in ("Mn", "Mc", "Me", "Cf") or "\U0001f3fb" <= character <= "\U0001f3ff":
        return MARK  # accents, joiners, the colours of emoji
    if category == "Lo" and unicodedata.name(character, "").startswith("CJK"):
        return IDEOGRAPH
    if category[0] == "L":
        return LETTER
    return DIGIT if category[0] == "N" else OTHER


def is_word(chunk: str) -> bool:
    """Return whether a chunk is clearly one atom: letters, but not those of Chinese or Japanese."""
    return chunk.isalpha() and max(chunk) < "\u2e80"


def atoms(chunk: str) -> list[str]:
    """Split a chunk into atoms; joined again, they are the chunk."""
    if is_word(chunk):
        return [chunk]
    if chunk.isascii():  # much faster
        return _ASCII_ATOMS.findall(chunk)
    parts: list[str] = []
    kind = ""
    for character in chunk:
        new = kind_of(character)
        if kind and (new == MARK or _continues(parts[-1], kind, character, new)):
            parts[-1] += character
        else:
            parts.append(character)
            kind = OTHER if new == MARK else new
    return parts


def _continues(atom: str, kind: str, character: str, new: str) -> bool:
    if new == kind and kind in (LETTER, DIGIT):
        return True
    if new == OTHER == kind:
        return atom[-1] == _JOINER or (is_flag(character) and len(atom) == 1 and is_flag(atom))
    return False


def is_flag(character: str) -> bool:
    """Return whether two of these characters make a flag."""
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def may_need_cuts(runs: Sequence[str]) -> bool:
    """Return whether a run may be more than one chunk."""
    if not runs or max(map(len, runs)) > MOST_CHARACTERS:
        return True
    text = " ".join(runs)
    return any(stop in text for stop in FULL_STOPS)


def chunks_of(run: str, *, complete: bool = True) -> list[str]:
    """Split a run into chunks; if the run is not complete, the last part is left out.

    Where to split depends only on the text after the last split. So a text that is read in pieces
    is split in the same way as the whole text.
    """
    if complete and not may_need_cuts([run]):
        return [run]
    chunks = []
    start = 0
    while start < len(run):
        left = len(run) - start
        if not complete and left <= CERTAIN:
            break
        end = _cut(run, start)
        chunks.append(run[start:end])
        start = end
    return chunks


def _cut(run: str, start: int) -> int:
    """Return where the chunk that starts here ends."""
    limit = start + MOST_CHARACTERS
    stop = _FULL_STOP.search(run, start, limit)
    if stop:
        return stop.end()
    if limit >= len(run):
        return len(run)
    end = limit
    while end > limit - _MOST_MARKS and _belongs_together(run[end - 1], run[end]):
        end -= 1
    return end if end > limit - _MOST_MARKS else limit


def _belongs_together(before: str, after: str) -> bool:
    return kind_of(after) == MARK or before == _JOINER

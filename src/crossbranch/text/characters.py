"""Characters of raw text: white space, the atoms that words are made of, and runs too long to be.

A *run* is a stretch of text without white space, a *chunk* a run or, where a run is too long or has
no blanks between its sentences, a part of one. An *atom* is a run of letters, a run of digits or
any other character, each with the marks that belong to it: what is never cut further, but for the
clitics of some treebanks.
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

# A byte order mark and a zero-width space separate words as blanks do, though str.isspace says no.
_WHITE = r"[\s\ufeff\u200b]"
RUNS = re.compile(rf"([^\s\ufeff\u200b]+)({_WHITE}*)")
LEADING_GAP = re.compile(rf"{_WHITE}*")

FULL_STOPS = "。！？｡"
"""What ends a sentence in scripts without blanks."""
_FULL_STOP = re.compile(rf"[{FULL_STOPS}]+[\"'”’」』）)]*")
_MOST_MARKS = 50  # what still belongs to a character; more than that is rubbish
CERTAIN = MOST_CHARACTERS + _MOST_MARKS + 10
"""With so many characters of a run ahead, its next cut does not depend on what follows."""

LETTER, DIGIT, MARK, IDEOGRAPH, OTHER = "a", "0", "m", "i", "."
_JOINER = "\u200d"
_ASCII_ATOMS = re.compile(r"[A-Za-z]+|[0-9]+|.", re.DOTALL)


def is_white(character: str) -> bool:
    """Whether a character separates words and is part of none."""
    return character.isspace() or character in "\ufeff\u200b"


@lru_cache(maxsize=1 << 14)
def kind_of(character: str) -> str:
    """Return what a character is: LETTER, DIGIT, MARK, IDEOGRAPH or OTHER."""
    category = unicodedata.category(character)
    if category in ("Mn", "Mc", "Me", "Cf") or "\U0001f3fb" <= character <= "\U0001f3ff":
        return MARK  # accents, joiners, the colours of emoji
    if category == "Lo" and unicodedata.name(character, "").startswith("CJK"):
        return IDEOGRAPH
    if category[0] == "L":
        return LETTER
    return DIGIT if category[0] == "N" else OTHER


def is_word(chunk: str) -> bool:
    """Whether a chunk is plainly one atom: letters of a script in which words are not signs."""
    return chunk.isalpha() and max(chunk) < "\u2e80"


def atoms(chunk: str) -> list[str]:
    """Cut a chunk into atoms; joined again they are the chunk."""
    if is_word(chunk):
        return [chunk]
    if chunk.isascii():  # much quicker
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
    """Whether two of these characters make a flag."""
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def may_need_cuts(runs: Sequence[str]) -> bool:
    """Whether a run may be more than one chunk."""
    if not runs or max(map(len, runs)) > MOST_CHARACTERS:
        return True
    text = " ".join(runs)
    return any(stop in text for stop in FULL_STOPS)


def chunks_of(run: str, *, complete: bool = True) -> list[str]:
    """Cut a run into chunks; without text after it that is not known yet where not complete.

    Where to cut depends only on what comes after the last cut, so a text read piece by piece is
    cut as the whole is.
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

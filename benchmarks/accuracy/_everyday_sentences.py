"""Everyday sentences with the constituents that they undoubtedly have: benchmarks/everyday/*.toml.

They were written before any parser was tried on them. Spans are sets of positions in the text, of
letters and digits alone. So neither punctuation nor the cutting of tokens matters.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from crossbranch.tree import Tree

FOLDER = Path(__file__).parents[1] / "everyday"
LANGUAGES = ("en", "de", "nl", "is")
GAP = " … "

Span = frozenset[int]


class Undoubted(NamedTuple):
    """A constituent that a sentence certainly has."""

    label: str
    words: str  # " … " stands for a gap
    span: Span

    def __str__(self) -> str:
        return f"{self.label} {{{self.words}}}"


class Everyday(NamedTuple):
    """A sentence and its undoubted constituents."""

    text: str
    constituents: tuple[Undoubted, ...]

    @property
    def is_discontinuous(self) -> bool:
        """Whether one of its undoubted constituents has a gap."""
        return any(GAP in constituent.words for constituent in self.constituents)

    def missing(self, tree: Tree) -> list[Undoubted]:
        """Return the undoubted constituents that a tree of this text does not have."""
        found = {
            (constituent.label, letters(self.text, constituent.offsets))
            for constituent in tree.constituents()
        }
        return [one for one in self.constituents if (one.label, one.span) not in found]


def everyday(language: str) -> list[Everyday]:
    """Return the sentences of a language.

    Raises:
        ValueError: A constituent does not fit its sentence.
    """
    tables = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return [
        Everyday(text, tuple(undoubted(text, entry) for entry in entries))
        for text, entries in tables["sentences"].items()
    ]


def undoubted(text: str, entry: str) -> Undoubted:
    """Find a constituent, such as "VP What … do", in its sentence.

    >>> sorted(undoubted("What should I do?", "VP What … do").span)
    [0, 1, 2, 3, 14, 15]

    Raises:
        ValueError: Some of its words are not in the sentence, or are there more than once.
    """
    label, _, words = entry.partition(" ")
    blocks = [_place(text, block) for block in words.split(GAP)]
    if any(end > start for (_, end), (start, _) in itertools.pairwise(blocks)):
        raise ValueError(f"{text!r}: the parts of {entry!r} are not in the order of the sentence")
    return Undoubted(label, words, letters(text, blocks))


def letters(text: str, blocks: Iterable[tuple[int, int]]) -> Span:
    """Return the positions of letters and digits in these blocks of a text."""
    return frozenset(i for start, end in blocks for i in range(start, end) if text[i].isalnum())


def _place(text: str, block: str) -> tuple[int, int]:
    pattern = rf"\b{re.escape(block)}\b" if block[:1].isalnum() else rf"{re.escape(block)}\b"
    found = [match.span() for match in re.finditer(pattern, text)]
    if len(found) != 1:
        raise ValueError(f"{text!r}: expected {block!r} once, found it {len(found)} times")
    return found[0]


def without_final_mark(character: str, is_last: bool) -> str:
    """Drop the mark at the end of a sentence."""
    return "" if is_last and not character.isalnum() else character


def lower_case(character: str, is_last: bool) -> str:
    """Write everything in lower case."""
    return character.lower()


def all_capitals(character: str, is_last: bool) -> str:
    """Write everything in capitals: ß becomes SS."""
    return character.upper()


def typographic(character: str, is_last: bool) -> str:
    """Turn straight apostrophes into typographic ones."""
    return character.replace("'", "’")


def straight(character: str, is_last: bool) -> str:
    """Turn typographic apostrophes into straight ones."""
    return character.replace("’", "'")


Spelling = Callable[[str, bool], str]

SPELLINGS: dict[str, Spelling] = {
    "no final mark": without_final_mark,
    "lower case": lower_case,
    "CAPITALS": all_capitals,
    "apostrophe ’": typographic,
    "apostrophe '": straight,
}
"""Other ways in which people type the same sentences, character by character."""


def respelled(sentence: Everyday, spelling: Spelling) -> Everyday:
    """Return a sentence as others would type it. Its constituents have the same words."""
    last = len(sentence.text) - 1
    pieces = [spelling(character, i == last) for i, character in enumerate(sentence.text)]
    starts = list(itertools.accumulate(map(len, pieces), initial=0))
    moved = [
        one._replace(span=frozenset(j for i in one.span for j in range(starts[i], starts[i + 1])))
        for one in sentence.constituents
    ]
    return Everyday("".join(pieces), tuple(moved))

"""Everyday sentences with the constituents that they undoubtedly have: benchmarks/everyday/*.toml.

They were written before any parser was tried on them. Spans are sets of positions in the text, of
letters and digits alone. So neither punctuation nor the cutting of tokens matters.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
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
    if any(end > start for (_, end), (start, _) in zip(blocks, blocks[1:], strict=False)):
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

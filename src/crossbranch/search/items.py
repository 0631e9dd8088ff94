"""The items of a chart or an agenda, in the order in which a search finds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

OTHERS = 30
"""How many items are shown besides those of the tree, if nothing else is asked for."""

Blocks = tuple[tuple[int, int], ...]
"""The ranges of the tokens of an item: the first token, and the one after the last."""


def item_text(name: str, blocks: Blocks) -> str:
    """Return an item as it is written: NP [0–2]."""
    return f"{name} [{', '.join(f'{start}–{stop}' for start, stop in blocks)}]".lstrip()


class Rival(NamedTuple):
    """Another item that competes with an item, or another way to make it."""

    name: str
    score: float


class FoundItem(NamedTuple):
    """An item: a symbol or label with the tokens that it covers."""

    number: int
    """Its place among all items that the search finds, from 1."""

    name: str
    """Its symbol or label; empty if it has none."""

    blocks: Blocks
    labels: tuple[str, ...]
    """The nodes that it puts above its children, the topmost first; none if it has no label."""

    children: tuple[int, ...]
    """The numbers of the items that it is made of; none for a word."""

    rule: str
    """The rule that makes it."""

    score: float
    """Higher is better."""

    in_tree: bool
    """Whether the best tree has it."""

    is_shown: bool = True
    """Otherwise, it is only here because other items are made of it."""

    rivals: tuple[Rival, ...] = ()
    """The best ones; the item itself, or the way that it is made, is not among them."""

    way: str = ""
    """How it is made, if its rivals are other ways to make it."""

    notes: tuple[str, ...] = ()
    """What else is to be said, as sentences."""

    @property
    def text(self) -> str:
        """The item as it is written."""
        return item_text(self.name, self.blocks)


class ItemTrace(NamedTuple):
    """The items of a search, children before their parents."""

    items: tuple[FoundItem, ...]
    total: int
    """How many items the search has found, together with those that are not here."""

    score: float
    """The score of the best tree."""

    has_probabilities: bool
    """Whether scores are logarithms of probabilities."""

    method: str
    """What the search does, in a few words."""

    rivals: str
    """What the rivals of an item are: the heading of a list."""

    rival: str
    """What one of them is: an item, or a way to make the item."""

    glossary: Mapping[str, str]
    """What the abbreviations mean."""

    measures: Mapping[str, str]
    """What a score or a probability is."""

    @property
    def shown(self) -> tuple[FoundItem, ...]:
        """The items to look at."""
        return tuple([item for item in self.items if item.is_shown])

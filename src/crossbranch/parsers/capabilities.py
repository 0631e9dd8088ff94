"""What a kind of parser can do, and how it likes its work: each kind declares it."""

from __future__ import annotations

from typing import NamedTuple


class Capabilities(NamedTuple):
    """What a kind of parser can do besides finding the best tree of a sentence."""

    k_best: bool = False
    """It can find several trees for a sentence."""

    own_tags: bool = False
    """It tags by itself, and needs no tagger."""

    marginals: bool = False
    """It can compute probabilities of trees and constituents."""

    devices: tuple[str, ...] = ("cpu",)
    """The kinds of devices that it runs on."""

    def in_words(self) -> str:
        """Name what is there, for messages."""
        names = {"k_best": "k-best lists", "own_tags": "its own tags", "marginals": "marginals"}
        found = [text for name, text in names.items() if getattr(self, name)]
        return ", ".join(found) or "one tree for each sentence"


class BatchSize(NamedTuple):
    """How many sentences a parser likes to get at once. A batch is full at either limit."""

    tokens: int = 2048  # more would not be faster, and fewer threads would share a short text
    sentences: int = 1024
    by_length: bool = False
    """Whether the sentences of a batch are sorted by length; their order is restored."""

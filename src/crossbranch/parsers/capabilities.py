"""What each kind of parser declares: its capabilities and the size of its batches."""

from __future__ import annotations

from typing import NamedTuple


class Capabilities(NamedTuple):
    """What a kind of parser can do besides finding the best tree of a sentence."""

    k_best: bool = False
    """The parser can find several trees for a sentence."""

    own_tags: bool = False
    """The parser predicts tags itself and needs no tagger."""

    marginals: bool = False
    """The parser can compute probabilities of trees and constituents."""

    devices: tuple[str, ...] = ("cpu",)
    """The kinds of devices that the parser runs on."""

    def in_words(self) -> str:
        """Return the names of the capabilities, for messages."""
        names = {"k_best": "k-best lists", "own_tags": "its own tags", "marginals": "marginals"}
        found = [text for name, text in names.items() if getattr(self, name)]
        return ", ".join(found) or "one tree for each sentence"


class BatchSize(NamedTuple):
    """How many sentences a parser gets at once. A batch is full when it reaches either limit."""

    tokens: int = 2048  # more is not faster, and a short text would use fewer threads
    sentences: int = 1024
    by_length: bool = False
    """Whether the parser gets the sentences of a batch sorted by length."""

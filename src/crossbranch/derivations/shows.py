"""What is shown of a search: frames with partial trees, words and scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from crossbranch.tree import Sentence, Tree


class Item(NamedTuple):
    """An item of a configuration."""

    text: str
    kind: str
    """Where it is: stack, aside, focus or buffer; see `drawing.looks.ITEMS`."""

    vertex: int
    """Its vertex in the partial trees; -1 if they do not have it."""


class Part(NamedTuple):
    """A list of items, such as the stack."""

    name: str
    meaning: str
    items: tuple[Item, ...]


class Choice(NamedTuple):
    """A legal transition; in a chart, an item or a way to make it."""

    name: str
    is_taken: bool
    score: float | None = None
    """Higher is better; None for gold trees."""

    probability: float | None = None
    """Only if scores are logarithms of probabilities."""


@dataclass(frozen=True)
class Frame:
    """A configuration, the transition that led to it, and the choice that comes next.

    In a chart, it is an item, and the choice is between this item and others.
    """

    number: int
    """The number of transitions so far; in a chart, the place of the item among all items."""

    transition: str
    """The name of the transition or of the item; empty at the start."""

    explanation: str
    parts: tuple[Part, ...]
    forest: Tree
    """The partial trees, below a root that is not to be drawn."""

    choices: tuple[Choice, ...]
    """The best legal transitions, the best one first; for gold trees, only the one taken."""

    legal: tuple[str, ...]
    """All legal transitions. Those that differ only in their label are one entry."""

    legal_count: int
    words: str = ""
    """Of an item: its words."""

    rule: str = ""
    """Of an item: the rule that makes it."""

    in_tree: bool = False
    """Of an item: whether the best tree has it."""

    @property
    def taken(self) -> str:
        """The name of the transition that is taken next; empty at the end."""
        return next((choice.name for choice in self.choices if choice.is_taken), "")

    @property
    def is_second_choice(self) -> bool:
        """Whether another transition has a higher score than the one taken: a beam can do this."""
        return bool(self.choices) and not self.choices[0].is_taken

    @property
    def items(self) -> dict[int, str]:
        """The vertices of all items in the partial trees, and where they are."""
        # An item of a chart may be in several parts; the first one counts.
        items = [item for part in reversed(self.parts) for item in part.items]
        return {item.vertex: item.kind for item in items if item.vertex >= 0}


class Wording(NamedTuple):
    """How a kind of search is talked about."""

    unit: str
    """What is counted: transitions or items."""

    about: str
    """What the search does, in a few words."""

    columns: tuple[str, ...]
    """The names of the parts, and what a step is called."""

    choice: str
    """What the choices of a frame are: the heading of a list."""

    option: str
    """One of the choices."""

    end: str
    """What is said if there is no choice at the end."""

    kinds: Mapping[str, str]
    """What the kinds of items are; see `Item.kind`."""

    glossary: Mapping[str, str]
    """What the abbreviations mean."""

    labels: Mapping[str, tuple[str, ...]]
    """The labels of the treebank that labels of partial trees are made of."""

    measures: Mapping[str, str]
    """What a score and a probability are."""


class Show(NamedTuple):
    """A search to look at."""

    id: str
    """The id of the sentence."""

    sentence: Sentence
    frames: tuple[Frame, ...]
    total: int
    """How many transitions or items there are. Not all items have frames."""

    wording: Wording
    score: float | None = None
    """The score of the tree; None for gold trees."""

    has_probabilities: bool = False

    @property
    def title(self) -> str:
        """The sentence."""
        return " ".join(token.form for token in self.sentence)

    @property
    def has_rules(self) -> bool:
        """Whether the frames are items, which are made by rules."""
        return any(frame.rule for frame in self.frames)

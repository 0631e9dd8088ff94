"""Constituents: nodes with their words, their text and their neighbours in the tree.

A node knows neither its sentence nor its parent, so that trees can share nodes. A `Constituent` is
a node in its place in a tree. It is only a view: it is cheap to make, and its properties are
computed when they are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from crossbranch.errors import UsageError
from crossbranch.node import ROOT, Features, Node, Sentence, Token, feature
from crossbranch.span import Block

CONFIDENCE = "confidence"
"""The feature in which parsers store their confidence."""

ELLIPSIS = " … "
"""Written between the blocks of a constituent, for each gap."""


class TreeLike(Protocol):
    """The parts of a `crossbranch.Tree` that a constituent needs."""

    @property
    def sentence(self) -> Sentence:
        """The tokens."""

    @property
    def root(self) -> Node:
        """The node above all others."""

    @property
    def id(self) -> str:
        """The id of the sentence."""

    @property
    def text(self) -> str:
        """The sentence as it is in the raw text."""

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes in preorder."""

    @property
    def parents(self) -> tuple[int, ...]:
        """The parent of each vertex."""

    @property
    def head_tokens(self) -> tuple[int | None, ...]:
        """The head token of each node."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constituent:
    """A node in its place in a tree. Two are equal if node, place and tree are equal."""

    tree: TreeLike
    """The tree that it is in."""

    index: int
    """Its place in `tree.nodes`."""

    @property
    def node(self) -> Node:
        """The node itself."""
        return self.tree.nodes[self.index]

    @property
    def label(self) -> str:
        """What kind of phrase it is, such as NP."""
        return self.node.label

    @property
    def edge_label(self) -> str:
        """Its function in the constituent above it, such as subject."""
        return self.node.edge_label

    @property
    def function(self) -> str:
        """Its function in the constituent above it: another name for `edge_label`."""
        return self.node.edge_label

    @property
    def features(self) -> Features:
        """Further information about it: pairs of name and value."""
        return self.node.features

    @property
    def confidence(self) -> float | None:
        """How sure the parser is of it, from 0 to 1. None if it is not known."""
        return confidence_of(self.features)

    # --- words and text

    @property
    def tokens(self) -> list[int]:
        """The indices of its tokens, in ascending order."""
        return self.node.tokens

    @property
    def words(self) -> list[str]:
        """Its words, from left to right, without the words in its gaps."""
        sentence = self.tree.sentence
        return [sentence[token].form for token in self.tokens]

    @property
    def tags(self) -> list[str]:
        """The tags of its words."""
        sentence = self.tree.sentence
        return [sentence[token].tag for token in self.tokens]

    @property
    def head_token(self) -> int | None:
        """The index of its head word. None if it cannot be found.

        Heads that are not marked are found by the head table that fits the labels of the tree.
        """
        return self.tree.head_tokens[self.index]

    @property
    def head_word(self) -> str | None:
        """Its head word. None if it cannot be found."""
        token = self.head_token
        return None if token is None else self.tree.sentence[token].form

    @property
    def text(self) -> str:
        """The text of its blocks, with ` … ` for each gap.

        This is a part of the raw text if the tree knows it. Otherwise, it is the words with blanks
        between them.
        """
        offsets, whole = self.offsets, self.tree.text
        first = text_start(self.tree)
        if whole and offsets and first is not None:
            return ELLIPSIS.join([whole[start - first : end - first] for start, end in offsets])
        sentence = self.tree.sentence
        parts = [" ".join([token.form for token in sentence[a:b]]) for a, b in self.blocks]
        return ELLIPSIS.join(parts)

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """Start and end of each block in the raw text, in characters. Empty if not known."""
        sentence = self.tree.sentence
        found: list[tuple[int, int]] = []
        for first, stop in self.blocks:
            start, end = sentence[first].start, sentence[stop - 1].end
            if start is None or end is None:
                return []
            found.append((start, end))
        return found

    @property
    def start(self) -> int | None:
        """The position of its first character in the raw text. None if not known."""
        offsets = self.offsets
        return offsets[0][0] if offsets else None

    @property
    def end(self) -> int | None:
        """The position after its last character in the raw text. None if not known."""
        offsets = self.offsets
        return offsets[-1][1] if offsets else None

    # --- shape

    @property
    def blocks(self) -> list[Block]:
        """Its maximal runs of neighbouring tokens, as half-open ranges from left to right."""
        return self.node.blocks

    @property
    def fan_out(self) -> int:
        """The number of blocks."""
        return self.node.fan_out

    @property
    def is_discontinuous(self) -> bool:
        """Whether it has a gap."""
        return self.node.is_discontinuous

    # --- neighbours

    @property
    def vertex(self) -> int:
        """Its vertex number, as used in secondary edges."""
        return len(self.tree.sentence) + self.index

    @property
    def parent(self) -> Constituent | None:
        """The constituent directly above it, which may be the virtual root. None for the root."""
        above = self.tree.parents[self.vertex]
        return None if above < 0 else Constituent(self.tree, above - len(self.tree.sentence))

    @property
    def children(self) -> list[Constituent]:
        """The constituents directly below it. `node.children` has its words, too."""
        parents, count, vertex = self.tree.parents, len(self.tree.sentence), self.vertex
        found = []
        for below in range(vertex + 1, len(parents)):
            if parents[below] < vertex:  # in preorder, the nodes below come next
                break
            if parents[below] == vertex:
                found.append(Constituent(self.tree, below - count))
        return found

    @property
    def depth(self) -> int:
        """The number of nodes above it: 0 for the root."""
        parents, vertex, depth = self.tree.parents, self.vertex, 0
        while (vertex := parents[vertex]) >= 0:
            depth += 1
        return depth

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constituent):
            return NotImplemented
        if self.index != other.index:
            return False
        return self.tree is other.tree or self.tree == other.tree

    def __hash__(self) -> int:
        node = self.node
        return hash((self.index, node.label, node.span))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        text = f"<Constituent {self.label}: {self.text}>"
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Word:
    """A token in its place in a tree. Two are equal if place and tree are equal."""

    tree: TreeLike
    """The tree that it is in."""

    index: int
    """Its place in `tree.sentence`."""

    @property
    def token(self) -> Token:
        """The token itself."""
        return self.tree.sentence[self.index]

    @property
    def label(self) -> str:
        """Its tag."""
        return self.token.tag

    @property
    def function(self) -> str:
        """Its function in the constituent above it, such as subject."""
        return self.token.edge_label

    @property
    def tokens(self) -> list[int]:
        """Its index, in a list, as constituents have it."""
        return [self.index]

    @property
    def words(self) -> list[str]:
        """The word, in a list, as constituents have it."""
        return [self.token.form]

    @property
    def head_token(self) -> int:
        """Its index: a word is its own head."""
        return self.index

    @property
    def head_word(self) -> str:
        """The word: it is its own head."""
        return self.token.form

    @property
    def text(self) -> str:
        """The word as it is in the raw text if the tree knows it, otherwise its form."""
        first, (start, end) = text_start(self.tree), self.token[-2:]
        if first is None or start is None or end is None:
            return self.token.form
        return self.tree.text[start - first : end - first]

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """Start and end in the raw text, in a list, as constituents have it. Empty if not known."""
        start, end = self.token[-2:]
        return [] if start is None or end is None else [(start, end)]

    @property
    def parent(self) -> Constituent:
        """The constituent directly above it."""
        return Constituent(self.tree, self.tree.parents[self.index] - len(self.tree.sentence))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Word):
            return NotImplemented
        return self.index == other.index and (self.tree is other.tree or self.tree == other.tree)

    def __hash__(self) -> int:
        return hash((self.index, self.token.form))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        text = f"<Word {self.label}: {self.text}>"
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


def find(tree: TreeLike, labels: Sequence[str] = ()) -> list[Constituent]:
    """Return the constituents with one of these labels, or all except a virtual root."""
    for label in labels:
        if not isinstance(label, str):
            raise UsageError(
                f"{label!r} is not a label; give labels one by one, as in constituents('NP', 'PP')"
            )
    nodes = tree.nodes
    if labels:
        return [Constituent(tree, i) for i, node in enumerate(nodes) if node.label in labels]
    first = 1 if nodes[0].label == ROOT else 0
    return [Constituent(tree, i) for i in range(first, len(nodes))]


def find_at(tree: TreeLike, start: int, end: int) -> list[Constituent]:
    """Return the constituents that contain all tokens in a range of characters, smallest first."""
    if not 0 <= start < end:
        raise UsageError(f"no characters from {start} to {end}; the end must come after the start")
    span = 0
    for index, token in enumerate(tree.sentence):
        if token.start is None or token.end is None:
            raise UsageError(
                f"the position of {token.form!r} in the text is unknown; "
                "tokens have positions if the parser was given raw text"
            )
        if token.start < end and start < token.end:
            span |= 1 << index
    if not span:  # white space, or another sentence
        return []
    found = [c for c in find(tree) if c.node.span & span == span]
    return found[::-1]  # they are above one another, so preorder has the smallest last


def text_start(tree: TreeLike) -> int | None:
    """Return where a tree begins in the raw text; None if it does not fit the tokens."""
    if not tree.sentence:
        return None
    start, end = tree.sentence[0].start, tree.sentence[-1].end
    known = start is not None and end is not None and end - start == len(tree.text)
    return start if known else None


def confidence_of(features: Features) -> float | None:
    """Return the confidence from these features. None if they have none."""
    value = feature(features, CONFIDENCE)
    try:
        return float(value) if value else None
    except ValueError:  # a feature of a treebank that happens to have this name
        return None

"""What documents, spans and tokens of spaCy say about their trees.

A span has the words from its start to its end. "In the span" means: all words of the constituent
are words of the span. Virtual roots are no constituents here.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from spacy.tokens import Doc, Span
from spacy.tokens import Token as SpacyToken

from crossbranch.constituent import Constituent
from crossbranch.spacy.stored import trees_of
from crossbranch.tree import ROOT, Tree


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DocConstituent:
    """A constituent in a document of spaCy. Its words are tokens of spaCy."""

    doc: Doc
    """The document."""

    start: int
    """The index of the first token of its sentence in the document."""

    constituent: Constituent
    """The constituent in its tree, with everything that crossbranch knows about it."""

    @property
    def label(self) -> str:
        """What kind of phrase it is, such as NP."""
        return self.constituent.label

    @property
    def function(self) -> str:
        """Its function in the constituent above it, such as SBJ."""
        return self.constituent.function

    @property
    def confidence(self) -> float | None:
        """How sure the parser is of it, from 0 to 1. None if it is not known."""
        return self.constituent.confidence

    @property
    def is_discontinuous(self) -> bool:
        """Whether it has a gap, so that it has several spans."""
        return self.constituent.is_discontinuous

    @property
    def spans(self) -> list[Span]:
        """Its blocks, from left to right, as spans with its label. Most constituents have one."""
        return [
            Span(self.doc, self.start + first, self.start + stop, label=self.label)
            for first, stop in self.constituent.blocks
        ]

    @property
    def span(self) -> Span:
        """The span from its first to its last word. If it has gaps, it includes other words."""
        blocks = self.constituent.blocks
        first, stop = blocks[0][0], blocks[-1][1]
        return Span(self.doc, self.start + first, self.start + stop, label=self.label)

    @property
    def tokens(self) -> list[SpacyToken]:
        """Its words, from left to right, without the words in its gaps."""
        return [self.doc[self.start + token] for token in self.constituent.tokens]

    @property
    def head(self) -> SpacyToken | None:
        """Its head word. None if it cannot be found."""
        token = self.constituent.head_token
        return None if token is None else self.doc[self.start + token]

    @property
    def text(self) -> str:
        """The text of its blocks, with ` … ` for each gap."""
        return self.constituent.text

    @property
    def parent(self) -> DocConstituent | None:
        """The constituent directly above it. None if there is none, or only a virtual root."""
        above = self.constituent.parent
        return None if above is None or above.label == ROOT else self._other(above)

    @property
    def children(self) -> list[DocConstituent]:
        """The constituents directly below it."""
        return [self._other(below) for below in self.constituent.children]

    def _other(self, constituent: Constituent) -> DocConstituent:
        return DocConstituent(self.doc, self.start, constituent)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DocConstituent):
            return NotImplemented
        return (
            self.doc is other.doc
            and self.start == other.start
            and self.constituent.index == other.constituent.index
        )

    def __hash__(self) -> int:
        return hash((self.start, self.constituent.index))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<DocConstituent {self.label}: {self.text}>"


def _placed(doc: Doc) -> list[tuple[int, Tree]]:
    """Return the trees of a document, each with the index of its first token."""
    trees = trees_of(doc)
    starts = accumulate((len(tree.sentence) for tree in trees), initial=0)
    return list(zip(starts, trees, strict=False))


def _touched(span: Span) -> list[tuple[int, Tree]]:
    """Return the trees that have a word of the span, each with the index of its first token."""
    return [
        (start, tree)
        for start, tree in _placed(span.doc)
        if start < span.end and span.start < start + len(tree.sentence)
    ]


def _of_doc(doc: Doc) -> list[DocConstituent]:
    return [
        DocConstituent(doc, at, one) for at, tree in _placed(doc) for one in tree.constituents()
    ]


def _mask(span: Span, start: int) -> int:
    """Return the words of a span as a bitset over the tokens of a tree; only those of this tree."""
    low, high = max(0, span.start - start), span.end - start
    return (1 << high) - (1 << low)


def _inside(span: Span) -> list[DocConstituent]:
    return [
        DocConstituent(span.doc, start, one)
        for start, tree in _touched(span)
        for one in tree.constituents()
        if not one.node.span & ~_mask(span, start)
    ]


def _labels(span: Span) -> tuple[str, ...]:
    return tuple(
        one.label for one in _inside(span) if len(one.constituent.tokens) == span.end - span.start
    )


def _above(span: Span) -> list[DocConstituent]:
    """Return the constituents with all words of a span and others, the smallest one first."""
    if len(touched := _touched(span)) != 1 or span.start == span.end:
        return []
    start, tree = touched[0]
    mask = _mask(span, start)
    found = [
        DocConstituent(span.doc, start, one)
        for one in tree.constituents()
        if one.node.span & mask == mask and one.node.span != mask
    ]
    return found[::-1]  # they are above one another, so preorder has the smallest last


def _below(span: Span) -> list[DocConstituent]:
    """Return the largest constituents in a span that do not have all its words."""
    size = span.end - span.start
    smaller = [one for one in _inside(span) if len(one.constituent.tokens) < size]
    among = set(smaller)
    return [one for one in smaller if one.parent not in among]


def _of_token(token: SpacyToken) -> Span:
    return token.doc[token.i : token.i + 1]


def _above_token(token: SpacyToken) -> list[DocConstituent]:
    for start, tree in _touched(_of_token(token)):
        found: list[DocConstituent] = []
        vertex = tree.parents[token.i - start]
        while vertex >= 0:
            one = Constituent(tree, vertex - len(tree.sentence))
            if one.label != ROOT or one.parent is not None:
                found.append(DocConstituent(token.doc, start, one))
            vertex = tree.parents[vertex]
        return found
    return []


def _first(getter: Callable[[Any], Any], default: Any) -> Callable[[Any], Any]:
    return lambda owner: next(iter(getter(owner)), default)


EXTENSIONS: dict[type, dict[str, Callable[[Any], Any]]] = {
    Doc: {"trees": trees_of, "constituents": _of_doc},
    Span: {
        "trees": lambda span: [tree for _, tree in _touched(span)],
        "constituents": _inside,
        "labels": _labels,
        "label": _first(_labels, ""),
        "parents": _above,
        "parent": _first(_above, None),
        "children": _below,
    },
    SpacyToken: {"parents": _above_token, "parent": _first(_above_token, None)},
}
"""The getters behind `doc._.`, `span._.` and `token._.`, by name."""


def register_extensions() -> None:
    """Make the getters known to spaCy. Another library's extension of the same name stays."""
    taken = []
    for owner, getters in EXTENSIONS.items():
        for name, getter in getters.items():
            if not owner.has_extension(name):  # type: ignore[attr-defined]
                owner.set_extension(name, getter=getter)  # type: ignore[attr-defined]
            elif owner.get_extension(name)[2] is not getter:  # type: ignore[attr-defined]
                taken.append(f"{owner.__name__.lower()}._.{name}")
    if taken:
        warnings.warn(
            f"{', '.join(taken)}: another library has set these; crossbranch leaves them as they"
            " are. Its own values are in crossbranch.spacy.views.EXTENSIONS",
            stacklevel=2,
        )

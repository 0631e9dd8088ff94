"""The result of a search: a tree for a sentence, with its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from crossbranch.span import Span
from crossbranch.tree import Features, Node


class Analysis(NamedTuple):
    """One tree that a parser found for a sentence, with its score."""

    root: Node
    score: float
    """Higher is better. Each kind of parser has its own scale."""

    tags: Sequence[str] | None = None
    """The tags of all tokens, if the parser predicts tags."""

    probability: float | None = None
    """The probability of the whole tree, if the parser was asked for marginals."""

    probabilities: Mapping[tuple[str, Span], float] | None = None
    """The probabilities of the brackets (label, span) of the tree, likewise."""

    functions: Sequence[str] | None = None
    """The functions of all tokens, if tokens have functions."""

    features: Features = ()
    """Features that the tree gets, such as how it was searched."""

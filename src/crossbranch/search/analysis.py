"""What a search finds: a tree over the tokens of a sentence, and what the parser thinks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from crossbranch.span import Span
from crossbranch.tree import Node


class Analysis(NamedTuple):
    """One answer of a parser. A sentence for which none is found has an empty list of these."""

    root: Node
    score: float
    """Higher is better; the scale is the parser's own."""

    tags: Sequence[str] | None = None
    """The tags of all tokens, if the parser tags by itself."""

    probability: float | None = None
    """Of the whole tree, if the parser computes marginals and was asked for them."""

    probabilities: Mapping[tuple[str, Span], float] | None = None
    """Of the constituents of the tree (label, span), likewise."""

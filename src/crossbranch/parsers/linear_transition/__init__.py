"""Parsers that build a tree by transitions, with a linear scorer and beam search.

settings   settings and search options
parser     the parser
learner    training
"""

from __future__ import annotations

from crossbranch.parsers.linear_transition.parser import LinearTransitionParser
from crossbranch.parsers.linear_transition.settings import (
    LinearTransitionOptions,
    LinearTransitionSettings,
)

__all__ = ["LinearTransitionOptions", "LinearTransitionParser", "LinearTransitionSettings"]

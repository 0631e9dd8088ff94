"""Search: the best trees that a scorer and a system allow.

analysis     what a search finds: a tree, its score, tags and probabilities
beam         beam search in the core, over sentences that are rows of numbers
"""

from __future__ import annotations

from crossbranch.search.analysis import Analysis
from crossbranch.search.beam import BeamSearch

__all__ = ["Analysis", "BeamSearch"]

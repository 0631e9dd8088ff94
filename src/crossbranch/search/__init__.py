"""Search: finding the best trees.

analysis     the result of a search: a tree, its score, tags and probabilities
beam         beam search in the core
trace        how a tree was found, step by step
"""

from __future__ import annotations

from crossbranch.search.analysis import Analysis
from crossbranch.search.beam import BeamSearch
from crossbranch.search.trace import Trace, TracedStep

__all__ = ["Analysis", "BeamSearch", "Trace", "TracedStep"]

"""Search: finding the best trees.

analysis         the result of a search: a tree, its score, tags and probabilities
beam             beam search in the core
trace            how a transition parser found a tree, step by step
items            the items of a chart or an agenda, in the order in which they are found
deduction_items  the items of a search with a grammar
"""

from __future__ import annotations

from crossbranch.search.analysis import Analysis
from crossbranch.search.beam import BeamSearch
from crossbranch.search.items import FoundItem, ItemTrace, Rival
from crossbranch.search.trace import Trace, TracedStep

__all__ = [
    "Analysis",
    "BeamSearch",
    "FoundItem",
    "ItemTrace",
    "Rival",
    "Trace",
    "TracedStep",
]

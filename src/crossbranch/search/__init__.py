"""Search: the best tree that a scorer and a system allow.

beam         beam search in the core, over sentences that are rows of numbers
assembly     what a search found, as nodes
"""

from __future__ import annotations

from crossbranch.search.assembly import NodeBuilder
from crossbranch.search.beam import BeamSearch, Found

__all__ = ["BeamSearch", "Found", "NodeBuilder"]

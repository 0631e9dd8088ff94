"""Search: the best trees that a scorer and a system allow.

beam         beam search in the core, over sentences that are rows of numbers
"""

from __future__ import annotations

from crossbranch.search.beam import BeamSearch, Found

__all__ = ["BeamSearch", "Found"]

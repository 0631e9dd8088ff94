"""The kinds of parsers."""

from __future__ import annotations

from crossbranch.parsers.parser import Parser
from crossbranch.parsers.transition import TransitionParser

PARSERS: dict[str, type[Parser]] = {kind.kind: kind for kind in (TransitionParser,)}
"""A new kind is one class in one file and one entry here."""

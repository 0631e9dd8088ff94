"""The kinds of parsers."""

from __future__ import annotations

from crossbranch.parsers.linear_transition import LinearTransitionParser
from crossbranch.parsers.parser import Parser

PARSERS: dict[str, type[Parser]] = {kind.kind: kind for kind in (LinearTransitionParser,)}
"""A new kind is a class in a folder of its own, one entry here, and its presets."""

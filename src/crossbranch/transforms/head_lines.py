"""Lines of files with head rules, and labels that cannot be right. All formats share this."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

COMMENT = ("#", "%")
"""What begins a comment at the start of a line, in all formats."""


class RuleLine(NamedTuple):
    """A line that is neither empty nor a comment."""

    number: int
    words: list[str]


def rule_lines(text: str) -> list[RuleLine]:
    """Return the lines with rules."""
    numbered = [RuleLine(number, line.split()) for number, line in enumerate(text.split("\n"), 1)]
    return [line for line in numbered if line.words and not line.words[0].startswith(COMMENT)]


def check_labels(words: Sequence[str], number: int) -> None:
    """Check that the words of a line can be labels, whatever the treebank is.

    Labels with a mark in them are rare, but there are some: `$,`, `:`, `NP|<NN>`. So only a letter
    or digit before the mark is an error: `NP:`, and `NN,` among the candidates.

    Raises ValueError(found, expected, line).
    """
    for place, word in enumerate(words):
        if any(unicodedata.category(character) == "Cc" for character in word):
            raise ValueError(repr(word), "text without control characters", number)
        marks = ":" if place == 0 else ",;"
        if word[-1] in marks and word[-2:-1].isalnum():
            raise ValueError(repr(word), f"a label, such as {word[:-1]}", number)

"""Counts of doubtful trees and of too long sentences; one message for a whole job on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from crossbranch.confidence.doubt import UNFAMILIAR, UNSURE, reasons_to_doubt
from crossbranch.config import Description
from crossbranch.doors import door
from crossbranch.parsers.sentences import SEARCH_SPACE
from crossbranch.tree import Tree, feature

ENOUGH = 1 / 15
"""The share of doubtful sentences from which there is a message.

In text like the dev trees of the shipped models, it is at most 5 %; in text of another kind, more.
"""

_IN_WORDS = {
    UNFAMILIAR: ("has mostly unknown words", "have mostly unknown words"),
    UNSURE: ("has a tree with low confidence", "have trees with low confidence"),
}


class DoubtCounts:
    """Counts sentences, and the reasons to doubt their trees."""

    def __init__(self) -> None:
        self.sentences = 0
        self.reasons = dict.fromkeys(_IN_WORDS, 0)
        self.spaces: Counter[str] = Counter()
        """How many sentences were parsed in which smaller search space."""

    @door
    def add(self, tree: Tree) -> None:
        """Count the best tree of a sentence."""
        self.sentences += 1
        if tree.features:
            for reason in reasons_to_doubt(tree):
                self.reasons[reason] += 1
            if space := feature(tree.features, SEARCH_SPACE):
                self.spaces[space] += 1

    @door
    def message(self, model: str, description: Description) -> str:
        """Return the message, or nothing if few trees are doubtful.

        Args:
            model: How the user calls the model.
            description: What the model is for.
        """
        found = list(self._in_words())
        if not found:
            return ""
        for_text = in_words(description)
        hint = f"this model is for {for_text}; " if for_text else ""
        return f"{' and '.join(found)}; {hint}see: crossbranch models {model}"

    def spaces_message(self) -> str:
        """Return the message about sentences that were too long, or nothing if there are none."""
        count = sum(self.spaces.values())
        if not count:
            return ""
        what = "sentence was" if count == 1 else "sentences were"
        which = ", ".join(f"{space} {times:,}" for space, times in sorted(self.spaces.items()))
        return f"{count:,} {what} too long for the search space and got a smaller one: {which}"

    def _in_words(self) -> Iterator[str]:
        for reason, count in self.reasons.items():
            if count and count >= ENOUGH * self.sentences:
                verb = _IN_WORDS[reason][count > 1]
                what = "sentence" if self.sentences == 1 else "sentences"
                yield f"{count:,} of {self.sentences:,} {what} {verb}"


def in_words(description: Description) -> str:
    """Return which language and text a model is for, as far as its description says so."""
    text = description.text or description.trained_on
    if not description.language:
        return text
    return f"{description.language} text" + (f" ({text})" if text else "")

"""Attachment errors: right brackets below a wrong parent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from crossbranch.evaluation.counted_nodes import counted_nodes
from crossbranch.evaluation.counts import Tally, with_percentages
from crossbranch.evaluation.pairs import Pair
from crossbranch.tree import Bracket, Tree


@dataclass(slots=True)
class Attachments(Tally):
    """Matched brackets by label, and how many of them have a wrong parent."""

    matched: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)

    def add(self, pair: Pair) -> None:
        """Compare the parents of the matched brackets of one more sentence.

        The parent is the next bracket above that counts. It must have the same label and span.
        """
        if pair.predicted is None:
            return
        predicted = pair.predicted_brackets
        for bracket, count in pair.gold_brackets.items():
            if bracket in predicted:
                matched = min(count, predicted[bracket])
                self.matched[bracket.label] += matched
                self.wrong[bracket.label] += matched
        mine, yours = _places(pair, pair.gold), _places(pair, pair.predicted)
        for place, count in mine.items():
            if place in yours:
                self.wrong[place[0].label] -= min(count, yours[place])

    def rows(self) -> list[tuple[str, int, int]]:
        """Return label, matched brackets and wrongly attached ones, most errors first."""
        rows = [(label, count, self.wrong[label]) for label, count in self.matched.items()]
        return sorted(rows, key=lambda row: (-row[2], row[0]))

    def to_dict(self) -> dict[str, Any]:
        """Return the errors of each label for JSON."""
        return {
            label: {"matched": matched, "wrong": wrong}
            | with_percentages({"error_rate": wrong / matched})
            for label, matched, wrong in self.rows()
        }


def _places(pair: Pair, tree: Tree) -> Counter[tuple[Bracket, Bracket | None]]:
    return Counter([(bracket, parent) for _, bracket, parent in counted_nodes(pair, tree)])

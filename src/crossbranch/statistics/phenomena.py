"""Which kinds of discontinuity a treebank has, and in which sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.evaluation.phenomena import Classes, find_phenomena, guess_scheme
from crossbranch.tree import Tree


class Occurrence(NamedTuple):
    """A sentence with a phenomenon, and how often it has it."""

    number: int
    id: str
    times: int


@dataclass
class PhenomenonCounts:
    """The sentences of each phenomenon. A sentence with two phenomena counts for both."""

    occurrences: dict[str, list[Occurrence]] = field(default_factory=dict)

    @classmethod
    @door
    def detected(cls, trees: Iterable[tuple[int, Tree]]) -> Self:
        """Detect the phenomena of trees, which are given with their numbers.

        Raises:
            UsageError: The label set is not known.
        """
        numbered = list(trees)
        scheme = guess_scheme(tree for _, tree in numbered)
        if numbered and not scheme:
            raise UsageError("cannot detect phenomena without the labels of NeGra, Penn or Alpino")
        counts = cls()
        for number, tree in numbered:
            counts.add(number, tree, [one.phenomenon for one in find_phenomena(tree, scheme)])
        return counts

    @classmethod
    @door
    def listed(cls, trees: Iterable[tuple[int, Tree]], classes: Classes) -> Self:
        """Count phenomena that are listed by the ids of sentences; see `read_classes`."""
        counts = cls()
        for number, tree in trees:
            counts.add(number, tree, classes.get(tree.id, ()))
        return counts

    @door
    def add(self, number: int, tree: Tree, names: Iterable[str]) -> None:
        """Add a sentence with its phenomena."""
        found = list(names)
        for name in sorted(set(found)):
            occurrence = Occurrence(number, tree.id, found.count(name))
            self.occurrences.setdefault(name, []).append(occurrence)

    def rows(self) -> list[tuple[str, list[Occurrence]]]:
        """Return each phenomenon with its sentences, the most frequent first."""
        return sorted(self.occurrences.items(), key=lambda row: (-len(row[1]), row[0]))

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON, with the numbers and ids of all sentences."""
        return {
            name: {
                "count": sum(one.times for one in found),
                "sentences": len(found),
                "numbers": [one.number for one in found],
                "ids": [one.id for one in found],
            }
            for name, found in self.rows()
        }

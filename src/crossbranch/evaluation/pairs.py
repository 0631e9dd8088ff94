"""A gold tree and a predicted tree, reduced to what counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from crossbranch.doors import door
from crossbranch.evaluation.counted_nodes import Counting, by_levels
from crossbranch.evaluation.parameters import Parameters
from crossbranch.tree import Bracket, Tree

Brackets = Counter[Bracket]
"""Brackets that count. In unary chains, the same bracket may occur more than once."""

NO_PARSE = "(no parse)"
"""The predicted tag of tokens without a parse. It differs from all tags, also from ""."""


def discontinuous(brackets: Brackets) -> Brackets:
    """Return the brackets with more than one block."""
    # As `span.is_discontinuous`, without a call for each bracket.
    gappy = [b for b in brackets if (span := b[1]) & span + (span & -span)]
    return Counter({bracket: brackets[bracket] for bracket in gappy}) if gappy else Counter()


def matches(gold: Brackets, predicted: Brackets) -> int:
    """Return the number of matched brackets."""
    found = predicted.get
    pairs = [(count, found(bracket, 0)) for bracket, count in gold.items()]
    return sum([one if one < other else other for one, other in pairs])


@dataclass(frozen=True)
class Pair:
    """One sentence: its gold tree and its predicted tree, or None if there is no parse."""

    gold: Tree
    predicted: Tree | None
    parameters: Parameters

    @cached_property
    def counting(self) -> Counting:
        """Decides which nodes of both trees count."""
        return Counting(self.gold, self.parameters)

    @property
    def deleted(self) -> list[int]:
        """The tokens deleted from both trees."""
        return self.counting.deleted

    @door
    def with_prediction(self, predicted: Tree) -> Pair:
        """Return a pair with another predicted tree. Gold brackets are not counted again."""
        other = Pair(self.gold, predicted, self.parameters)
        vars(other).update(counting=self.counting, gold_brackets=self.gold_brackets)
        return other

    @cached_property
    def length(self) -> int:
        """The number of tokens, for the length limit (`cutoff`)."""
        uncounted = self.parameters.uncounted_tags
        if not uncounted:
            return len(self.gold.sentence)
        return sum(token.tag not in uncounted for token in self.gold.sentence)

    @cached_property
    def gold_brackets(self) -> Brackets:
        """The gold brackets that count."""
        return self._brackets(self.gold)

    @cached_property
    def predicted_brackets(self) -> Brackets:
        """The predicted brackets that count."""
        return Counter() if self.predicted is None else self._brackets(self.predicted)

    def _brackets(self, tree: Tree) -> Brackets:
        return Counter([bracket for _, bracket in self.counting.brackets(by_levels(tree.root))])

    @cached_property
    def tags(self) -> list[tuple[str, str]]:
        """Gold and predicted tag of each token that counts."""
        gold = [token.tag for token in self.gold.sentence]
        if self.predicted is None:
            pairs = [(tag, NO_PARSE) for tag in gold]
        else:
            predicted = [token.tag for token in self.predicted.sentence]
            pairs = list(zip(gold, predicted, strict=True))
        for token in reversed(self.deleted):
            del pairs[token]
        return pairs

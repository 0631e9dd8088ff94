"""A gold tree and a predicted one, reduced to what the parameters count."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from crossbranch.evaluation.counted_nodes import Counting, by_levels
from crossbranch.evaluation.parameters import Parameters
from crossbranch.span import is_discontinuous
from crossbranch.tree import Bracket, Tree

Brackets = Counter[Bracket]
"""Brackets that count; the same one may occur more than once in unary chains."""

NO_PARSE = "(no parse)"
"""Stands for the tags of a sentence that has none, which may be empty in gold."""


def discontinuous(brackets: Brackets) -> Brackets:
    """Return the brackets with more than one block."""
    found: Brackets = Counter()
    for bracket, count in brackets.items():
        if is_discontinuous(bracket[1]):
            found[bracket] = count
    return found


def matches(gold: Brackets, predicted: Brackets) -> int:
    """Return how many brackets are the same."""
    return sum([min(count, predicted[b]) for b, count in gold.items() if b in predicted])


@dataclass(frozen=True)
class Pair:
    """One sentence: its gold tree, and what a parser made of it; None where it made nothing."""

    gold: Tree
    predicted: Tree | None
    parameters: Parameters

    @cached_property
    def counting(self) -> Counting:
        """Decides which nodes of both trees count."""
        return Counting(self.gold, self.parameters)

    @property
    def deleted(self) -> list[int]:
        """The tokens left out of both trees."""
        return self.counting.deleted

    def with_prediction(self, predicted: Tree) -> Pair:
        """Return the same gold tree with another tree, without counting the gold brackets again."""
        other = Pair(self.gold, predicted, self.parameters)
        vars(other).update(counting=self.counting, gold_brackets=self.gold_brackets)
        return other

    @cached_property
    def length(self) -> int:
        """The number of tokens, for the cut-off."""
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

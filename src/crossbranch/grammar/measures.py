"""Figures of grammars: how many rules, how many blocks, and what parsing with them costs.

The complexity of a rule is the number of places in a sentence that a parser must choose to apply
it: the sum of the fan-outs of all its symbols (Gildea 2010). A rule with complexity 3, such as
S -> NP VP, takes time O(n^3). The complexity of a grammar is that of its worst rule.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from crossbranch.doors import door
from crossbranch.grammar.cleaning import tags_of, useless_rules
from crossbranch.grammar.lcfrs import Grammar, Rule
from crossbranch.grammar.normal_forms import is_gap_explicit, is_ordered


@door
def complexity(rule: Rule) -> int:
    """Return the sum of the fan-outs of a rule's symbols.

    >>> complexity(Rule("S", ("VP_2", "MD"), (((0, 0), (1, 0), (0, 1)),)))
    4
    """
    return rule.fan_out + sum(rule.fan_outs)


@dataclass(frozen=True)
class GrammarFigures:
    """Counts of symbols and rules. Words are counted apart."""

    symbols: int
    """Symbols with rules."""

    tags: int
    """Symbols with words."""

    words: int
    """Pairs of a word and its tag."""

    fan_outs: Counter[int]
    """Rules by the fan-out of their symbol."""

    occurrences: dict[int, int] | None
    """How often rules occur, by the fan-out of their symbol; None if weights are not counts."""

    ranks: Counter[int]
    """Rules by the number of their children."""

    complexities: Counter[int]
    """Rules by their complexity."""

    useless: int
    """Rules and words that no tree has."""

    ordered: bool
    gap_explicit: bool
    tagged: bool
    binary: bool
    """Normal forms that the grammar has."""

    probabilistic: bool
    """Whether the weights of each symbol add up to 1."""

    @property
    def rules(self) -> int:
        """The number of rules."""
        return self.fan_outs.total()

    @property
    def fan_out(self) -> int:
        """The largest fan-out of a symbol."""
        return max(self.fan_outs, default=1)

    @property
    def rank(self) -> int:
        """The largest number of children."""
        return max(self.ranks, default=0)

    @property
    def complexity(self) -> int:
        """The complexity of the worst rule: parsing takes time O(n^complexity)."""
        return max(self.complexities, default=0)


@door
def measure(grammar: Grammar) -> GrammarFigures:
    """Return the figures of a grammar."""
    rules = grammar.rules
    return GrammarFigures(
        symbols=len({rule.left for rule in rules}),
        tags=len(tags_of(grammar)),
        words=sum(map(len, grammar.words.values())),
        fan_outs=Counter(rule.fan_out for rule in rules),
        occurrences=_occurrences(grammar),
        ranks=Counter(rule.rank for rule in rules),
        complexities=Counter(map(complexity, rules)),
        useless=len(useless_rules(grammar)),
        ordered=all(map(is_ordered, rules)),
        gap_explicit=all(map(is_gap_explicit, rules)),
        tagged=not any(rule.terminals for rule in rules),
        binary=all(rule.rank <= 2 for rule in rules),
        probabilistic=all(math.isclose(total, 1.0) for total in grammar.totals().values()),
    )


def _occurrences(grammar: Grammar) -> dict[int, int] | None:
    found: Counter[int] = Counter()
    for rule, weight in grammar.rules.items():
        if weight != int(weight):
            return None
        found[rule.fan_out] += int(weight)
    return dict(sorted(found.items()))

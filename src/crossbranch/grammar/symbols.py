"""The parts of a sampling grammar: symbols, rules, and the style of its sentences."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from crossbranch.grammar.lcfrs import is_hidden, label_of
from crossbranch.grammar.lexicon import Choice, Random
from crossbranch.grammar.syntax import RuleLine


class Edge(NamedTuple):
    """A secondary edge between two children of a rule, given by their positions."""

    child: int
    below: str
    label: str
    parent: int


class Rule:
    """One way to expand a symbol, with all features filled in."""

    __slots__ = ("blocks", "chances", "children", "edge_labels", "edges", "least", "line", "weight")

    def __init__(self, line: RuleLine, weight: float, children: Sequence[Symbol]) -> None:
        """Make the rule of a line with these children."""
        place = {
            name: (child, block)
            for child, item in enumerate(line.right)
            for block, name in enumerate(item.variables)
        }
        self.line, self.weight, self.children = line, weight, tuple(children)
        self.edge_labels = [item.edge_label for item in line.right]
        self.chances = [item.chance for item in line.right]
        self.blocks = [[place[name] for name in block] for block in line.blocks]
        self.edges = [
            Edge(place[also.child][0], also.below, also.label, place[also.parent][0])
            for also in line.also
        ]
        self.least = 0

    def count_least(self) -> int | None:
        """Return the length of the shortest yield; None if that of a child is not known yet."""
        total = 0
        for child, chance in zip(self.children, self.chances, strict=True):
            if child.least is None:
                return None
            if chance == 1:
                total += child.least
        return total


class Symbol:
    """A category with features. In trees, `NP.extra[Acc]` is NP, and `_ARGS` is not shown."""

    __slots__ = (
        "features",
        "is_shown",
        "label",
        "least",
        "most",
        "name",
        "rules",
        "steps",
        "words",
    )

    def __init__(self, name: str, features: tuple[str, ...]) -> None:
        """Start without rules and words."""
        self.name, self.features = name, features
        self.label = label_of(name)
        self.is_shown = not is_hidden(name)
        self.rules: list[Rule] = []
        self.steps: list[float] = []
        self.words = Choice()
        self.least: int | None = None  # the length of the shortest yield
        self.most = 0  # by how much the shortest yield of the longest rule is longer

    @property
    def is_terminal(self) -> bool:
        """Whether this is a word without a tag: a terminal in a rule."""
        return self.name.startswith('"')

    def __str__(self) -> str:
        return f"{self.name}[{','.join(self.features)}]" if self.features else self.name

    def settle(self) -> None:
        """Prepare the symbol for sampling, when its rules and shortest yields are known."""
        if not self.rules:
            return
        self.steps = list(accumulate([rule.weight for rule in self.rules]))
        for rule in self.rules:
            rule.least = (rule.count_least() or 0) - (self.least or 0)
        self.most = max(rule.least for rule in self.rules)

    def choose(self, random: Random, slack: int) -> Rule | None:
        """Return a rule that needs at most `slack` more words than the shortest yield.

        None means one of its words.
        """
        rules, steps = self.rules, self.steps
        if slack < self.most:
            rules = [rule for rule in rules if rule.least <= slack]
            steps = list(accumulate([rule.weight for rule in rules]))
        if not rules:
            return None
        spoken = self.words.mass
        if spoken and random() * (steps[-1] + spoken) >= steps[-1]:
            return None
        if len(rules) == 1:
            return rules[0]
        return rules[bisect(steps, random() * steps[-1], 0, len(steps) - 1)]


class Style:
    """How sentences are written, and where their punctuation is attached."""

    def __init__(self) -> None:
        """Start with no special rules."""
        self.raised: frozenset[str] = frozenset()  # tags of tokens that are attached to the root
        self.absorbed: dict[str, frozenset[str]] = {}  # forms left out before these, and at ends
        self.respelled: dict[str, tuple[str, tuple[str, ...]]] = {}  # form -> (other form, before)
        self.capitalize = False

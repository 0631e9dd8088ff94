"""The best derivations of a grammar, found by the core: weighted deduction with an agenda.

The grammar must be ordered, and no rule may have terminals or more than two children.
`normal_forms` makes such grammars of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Literal, NamedTuple

from crossbranch import _core
from crossbranch.errors import UsageError
from crossbranch.grammar.lcfrs import Grammar, Rule
from crossbranch.grammar.normal_forms import is_ordered

Axiom = tuple[int, int, float]
"""A token, the number of a symbol that it may have, and the cost of this."""

Ending = Literal["found", "none", "items", "time"]
"""Found; there is no derivation; there were too many items; it took too long."""


Estimates = Literal["none", "lengths", "blocks"]
"""Lower bounds of what is missing to an item: none; by its number of tokens; by its blocks."""


class Derivation(NamedTuple):
    """A derivation and its cost, the negative logarithm of its probability."""

    cost: float
    steps: list[int]
    """In preorder: the number of a rule, or ~number of an axiom."""


class Found(NamedTuple):
    """What a search found."""

    derivations: list[Derivation]
    """The best one first."""
    ending: Ending
    """If it is not "found", there may be better derivations."""
    items: int
    """The number of items of the last search: a measure of the effort and of the memory."""


class TakenItem(NamedTuple):
    """An item that has left the agenda."""

    symbol: int
    blocks: tuple[tuple[int, int], ...]
    cost: float
    """The negative logarithm of its probability."""
    priority: float
    """Its place on the agenda: the lowest one leaves it first."""
    step: int
    """Its rule, or ~number of an axiom."""
    children: tuple[int, ...]
    """Their places in the list."""
    in_tree: bool
    """Whether the best derivation has it."""
    is_repeated: bool
    """Whether it has left the agenda before, with a higher cost."""


class Taken(NamedTuple):
    """The items of a search, in the order in which they have left the agenda."""

    items: list[TakenItem]
    ending: Ending


class AgendaParser:
    """A grammar with numbered symbols and rules."""

    symbols: tuple[str, ...]
    rules: tuple[Rule, ...]
    number: dict[str, int]
    """The numbers of the symbols."""
    costs: tuple[float, ...]
    """The costs of the rules."""

    def __init__(self, grammar: Grammar) -> None:
        """Number the symbols and rules. The order of the rules in the grammar does not matter.

        Raises:
            UsageError: The core cannot parse with one of the rules.
        """
        self.symbols = tuple(sorted(grammar.symbols))
        self.rules = tuple(sorted(grammar.rules, key=_key))
        self.number = {symbol: number for number, symbol in enumerate(self.symbols)}
        totals = grammar.totals()
        self.costs = tuple(
            [max(0.0, log(totals[rule.left] / grammar.rules[rule])) for rule in self.rules]
        )
        self._core = _core.GrammarParser(
            [grammar.fan_out(symbol) for symbol in self.symbols],
            self.number[grammar.start],
            [
                (
                    self.number[rule.left],
                    self.number[rule.right[0]],
                    self.number[rule.right[1]] if rule.rank > 1 else None,
                    _composition(rule),
                    cost,
                )
                for rule, cost in zip(map(_checked, self.rules), self.costs, strict=True)
            ],
        )

    def parse(
        self,
        axioms: Sequence[Axiom],
        token_count: int,
        *,
        k_best: int = 1,
        estimates: Estimates = "blocks",
        max_items: int = 0,
        max_seconds: float = 0.0,
    ) -> Found:
        """Return the best derivations of a sentence.

        Args:
            axioms: The symbols that its tokens may have.
            token_count: The number of its tokens.
            k_best: The number of derivations.
            estimates: The outside estimates of the search (A*). The result is always the same, but
                it is found sooner.
            max_items: The largest number of items; 0 means no limit.
            max_seconds: The longest time for one search; 0 means no limit.
        """
        derivations, ending, items, _ = self._core.parse(
            axioms,
            token_count,
            k_best=k_best,
            estimates=estimates,
            max_items=max_items,
            max_seconds=max_seconds,
        )
        return Found([Derivation(*one) for one in derivations], _ending(ending), items)

    def taken(
        self,
        axioms: Sequence[Axiom],
        token_count: int,
        *,
        estimates: Estimates = "blocks",
        max_items: int = 0,
        max_seconds: float = 0.0,
    ) -> Taken:
        """Return the items of a search for one derivation; see `parse` for the arguments."""
        plain, ending = self._core.taken(
            axioms,
            token_count,
            estimates=estimates,
            max_items=max_items,
            max_seconds=max_seconds,
        )
        seen: set[tuple[int, tuple[int, ...]]] = set()
        items = []
        for symbol, ends, cost, priority, step, children, in_tree in plain:
            key = symbol, tuple(ends)
            blocks = tuple(zip(ends[::2], ends[1::2], strict=True))
            items.append(
                TakenItem(
                    *(symbol, blocks, cost, priority, step, tuple(children), in_tree, key in seen)
                )
            )
            seen.add(key)
        return Taken(items, _ending(ending))

    def blocks(
        self, axioms: Sequence[Axiom], token_count: int, margin: float
    ) -> list[tuple[str, int, int, int]]:
        """Return the blocks that good derivations may have: symbol, block, first token, end.

        A derivation that costs at most `margin` more than a lower bound of all derivations has no
        other blocks. The bound comes from the context-free grammar of single blocks.
        """
        found = self._core.blocks(axioms, token_count, margin)
        return [(self.symbols[symbol], block, start, stop) for symbol, block, start, stop in found]


def _ending(name: str) -> Ending:
    return name  # type: ignore[return-value] # the core knows these four


def _key(rule: Rule) -> tuple[str, tuple[str, ...], str]:
    return rule.left, rule.right, str(rule.blocks)


def _checked(rule: Rule) -> Rule:
    if rule.terminals or not 1 <= rule.rank <= 2 or not is_ordered(rule):
        raise UsageError(f"{rule}: expected an ordered rule with one or two children and no words")
    return rule


def _composition(rule: Rule) -> str:
    """Write which child each part comes from, as disco-dop does: `010,1`."""
    return ",".join("".join(str(part[0]) for part in block) for block in rule.blocks)

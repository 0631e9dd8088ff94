"""Exact parsing with any grammar, as weighted deduction (Kallmeyer & Maier 2013).

An item is a symbol with its blocks in the sentence. Words are the first items. Rules make items of
items, the most probable ones first (Knuth 1977). So the first item of the start symbol that covers
the sentence belongs to the best tree.

This is short and works for every grammar: any terminals, fan-outs and numbers of children. For
grammars from treebanks, a parser of the kind `plcfrs` is much faster.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count, pairwise
from typing import NamedTuple

from crossbranch.errors import UsageError
from crossbranch.grammar.cleaning import tags_of
from crossbranch.grammar.lcfrs import Grammar, Part, Rule, is_hidden, label_of, symbol_of
from crossbranch.grammar.normal_forms import binary, tagged
from crossbranch.span import Block
from crossbranch.tree import Node, Token, Tree


class Item(NamedTuple):
    """A symbol and its blocks: half-open ranges of tokens."""

    symbol: str
    blocks: tuple[Block, ...]


class Step(NamedTuple):
    """How an item was made: from other items, with a rule. Words have no rule."""

    cost: float
    rule: Rule | None
    children: tuple[Item, ...]


class Parse(NamedTuple):
    """The best tree of a sentence, and the logarithm of its probability."""

    tree: Tree
    log_probability: float


class Deduction:
    """Parses sentences with one grammar."""

    def __init__(self, grammar: Grammar) -> None:
        """Prepare a grammar. Its weights become probabilities."""
        self.grammar = grammar.probabilities()
        self._rules = binary(tagged(self.grammar))
        self._unary: defaultdict[str, list[_CostedRule]] = defaultdict(list)
        self._first: defaultdict[str, list[_CostedRule]] = defaultdict(list)
        self._second: defaultdict[str, list[_CostedRule]] = defaultdict(list)
        for rule, weight in self._rules.rules.items():
            costed = _CostedRule(rule, -math.log(weight))
            if rule.rank == 1:
                self._unary[rule.right[0]].append(costed)
            else:
                self._first[rule.right[0]].append(costed)
                self._second[rule.right[1]].append(costed)
        self._tags: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
        for tag, forms in self._rules.words.items():
            for form, weight in forms.items():
                self._tags[form].append((tag, -math.log(weight)))
        self._symbols: defaultdict[str, list[str]] = defaultdict(list)  # of each tag
        for symbol in sorted(tags_of(self.grammar)):
            self._symbols[label_of(symbol)].append(symbol)

    def parse(self, words: Sequence[str], tags: Sequence[str] | None = None) -> Parse | None:
        """Return the best tree of a sentence. None means that the grammar has no tree for it.

        Args:
            words: The words of the sentence.
            tags: Its tags, if they are known. Then the words need not be known to the grammar, and
                the probability is that of the tree above the tags.
        """
        if tags is not None and len(tags) != len(words):
            raise UsageError(f"{len(tags)} tags for {len(words)} words, expected one for each")
        goal = Item(self._rules.start, ((0, len(words)),))
        steps = self._search(self._known(words, tags), goal)
        if goal not in steps:
            return None
        return Parse(_tree(goal, steps, words), 0.0 - steps[goal].cost)

    def accepts(self, words: Sequence[str]) -> bool:
        """Say whether a sentence is in the language of the grammar."""
        return self.parse(words) is not None

    def _known(
        self, words: Sequence[str], tags: Sequence[str] | None
    ) -> Iterator[tuple[Item, float]]:
        """Yield the items of the words, with their costs."""
        for place, word in enumerate(words):
            found = self._tags.get(word, [])
            if tags is not None:
                symbols = self._symbols.get(tags[place]) or [symbol_of(tags[place])]
                terminals = [pair for pair in found if is_hidden(pair[0])]
                found = [*terminals, *((symbol, 0.0) for symbol in symbols)]
            for symbol, cost in found:
                yield Item(symbol, ((place, place + 1),)), cost

    def _search(self, known: Iterable[tuple[Item, float]], goal: Item) -> dict[Item, Step]:
        """Return the best way to make each item that is better than the goal."""
        order = count()  # of equal costs, the first one wins
        agenda = [(cost, next(order), item, Step(cost, None, ())) for item, cost in known]
        agenda.sort()
        done: dict[Item, Step] = {}
        chart = _Chart()
        while agenda and goal not in done:
            _, _, item, step = heappop(agenda)
            if item in done:
                continue
            done[item] = step
            chart.add(item)
            for (rule, own), children, blocks in self._conclusions(item, chart):
                new = Item(rule.left, blocks)
                if new not in done:
                    total = own + sum(done[child].cost for child in children)
                    heappush(agenda, (total, next(order), new, Step(total, rule, children)))
        return done

    def _conclusions(
        self, item: Item, chart: _Chart
    ) -> Iterator[tuple[_CostedRule, tuple[Item, ...], tuple[Block, ...]]]:
        """Yield what can be made of an item and earlier ones."""
        for costed in self._unary[item.symbol]:
            yield from _apply(costed, (item,))
        for costed in self._first[item.symbol]:
            for other in chart.partners(costed.rule, 0, item):
                yield from _apply(costed, (item, other))
        for costed in self._second[item.symbol]:
            for other in chart.partners(costed.rule, 1, item):
                if other != item:  # that pair was found as (item, item) above
                    yield from _apply(costed, (other, item))


class _CostedRule(NamedTuple):
    rule: Rule
    cost: float


def _apply(
    costed: _CostedRule, children: tuple[Item, ...]
) -> Iterator[tuple[_CostedRule, tuple[Item, ...], tuple[Block, ...]]]:
    """Yield the conclusion of a rule, if its parts are neighbours where they must be."""
    blocks = []
    for parts in costed.rule.blocks:
        ranges = [children[part[0]].blocks[part[1]] for part in parts if not isinstance(part, str)]
        if any(one[1] != two[0] for one, two in pairwise(ranges)):
            return
        blocks.append((ranges[0][0], ranges[-1][1]))
    inside = sorted(blocks)
    if all(one[1] <= two[0] for one, two in pairwise(inside)):
        yield costed, children, tuple(blocks)


@dataclass
class _Chart:
    """The finished items, by symbol, and by the places where their blocks begin and end."""

    items: defaultdict[object, list[Item]] = field(default_factory=lambda: defaultdict(list))

    def add(self, item: Item) -> None:
        self.items[item.symbol].append(item)
        for number, block in enumerate(item.blocks):
            for side in (0, 1):
                self.items[item.symbol, number, side, block[side]].append(item)

    def partners(self, rule: Rule, place: int, item: Item) -> list[Item]:
        """Return the items that could be the other child of a rule with two children."""
        other = rule.right[1 - place]
        for block in rule.blocks:
            for one, two in pairwise(block):
                if one[0] == two[0]:
                    continue
                # The end of the left part is the beginning of the right part.
                mine, its, side = (one, two, 0) if one[0] == place else (two, one, 1)
                border = item.blocks[_number(mine)][1 - side]
                return self.items.get((other, _number(its), side, border), [])
        return self.items.get(other, [])


def _number(part: Part) -> int:
    assert not isinstance(part, str), "terminals have become tags"
    return part[1]


def _tree(goal: Item, steps: dict[Item, Step], words: Sequence[str]) -> Tree:
    """Return the tree of an item: symbols become nodes unless they are hidden."""
    tags = [""] * len(words)
    order, agenda = [], [goal]
    while agenda:
        item = agenda.pop()
        order.append(item)
        agenda.extend(steps[item].children)
    vertices: dict[Item, list[Node | int]] = {}
    for item in reversed(order):
        step = steps[item]
        if step.rule is None:
            ((token, _),) = item.blocks
            tags[token] = "" if is_hidden(item.symbol) else label_of(item.symbol)
            vertices[item] = [token]
            continue
        children = [vertex for child in step.children for vertex in vertices[child]]
        is_node = not is_hidden(item.symbol)
        vertices[item] = [Node(label_of(item.symbol), children)] if is_node else children
    sentence = [Token(word, tag) for word, tag in zip(words, tags, strict=True)]
    top = vertices[goal]
    if len(top) == 1 and isinstance(top[0], Node):
        return Tree(sentence, top[0])
    return Tree(sentence, Node(label_of(goal.symbol), top))

"""Exact parsing with any grammar: the most probable tree of a sentence, and membership.

A grammar with any terminals, fan-outs and numbers of children becomes one that the core can parse
with: terminals become tags, rules get at most two children, and blocks keep their order.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.grammar.agenda import AgendaParser, Axiom
from crossbranch.grammar.cleaning import tags_of
from crossbranch.grammar.lcfrs import Grammar, is_hidden, label_of, symbol_of
from crossbranch.grammar.normal_forms import binary, ordered, tagged
from crossbranch.tree import Node, Token, Tree


class Parse(NamedTuple):
    """The best tree of a sentence, and the logarithm of its probability."""

    tree: Tree
    log_probability: float


class LabelBlock(NamedTuple):
    """A block of a node: its label and fan-out, which block it is, and its tokens."""

    label: str
    fan_out: int
    block: int
    start: int
    stop: int


class Deduction:
    """Parses sentences with one grammar."""

    @door
    def __init__(self, grammar: Grammar) -> None:
        """Prepare a grammar. Its weights become probabilities.

        If two rules only differ in the order of their children, they are one rule.
        """
        self.grammar = grammar.probabilities()
        self._simple = simple = ordered(binary(tagged(self.grammar)))
        self.agenda = AgendaParser(simple)
        self._tags: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
        for tag, forms in simple.words.items():
            for form, weight in forms.items():
                self._tags[form].append((tag, -math.log(weight)))
        self._symbols: defaultdict[str, list[str]] = defaultdict(list)  # of each tag
        for symbol in sorted(tags_of(self.grammar)):
            self._symbols[label_of(symbol)].append(symbol)

    @door
    def parse(self, words: Sequence[str], tags: Sequence[str] | None = None) -> Parse | None:
        """Return the best tree of a sentence. None means that the grammar has no tree for it.

        Args:
            words: The words of the sentence.
            tags: Its tags, if they are known. Then the words need not be known to the grammar, and
                the probability is that of the tree above the tags.
        """
        if tags is not None and len(tags) != len(words):
            raise UsageError(f"{len(tags)} tags for {len(words)} words, expected one for each")
        axioms = self.axioms(words, tags)
        found = self.agenda.parse(axioms, len(words)) if words else None
        if found is None or not found.derivations:
            return None
        cost, steps = found.derivations[0]
        return Parse(self._tree(steps, axioms, words), 0.0 - cost)

    @door
    def accepts(self, words: Sequence[str]) -> bool:
        """Say whether a sentence is in the language of the grammar."""
        return self.parse(words) is not None

    def nodes(self) -> set[tuple[str, int]]:
        """Return the labels that nodes may have, with their fan-outs."""
        return {
            (label_of(symbol), self._simple.fan_out(symbol))
            for symbol in {rule.left for rule in self._simple.rules}
            if not is_hidden(symbol)
        }

    @door
    def blocks(self, words: Sequence[str], tags: Sequence[str], margin: float) -> set[LabelBlock]:
        """Return the blocks of nodes that probable trees may have; none if there is no tree.

        Args:
            words: The words of the sentence.
            tags: Its tags.
            margin: How much worse than the best tree a tree may be, as the logarithm of a
                probability. Trees of other blocks are worse.
        """
        found = self.agenda.blocks(self.axioms(words, tags), len(words), margin)
        fan_out = self._simple.fan_out
        return {
            LabelBlock(label_of(symbol), fan_out(symbol), block, start, stop)
            for symbol, block, start, stop in found
            if not is_hidden(symbol)
        }

    @door
    def label(self, step: int) -> str | None:
        """Return the label of the node that a rule makes; None if its symbol is hidden."""
        symbol = self.agenda.rules[step].left
        return None if is_hidden(symbol) else label_of(symbol)

    @door
    def axioms(self, words: Sequence[str], tags: Sequence[str] | None = None) -> list[Axiom]:
        """Return the symbols that words may have, with their costs."""
        return list(self._axioms(words, tags))

    def _axioms(self, words: Sequence[str], tags: Sequence[str] | None) -> Iterator[Axiom]:
        for place, word in enumerate(words):
            found = self._tags.get(word, [])
            if tags is not None:
                symbols = self._symbols.get(tags[place]) or [symbol_of(tags[place])]
                terminals = [pair for pair in found if is_hidden(pair[0])]
                found = [*terminals, *((symbol, 0.0) for symbol in symbols)]
            for symbol, cost in found:
                if symbol in self.agenda.number:
                    yield place, self.agenda.number[symbol], cost

    def _tree(self, steps: Sequence[int], axioms: Sequence[Axiom], words: Sequence[str]) -> Tree:
        """Return the tree of a derivation: symbols become nodes unless they are hidden."""
        tags = [""] * len(words)
        stack: list[list[Node | int]] = []
        symbol = ""
        for step in reversed(steps):  # from the last words to the root
            if step < 0:
                token, number, _ = axioms[~step]
                symbol = self.agenda.symbols[number]
                tags[token] = "" if is_hidden(symbol) else label_of(symbol)
                stack.append([token])
                continue
            rule = self.agenda.rules[step]
            symbol = rule.left
            children = [child for _ in rule.right for child in stack.pop()]
            stack.append(children if is_hidden(symbol) else [Node(label_of(symbol), children)])
        (top,) = stack
        sentence = [Token(word, tag) for word, tag in zip(words, tags, strict=True)]
        is_node = len(top) == 1 and isinstance(top[0], Node)
        root = top[0] if is_node else Node(label_of(symbol), top)
        return Tree(sentence, root)  # type: ignore[arg-type]

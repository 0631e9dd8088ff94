"""LCFRS: rules that say how the blocks of the children form the blocks of a symbol.

A context-free rule puts its children side by side. A rule of a linear context-free rewriting system
(LCFRS) does the same with blocks: the VP of *What should I do?* has two, *What* and *do*.

    S -> VP_2(a,d) MD(b) NP(c) : a b c d
    VP_2 -> WP(a) VB(b) : a , b

Symbols are labels, with the number of their blocks if it is above 1. `label_of` gives the label.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple, Self

from crossbranch.doors import door
from crossbranch.errors import UsageError, shown
from crossbranch.escape import Memo, escaper, unescape
from crossbranch.tree import Node, Sentence, Tree

Part = tuple[int, int] | str
"""A part of a block: (child, block of the child), or a terminal."""

Blocks = tuple[tuple[Part, ...], ...]

HIDDEN_START = "_TOP"
"""The start symbol if trees have several root labels. Like all symbols with _ it is not a node."""

# What would end a symbol in a grammar file, and what `label_of` removes.
_escape = Memo(
    escaper(r"[\s\[\]()/?\"]|\A_|(?<=.)\.(?=[^\W_])|_(?=\d+\Z)|\A[:;#](?=\Z)|\A-(?=>\Z)")
)
_escape_word = escaper(r"[\s\"]|[\x00-\x1f\x7f\x85]")
_ADDED = re.compile(r"(?<=.)(?:_\d+)?(?:\.(?=[^\W_]).*|\Z)", re.DOTALL)


class Rule(NamedTuple):
    """One rule: a symbol, its children, and how their blocks form its own."""

    left: str
    """The symbol that is expanded."""

    right: tuple[str, ...]
    """The symbols of the children."""

    blocks: Blocks
    """The parts of each block of `left`, from left to right."""

    @property
    def fan_out(self) -> int:
        """The number of blocks of the symbol."""
        return len(self.blocks)

    @property
    def rank(self) -> int:
        """The number of children."""
        return len(self.right)

    @property
    def terminals(self) -> tuple[str, ...]:
        """The terminals of all blocks, from left to right."""
        return tuple(part for block in self.blocks for part in block if isinstance(part, str))

    @property
    def fan_outs(self) -> tuple[int, ...]:
        """The fan-out of each child."""
        parts = (part for block in self.blocks for part in block)
        counts = Counter(part[0] for part in parts if not isinstance(part, str))
        return tuple(counts[child] for child in range(len(self.right)))

    @property
    def is_word(self) -> bool:
        """Whether the rule only gives a tag to a word."""
        return not self.right and len(self.blocks) == 1 == len(self.blocks[0])

    def check(self) -> None:
        """Check that every block of every child is used exactly once, and that no block is empty.

        Raises:
            UsageError: The rule is not linear, or has an empty block.
        """
        places = [part for block in self.blocks for part in block if not isinstance(part, str)]
        wanted = [
            (child, block) for child, count in enumerate(self.fan_outs) for block in range(count)
        ]
        if sorted(places) != wanted or 0 in self.fan_outs:
            raise UsageError(f"{tuple(self)}: expected each block of each child exactly once")
        if not self.blocks or not all(self.blocks):
            raise UsageError(f"{tuple(self)}: found an empty block, expected at least one part")

    def __str__(self) -> str:
        """The rule as in grammar files, without its weight."""
        if self._is_in_a_row:
            parts = [_quote(p) if isinstance(p, str) else self.right[p[0]] for p in self.blocks[0]]
            return " ".join([self.left, "->", *parts])
        names: dict[Part, str] = {}
        for part in (part for block in self.blocks for part in block):
            if not isinstance(part, str):
                names[part] = _variable(len(names))
        children = [
            f"{symbol}({','.join(names[child, block] for block in range(fan_out))})"
            for child, (symbol, fan_out) in enumerate(zip(self.right, self.fan_outs, strict=True))
        ]
        order = (" ".join(names.get(p) or _quote(str(p)) for p in block) for block in self.blocks)
        return " ".join([self.left, "->", *children, ":", " , ".join(order)])

    @property
    def _is_in_a_row(self) -> bool:
        """Whether there is one block, with the children in their order."""
        if len(self.blocks) > 1:
            return False
        places = [part for part in self.blocks[0] if not isinstance(part, str)]
        return places == [(child, 0) for child in range(len(self.right))]


class Grammar:
    """A start symbol, weighted rules, and the words of each tag. Grammars never change.

    Weights are positive: counts, probabilities, or anything else. `probabilities` divides them by
    their sum for each symbol.
    """

    start: str
    rules: Mapping[Rule, float]
    words: Mapping[str, Mapping[str, float]]
    """The words of each tag. The fan-out of a tag is 1."""

    @door
    def __init__(
        self,
        start: str,
        rules: Mapping[Rule, float],
        words: Mapping[str, Mapping[str, float]] = MappingProxyType({}),
    ) -> None:
        """Make a grammar. Rules with one terminal and no children become words.

        Raises:
            UsageError: A rule is not linear, or two rules do not agree in the fan-out of a symbol.
        """
        found = {tag: dict(forms) for tag, forms in words.items() if forms}
        kept = dict(rules)
        for rule in [rule for rule in rules if rule.is_word]:
            forms = found.setdefault(rule.left, {})
            (form,) = rule.terminals
            forms[form] = forms.get(form, 0.0) + kept.pop(rule)
        self.start = start
        self.rules = MappingProxyType(kept)
        self.words = MappingProxyType({t: MappingProxyType(forms) for t, forms in found.items()})
        self._check()

    def _check(self) -> None:
        for rule in self.rules:
            rule.check()
            for symbol, fan_out in zip(
                (rule.left, *rule.right), (rule.fan_out, *rule.fan_outs), strict=True
            ):
                if self._fan_outs[symbol] != fan_out:
                    raise UsageError(
                        f"{rule}: {symbol} has {fan_out} blocks, "
                        f"expected {self._fan_outs[symbol]} as in another rule"
                    )
        for symbol in (self.start, *self.words):
            if (found := self._fan_outs[symbol]) != 1:
                kind = "start symbol" if symbol == self.start else "tag"
                raise UsageError(f"the {kind} {symbol} has {found} blocks, expected one")

    @cached_property
    def _fan_outs(self) -> dict[str, int]:
        fan_outs: dict[str, int] = {}
        for rule in self.rules:
            fan_outs.setdefault(rule.left, rule.fan_out)
        for tag in self.words:
            fan_outs.setdefault(tag, 1)
        for rule in self.rules:
            for symbol, fan_out in zip(rule.right, rule.fan_outs, strict=True):
                fan_outs.setdefault(symbol, fan_out)
        return {self.start: fan_outs.pop(self.start, 1)} | fan_outs

    @cached_property
    def _by_symbol(self) -> dict[str, dict[Rule, float]]:
        found: defaultdict[str, dict[Rule, float]] = defaultdict(dict)
        for rule, weight in self.rules.items():
            found[rule.left][rule] = weight
        return dict(found)

    def fan_out(self, symbol: str) -> int:
        """Return the number of blocks of a symbol."""
        try:
            return self._fan_outs[symbol]
        except KeyError:
            raise UsageError(f"the grammar has no symbol {shown(symbol)}") from None

    @property
    def symbols(self) -> tuple[str, ...]:
        """All symbols, tags included. The start symbol is the first."""
        return tuple(self._fan_outs)

    @door
    def rules_of(self, symbol: str) -> Mapping[Rule, float]:
        """Return the rules that expand a symbol, without its words."""
        return self._by_symbol.get(symbol, {})

    def word_rules(self) -> Iterator[tuple[Rule, float]]:
        """Yield the words as rules with one terminal."""
        for tag, forms in self.words.items():
            for form, weight in forms.items():
                yield Rule(tag, (), ((form,),)), weight

    def probabilities(self) -> Self:
        """Return the grammar with relative frequencies: the weights of each symbol add up to 1."""
        totals = self.totals()
        return type(self)(
            self.start,
            {rule: weight / totals[rule.left] for rule, weight in self.rules.items()},
            {
                tag: {form: weight / totals[tag] for form, weight in forms.items()}
                for tag, forms in self.words.items()
            },
        )

    def weights(self) -> Iterator[float]:
        """Yield the weights of all rules and words."""
        yield from self.rules.values()
        for forms in self.words.values():
            yield from forms.values()

    def totals(self) -> dict[str, float]:
        """Return the sum of the weights of each symbol, words included."""
        totals: defaultdict[str, float] = defaultdict(float)
        for rule, weight in self.rules.items():
            totals[rule.left] += weight
        for tag, forms in self.words.items():
            totals[tag] += sum(forms.values())
        return dict(totals)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grammar):
            return NotImplemented
        return (self.start, self.rules, self.words) == (other.start, other.rules, other.words)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        words = sum(map(len, self.words.values()))
        return f"<Grammar {self.start}: {len(self.rules):,} rules, {words:,} words>"


def _quote(terminal: str) -> str:
    return f'"{_escape_word(terminal)}"'


def _variable(number: int) -> str:
    """Return a, b, ... z, a1, b1, ..."""
    letter = chr(ord("a") + number % 26)
    return f"{letter}{number // 26}" if number >= 26 else letter


@door
def symbol_of(label: str, fan_out: int = 1) -> str:
    """Return the symbol of a label and a fan-out.

    >>> symbol_of("VP", 2), symbol_of("VP"), symbol_of("$(")
    ('VP_2', 'VP', '$&#x28;')
    """
    name = _escape[label]
    return name if fan_out == 1 else f"{name}_{fan_out}"


@door
def label_of(symbol: str) -> str:
    """Return the label of a symbol, without its fan-out and what follows a dot.

    >>> label_of("VP_2"), label_of("VP.front"), label_of("$."), label_of("$&#x28;")
    ('VP', 'VP', '$.', '$(')
    """
    return unescape(_ADDED.sub("", symbol))


def is_hidden(symbol: str) -> bool:
    """Say whether a symbol is not a node: its children take its place in the tree."""
    return symbol.startswith("_")


def rule_of(node: Node, sentence: Sentence) -> Rule:
    """Return the rule of a node: children by their first token, blocks with gaps between them."""
    right: list[str] = []
    places: list[tuple[int, int, tuple[int, int]]] = []
    for number, child in enumerate(node.children):
        if isinstance(child, int):
            right.append(symbol_of(sentence[child].tag))
            places.append((child, child + 1, (number, 0)))
        else:
            blocks = child.blocks
            right.append(symbol_of(child.label, len(blocks)))
            places += [(start, stop, (number, k)) for k, (start, stop) in enumerate(blocks)]
    found: list[list[tuple[int, int]]] = []
    end = -1
    for start, stop, part in sorted(places):
        if start != end:
            found.append([])
        found[-1].append(part)
        end = stop
    return Rule(symbol_of(node.label, len(found)), tuple(right), tuple(map(tuple, found)))


@door
def extract(trees: Iterable[Tree]) -> Grammar:
    """Return the grammar of some trees, with the number of times that each rule was used.

    Tags are the symbols of words. The grammar is ordered, free of empty blocks, and gap-explicit:
    between two blocks of a symbol, there is always something else. If the roots have several
    labels, the start symbol is `_TOP`. Trees without words are left out.
    """
    starts: Counter[str] = Counter()
    rules: Counter[Rule] = Counter()
    words: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for tree in trees:
        if not tree.sentence:
            continue
        starts[symbol_of(tree.root.label)] += 1
        rules.update(rule_of(node, tree.sentence) for node in tree.nodes)
        for token in tree.sentence:
            words[symbol_of(token.tag)][token.form] += 1
    if not starts:
        raise UsageError("no trees to read a grammar from, expected at least one")
    start = next(iter(starts))
    if len(starts) > 1:
        start = HIDDEN_START
        rules.update({Rule(start, (root,), (((0, 0),),)): n for root, n in starts.items()})
    return Grammar(start, rules, words)

"""All short yields of a grammar, by the definition of LCFRS alone, and random small grammars.

This knows nothing of parsing: rules are applied to everything that is known until nothing is new.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise, product

from hypothesis import strategies as st

from crossbranch.grammar.lcfrs import Grammar, Part, Rule

Yield = tuple[tuple[str, ...], ...]
"""The words of each block of a symbol."""


def yields(grammar: Grammar, most: int) -> dict[str, dict[Yield, float]]:
    """Return the yields of each symbol with at most so many words, and their best probabilities."""
    grammar = grammar.probabilities()
    rules = [*grammar.rules.items(), *grammar.word_rules()]
    found: defaultdict[str, dict[Yield, float]] = defaultdict(dict)
    changed = True
    while changed:
        changed = False
        for rule, weight in rules:
            for chosen in product(*(list(found[symbol].items()) for symbol in rule.right)):
                probability = weight
                for _, of_child in chosen:
                    probability *= of_child
                made = apply(rule, [words for words, _ in chosen])
                if sum(map(len, made)) > most:
                    continue
                if probability > found[rule.left].get(made, 0.0) * (1 + 1e-12):
                    found[rule.left][made] = probability
                    changed = True
    return found


def apply(rule: Rule, children: list[Yield]) -> Yield:
    """Return what a rule makes of the yields of its children (definition 2.19)."""

    def words(part: Part) -> tuple[str, ...]:
        return (part,) if isinstance(part, str) else children[part[0]][part[1]]

    return tuple(tuple(word for part in block for word in words(part)) for block in rule.blocks)


def sentences(grammar: Grammar, most: int) -> dict[tuple[str, ...], float]:
    """Return the sentences of a grammar, and the probabilities of their best derivations."""
    return {words: p for (words,), p in yields(grammar, most)[grammar.start].items()}


COPY = """\
top S
1 S -> A(u,x) B(v,w) : u v w x
1 A -> A(u,x) : "a" u , "a" x
1 A -> A(u,x) : "b" u , "b" x
1 A -> : "a" , "a"
1 A -> : "b" , "b"
1 B -> : "c" , "c" "c"
1 B -> : "c" "c" , "c"
"""
"""Example 2.20 of Mielczarek (2023): all words w ccc w, where w consists of a and b."""

FAN_OUTS = {"S": 1, "A": 2, "B": 3, "C": 1, "_D": 2, "T": 1}


@st.composite
def rules(draw: st.DrawFn, left: str) -> Rule:
    """Draw a rule: children and terminals, shuffled into the blocks of its symbol."""
    right = draw(st.lists(st.sampled_from(["A", "B", "C", "_D", "T"]), max_size=3))
    parts: list[Part] = [
        (child, block) for child, symbol in enumerate(right) for block in range(FAN_OUTS[symbol])
    ]
    parts += draw(st.lists(st.sampled_from("ab"), max_size=2))
    while len(parts) < FAN_OUTS[left]:
        parts.append("a")
    order = draw(st.permutations(parts))
    places = st.integers(1, len(order) - 1) if len(order) > 1 else st.nothing()
    count = FAN_OUTS[left] - 1
    cuts = sorted(draw(st.lists(places, min_size=count, max_size=count, unique=True)))
    ends = [0, *cuts, len(order)]
    blocks = tuple(tuple(order[i:j]) for i, j in pairwise(ends))
    return Rule(left, tuple(right), blocks)


@st.composite
def grammars(draw: st.DrawFn) -> Grammar:
    """Draw a small grammar of any kind: unordered, with terminals, with useless rules."""
    weights = st.integers(1, 9)
    found: dict[Rule, float] = {}
    for left in ("S", "A", "B", "C", "_D"):
        for rule in draw(st.lists(rules(left), min_size=left == "S", max_size=3)):
            found[rule] = draw(weights)
    found[Rule("A", (), (("a",), ("b",)))] = draw(weights)
    return Grammar("S", found, {"T": {"a": draw(weights), "b": draw(weights)}})

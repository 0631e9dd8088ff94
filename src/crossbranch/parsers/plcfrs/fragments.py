"""Trees for sentences without a parse: a root over the best fragments.

A second grammar has rules that put any constituents and words side by side. It is made when the
first sentence needs it.
"""

from __future__ import annotations

from collections.abc import Callable

from crossbranch.grammar.lcfrs import Grammar, Rule, label_of

_FRAGMENTS = "_FRAGMENTS"
_RARE = 1e-9  # the share of derivations with fragments
_ALONE = ((0, 0),)
_SIDE_BY_SIDE = ((0, 0), (1, 0))


def with_fragments(grammar: Grammar, is_temporary: Callable[[str], bool]) -> Grammar:
    """Return a grammar that also derives sequences of fragments, with a small probability."""
    parts = [
        symbol
        for symbol in sorted(grammar.symbols)
        if symbol != grammar.start
        and grammar.fan_out(symbol) == 1
        and not is_temporary(label_of(symbol))
    ]
    rules = dict(grammar.rules)
    rules[Rule(grammar.start, (_FRAGMENTS,), (_ALONE,))] = _RARE
    for part in parts:
        rules[Rule(_FRAGMENTS, (part,), (_ALONE,))] = 1.0
        rules[Rule(_FRAGMENTS, (part, _FRAGMENTS), (_SIDE_BY_SIDE,))] = 1.0
    return Grammar(grammar.start, rules, grammar.words)

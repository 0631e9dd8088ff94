"""Useless rules, and grammars that are merged.

A symbol is productive if it can become words. It is reachable if a tree of the grammar can contain
it. Rules with other symbols are useless: no tree has them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.grammar.lcfrs import Grammar, Rule


@door
def trim(grammar: Grammar) -> Grammar:
    """Return the grammar without useless rules and words. Weights do not change.

    A grammar without any words is a grammar of tags: every symbol without rules is a tag.
    """
    productive = _productive(grammar)
    useful = [rule for rule in grammar.rules if productive.issuperset((rule.left, *rule.right))]
    reachable = _reachable(grammar.start, useful)
    return Grammar(
        grammar.start,
        {rule: grammar.rules[rule] for rule in useful if rule.left in reachable},
        {tag: forms for tag, forms in grammar.words.items() if tag in reachable},
    )


@door
def useless_rules(grammar: Grammar) -> list[Rule]:
    """Return the rules that no tree has, words included, in the order of the grammar."""
    kept = trim(grammar)
    words = [rule for rule, _ in grammar.word_rules() if rule.left not in kept.words]
    return [rule for rule in grammar.rules if rule not in kept.rules] + words


@door
def merge(grammars: Iterable[Grammar]) -> Grammar:
    """Return one grammar with the rules of several. The weights of equal rules are added.

    Raises:
        UsageError: There is no grammar, the start symbols differ, or a symbol has different
            fan-outs.
    """
    rules: defaultdict[Rule, float] = defaultdict(float)
    words: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    starts: dict[str, None] = {}
    for grammar in grammars:
        starts[grammar.start] = None
        for rule, weight in grammar.rules.items():
            rules[rule] += weight
        for tag, forms in grammar.words.items():
            _add(words[tag], forms)
    if len(starts) != 1:
        found = " and ".join(starts) or "none"
        raise UsageError(f"grammars with the start symbols {found}, expected one start symbol")
    return Grammar(next(iter(starts)), rules, words)


def _add(totals: defaultdict[str, float], more: Mapping[str, float]) -> None:
    for form, weight in more.items():
        totals[form] += weight


def tags_of(grammar: Grammar) -> set[str]:
    """Return the symbols of words. Without any words, these are the symbols without rules."""
    if grammar.words:
        return set(grammar.words)
    return {symbol for symbol in grammar.symbols if not grammar.rules_of(symbol)}


def _productive(grammar: Grammar) -> set[str]:
    """Find the symbols that can become words, from the words up."""
    productive = tags_of(grammar)
    users: defaultdict[str, list[Rule]] = defaultdict(list)
    missing: dict[Rule, int] = {}  # how many symbols of a rule are not known to be productive
    agenda = list(productive)
    for rule in grammar.rules:
        missing[rule] = len(set(rule.right))
        for child in set(rule.right):
            users[child].append(rule)
        if not rule.right and rule.left not in productive:
            productive.add(rule.left)
            agenda.append(rule.left)
    while agenda:
        for rule in users[agenda.pop()]:
            missing[rule] -= 1
            if not missing[rule] and rule.left not in productive:
                productive.add(rule.left)
                agenda.append(rule.left)
    return productive


def _reachable(start: str, rules: Iterable[Rule]) -> set[str]:
    """Find the symbols that trees can contain, from the start symbol down."""
    children: defaultdict[str, set[str]] = defaultdict(set)
    for rule in rules:
        children[rule.left].update(rule.right)
    reachable = {start}
    agenda = [start]
    while agenda:
        found = children[agenda.pop()] - reachable
        reachable |= found
        agenda.extend(found)
    return reachable

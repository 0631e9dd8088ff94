"""The text format of grammars: the format of the sampler, of which most grammars need little.

    top S
    2  S -> VP_2(a,c) MD(b) : a b c
    1  VP_2 -> WP(a) VB(b) : a , b
    1  WP -> "what"

If a grammar has features and paradigms, as the shipped ones have, its rules are spelled out:
`NP[Acc,Sg]` becomes the symbol `NP.Acc.Sg`. Its edge labels, secondary edges and spelling rules are
left out, since an LCFRS has none, and so are compounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from crossbranch.doors import door
from crossbranch.grammar.check import check_lines
from crossbranch.grammar.grammar import build
from crossbranch.grammar.lcfrs import Grammar, Part, Rule, symbol_of
from crossbranch.grammar.lexicon import word_of
from crossbranch.grammar.statements import Statements
from crossbranch.grammar.symbols import Rule as FeatureRule
from crossbranch.grammar.symbols import Symbol
from crossbranch.grammar.syntax import RuleLine


def read_text(path: str | Path) -> Grammar:
    """Read a grammar from a file, or a shipped grammar by its name."""
    return _grammar(Statements.of_file(path))


@door
def parse_text(text: str) -> Grammar:
    r"""Return the grammar that a text describes.

    >>> parse_text('top S\n1 S -> "a" S "b"\n1 S -> "a" "b"')
    <Grammar S: 2 rules, 0 words>
    """
    return _grammar(Statements.of_text(text))


def write_text(grammar: Grammar) -> Iterator[str]:
    """Yield the lines of a grammar file: the start symbol first, then rules, then words."""
    yield f"top {grammar.start}\n"
    for symbol in grammar.symbols:
        for rule, weight in grammar.rules_of(symbol).items():
            yield f"{number(weight)} {rule}\n"
    for rule, weight in grammar.word_rules():
        yield f"{number(weight)} {rule}\n"


def number(weight: float) -> str:
    """Write a weight: a count without a fraction, other numbers with all their digits.

    >>> number(3.0), number(0.25)
    ('3', '0.25')
    """
    return str(int(weight)) if weight == int(weight) else repr(float(weight))


def _grammar(statements: Statements) -> Grammar:
    if not statements.is_plain:
        return _without_features(statements)
    assert statements.top is not None, "statements are complete"
    groups = map(word_of, statements.word_lines)
    check_lines(statements.lines, groups, statements.top, complete=False)
    rules: defaultdict[Rule, float] = defaultdict(float)
    for line in (*statements.lines, *statements.word_lines):
        rules[_rule_of(line)] += line.weight
    return Grammar(statements.start, rules)


def _rule_of(line: RuleLine) -> Rule:
    """Return the rule of a line without features."""
    children = [item for item in line.right if not item.is_terminal]
    parts: dict[str, Part] = {
        name: (child, block)
        for child, item in enumerate(children)
        for block, name in enumerate(item.variables)
    }
    parts |= {item.variables[0]: item.terminal for item in line.right if item.is_terminal}
    blocks = tuple(tuple(parts[name] for name in block) for block in line.blocks)
    return Rule(line.left.name, tuple(item.name for item in children), blocks)


def _without_features(statements: Statements) -> Grammar:
    """Return a grammar with one symbol for each choice of features, and the listed words."""
    top = build(statements).top
    rules: defaultdict[Rule, float] = defaultdict(float)
    words: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    reached = {top: None}  # keeps its order, unlike a set
    agenda = [top]
    while agenda:
        symbol = agenda.pop()
        for rule in symbol.rules:
            for found, weight in _choices(rule, _name(symbol)):
                rules[found] += weight
            for child in rule.children:
                if child not in reached and not child.is_terminal:
                    reached[child] = None
                    agenda.append(child)
        for word, mass in symbol.words.listed_words():
            words[_name(symbol)][word.form] += mass
    return Grammar(_name(top), rules, words)


def _name(symbol: Symbol) -> str:
    """Return a symbol that has the label of another one, or the tag of its words."""
    tags = [symbol_of(tag) for tag in symbol.words.tags if tag != symbol.label]
    return ".".join([*tags[:1], symbol.name, *map(symbol_of, symbol.features)])


def _choices(rule: FeatureRule, left: str) -> Iterator[tuple[Rule, float]]:
    """Yield the rules with and without each child that may be left out, and their weights."""
    options = [(True,) if chance == 1 else (True, False) for chance in rule.chances]
    for chosen in product(*options):
        weight = rule.weight
        parts: dict[int, int | str] = {}  # of each child: its number, or the terminal that it is
        right: list[str] = []
        for place, (child, chance) in enumerate(zip(rule.children, rule.chances, strict=True)):
            weight *= chance if chosen[place] else 1 - chance
            if child.is_terminal:
                parts[place] = rule.line.right[place].terminal
            elif chosen[place]:
                parts[place] = len(right)
                right.append(_name(child))
        yield Rule(left, tuple(right), tuple(_block(block, parts) for block in rule.blocks)), weight


def _block(block: list[tuple[int, int]], parts: dict[int, int | str]) -> tuple[Part, ...]:
    found: list[Part] = []
    for child, number_of_block in block:
        part = parts.get(child)
        if isinstance(part, str):
            found.append(part)
        elif part is not None:
            found.append((part, number_of_block))
    return tuple(found)

"""A probabilistic LCFRS to sample trees from. It is read from a file and checked.

A rule with feature variables stands for several rules, one for each choice of values. If a child
has no words for a choice, this choice is left out. It is an error if a line has no choices left, or
if it cannot be reached from the top symbol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path

from crossbranch.grammar.check import check_lines, check_use, prune
from crossbranch.grammar.lexicon import Words, word_of
from crossbranch.grammar.statements import Statements, included_grammars
from crossbranch.grammar.symbols import Rule, Style, Symbol
from crossbranch.grammar.syntax import Item, RuleLine


class Grammar:
    """A top symbol, which leads to all other symbols, and the style of the sentences."""

    def __init__(self, top: Symbol, style: Style, lines: Sequence[RuleLine]) -> None:
        """Make a grammar that was checked before."""
        self.top, self.style, self.lines = top, style, tuple(lines)


def read_grammar(name: str | Path) -> Grammar:
    """Read a shipped grammar by name, or a file."""
    if name in included_grammars():
        return _read_included(str(name))
    return build(Statements.of_file(name))


@cache
def _read_included(name: str) -> Grammar:
    return build(Statements.of_file(name))


def build(statements: Statements, *, check: bool = True) -> Grammar:
    """Make symbols and rules of the statements of a grammar.

    Args:
        statements: What the file says.
        check: Refuse symbols that do not agree, rules that are never used, and circles. Without
            it, they must have been checked before, and circles may be in the grammar.
    """
    return _Builder(statements).build(check=check)


class _Builder:
    """Makes symbols and rules of statements."""

    def __init__(self, statements: Statements) -> None:
        self._statements, self._values = statements, statements.values
        self._symbols: dict[tuple[str, tuple[str, ...]], Symbol] = {}

    def build(self, *, check: bool) -> Grammar:
        found = self._statements
        assert found.top is not None, "statements are complete"
        groups = [*found.lexicon.groups.values(), *map(word_of, found.word_lines)]
        if check:
            check_lines(found.lines, groups, found.top)
        self._make_words(groups)
        for line in found.lines:
            self._make_rules(line)
        top = self._symbol(found.start, ())
        prune(self._symbols.values())
        if check:
            check_use(top, found.lines, groups)
        return Grammar(top, found.style, found.lines)

    def _symbol(self, name: str, features: tuple[str, ...]) -> Symbol:
        key = (name, features)
        if key not in self._symbols:
            self._symbols[key] = Symbol(name, features)
        return self._symbols[key]

    def _terminal(self, line: RuleLine, item: Item) -> Symbol:
        """Return a symbol with nothing but a word, which has no tag."""
        symbol = self._symbol(item.name, ())
        if not symbol.words.groups:
            words = word_of(line._replace(right=(item,)))
            symbol.words.add(words, words.paradigm.forms[0]._replace(tag=""))
        return symbol

    def _choices(self, items: Sequence[Item], bound: dict[str, str]) -> Iterator[dict[str, str]]:
        """Yield every way to give values to variables, and to alternatives a|b, in some items."""
        options: dict[str, list[str]] = {}
        for feature in [feature for item in items for feature in item.features]:
            if feature in bound:
                options[feature] = [bound[feature]]
            elif feature in self._values:
                options[feature] = list(self._values[feature])
            else:
                options[feature] = feature.split("|")
        for values in product(*options.values()):
            yield dict(zip(options, values, strict=True))

    def _make_words(self, groups: Iterable[Words]) -> None:
        for words in groups:
            for form in words.paradigm.forms:
                for choice in self._choices([form.symbol], words.bound):
                    features = tuple(choice[feature] for feature in form.symbol.features)
                    symbol = self._symbol(form.symbol.name, features)
                    morphology = form.morphology
                    for place, feature in enumerate(features, 1):
                        morphology = morphology.replace(f"{{{place}}}", feature)
                    symbol.words.add(words, form._replace(morphology=morphology))

    def _make_rules(self, line: RuleLine) -> None:
        given = set(line.left.features)
        for choice in self._choices([line.left, *line.right], {}):
            weight = line.weight
            for variable, value in choice.items():
                if variable in self._values and variable not in given:
                    weight *= self._values[variable][value]
            children = [
                self._terminal(line, item)
                if item.is_terminal
                else self._symbol(item.name, tuple([choice[feature] for feature in item.features]))
                for item in line.right
            ]
            features = tuple([choice[feature] for feature in line.left.features])
            self._symbol(line.left.name, features).rules.append(Rule(line, weight, children))

"""A probabilistic LCFRS to sample trees from. It is read from a file and checked.

A rule with feature variables stands for several rules, one for each choice of values. If a child
has no words for a choice, this choice is left out. It is an error if a line has no choices left, or
if it cannot be reached from the top symbol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import accumulate, product
from pathlib import Path

from crossbranch.errors import InputError
from crossbranch.grammar.check import check_lines, check_use, prune
from crossbranch.grammar.lexicon import LexiconReader
from crossbranch.grammar.symbols import Rule, Style, Symbol
from crossbranch.grammar.syntax import (
    Item,
    RuleLine,
    Statement,
    parse_number,
    parse_rule,
    split_statements,
)

SUFFIX = ".lcfrs"


class Grammar:
    """A top symbol, which leads to all other symbols, and the style of the sentences."""

    def __init__(self, top: Symbol, style: Style, lines: Sequence[RuleLine]) -> None:
        """Make a grammar that was checked before."""
        self.top, self.style, self.lines = top, style, tuple(lines)


@cache
def included_grammars() -> tuple[str, ...]:
    """Return the names of the grammars that ship with the package."""
    folder = files("crossbranch") / "grammar" / "grammars"
    names = [file.name.removesuffix(SUFFIX) for file in folder.iterdir()]
    return tuple(sorted(name for name in names if "-" not in name))


def read_grammar(name: str | Path) -> Grammar:
    """Read a shipped grammar by name, or a file."""
    if name in included_grammars():
        return _read_included(str(name))
    path = Path(name)
    return _Reader(path.parent).read(path.name)


@cache
def _read_included(name: str) -> Grammar:
    return _Reader(files("crossbranch") / "grammar" / "grammars").read(name + SUFFIX)


class _Reader:
    """Collects the statements of a file, and makes symbols and rules from them."""

    def __init__(self, folder: Traversable) -> None:
        self._folder = folder
        self._files: set[str] = set()
        self._values: dict[str, dict[str, float]] = {}
        self._lexicon = LexiconReader()
        self._lines: list[RuleLine] = []
        self._symbols: dict[tuple[str, tuple[str, ...]], Symbol] = {}
        self._top: Statement | None = None
        self._style = Style()
        self._read_by_keyword: dict[str, Callable[[Statement], None]] = {
            "absorb": self._read_absorb,
            "capitalize": self._read_capitalize,
            "compound": self._lexicon.read_compound,
            "include": self._read_include,
            "list": self._lexicon.read_list,
            "paradigm": self._lexicon.read_paradigm,
            "raise": self._read_raise,
            "respell": self._read_respell,
            "top": self._read_top,
            "values": self._read_values,
            "words": self._lexicon.read_words,
        }

    def read(self, name: str) -> Grammar:
        self._read_file(name)
        if self._top is None:
            raise InputError("no top symbol", "a line 'top SYMBOL'", path=self._path(name))
        self._lexicon.check()
        groups = self._lexicon.groups.values()
        check_lines(self._lines, groups, self._top)
        self._make_words()
        for line in self._lines:
            self._make_rules(line)
        top = self._symbol(self._top.text.split()[1], ())
        prune(self._symbols.values())
        check_use(top, self._lines, groups)
        return Grammar(top, self._style, self._lines)

    def _path(self, name: str) -> str:
        return str(self._folder / name) if isinstance(self._folder, Path) else name

    def _read_file(self, name: str) -> None:
        path = self._path(name)
        self._files.add(name)
        try:
            text = (self._folder / name).read_text(encoding="utf-8")
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise InputError(reason, "a readable grammar file", path=path) from error
        except UnicodeDecodeError as error:
            raise InputError("bytes that are not UTF-8", "UTF-8 text", path=path) from error
        for statement in split_statements(text, path):
            keyword = statement.text.split()[0]
            if keyword[0].isdigit() or keyword[0] in "+-.":
                self._lines.append(parse_rule(statement))
            elif keyword in self._read_by_keyword:
                self._read_by_keyword[keyword](statement)
            else:
                known = ", ".join(self._read_by_keyword)
                raise statement.error(repr(keyword), f"a weight or one of {known}")

    def _read_include(self, statement: Statement) -> None:
        (name,) = self._words(statement, 1)
        if name in self._files:
            raise statement.error(f"{name} a second time", "a file that is not included yet")
        self._read_file(name)

    def _read_top(self, statement: Statement) -> None:
        self._words(statement, 1)
        if self._top is not None:
            raise statement.error("a second top symbol", "only one")
        self._top = statement

    def _read_values(self, statement: Statement) -> None:
        head, _, tail = statement.whole_text.partition(":")
        names, values = head.split()[1:], {}
        for word in tail.split():
            value, star, weight = word.partition("*")
            values[value] = parse_number(statement, weight, "weight") if star else 1.0
        if not names or not values:
            raise statement.error(repr(statement.text), "values VARIABLE ... : VALUE*WEIGHT ...")
        total = list(accumulate(values.values()))[-1]
        for name in names:
            self._values[name] = {value: weight / total for value, weight in values.items()}

    def _read_capitalize(self, statement: Statement) -> None:
        if self._words(statement, 1) != ["first"]:
            raise statement.error(repr(statement.text), "capitalize first")
        self._style.capitalize = True

    def _read_raise(self, statement: Statement) -> None:
        self._style.raised = frozenset(self._words(statement, None))

    def _read_absorb(self, statement: Statement) -> None:
        words = self._words(statement, None)
        if words[1:2] != ["before"] or not words[2:]:
            raise statement.error(repr(statement.text), "absorb FORM before FORM ...")
        self._style.absorbed[words[0]] = frozenset(words[2:])

    def _read_respell(self, statement: Statement) -> None:
        words = self._words(statement, None)
        if words[1:2] != ["as"] or words[3:4] != ["before"] or not words[4:]:
            raise statement.error(repr(statement.text), "respell FORM as FORM before LETTERS ...")
        self._style.respelled[words[0]] = (words[2], tuple(words[4:]))

    def _words(self, statement: Statement, count: int | None) -> list[str]:
        words = statement.whole_text.split()
        if len(words) == 1 or (count is not None and len(words) != count + 1):
            raise statement.error(repr(statement.text), f"{words[0]} and {count or 'some'} words")
        return words[1:]

    def _symbol(self, name: str, features: tuple[str, ...]) -> Symbol:
        key = (name, features)
        if key not in self._symbols:
            self._symbols[key] = Symbol(name, features)
        return self._symbols[key]

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

    def _make_words(self) -> None:
        for words in self._lexicon.groups.values():
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
                self._symbol(item.name, tuple([choice[feature] for feature in item.features]))
                for item in line.right
            ]
            features = tuple([choice[feature] for feature in line.left.features])
            self._symbol(line.left.name, features).rules.append(Rule(line, weight, children))

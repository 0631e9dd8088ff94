"""Collects the statements of grammar files: rules, words, values of features, and the style."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import accumulate
from pathlib import Path

from crossbranch.errors import InputError
from crossbranch.grammar.lexicon import LexiconReader
from crossbranch.grammar.lines import decode, read_bytes
from crossbranch.grammar.symbols import Style
from crossbranch.grammar.syntax import (
    RuleLine,
    Statement,
    parse_number,
    parse_rule,
    split_statements,
)

SUFFIX = ".lcfrs"


@cache
def included_grammars() -> tuple[str, ...]:
    """Return the names of the grammars that ship with the package."""
    names = [file.name.removesuffix(SUFFIX) for file in _included_files().iterdir()]
    return tuple(sorted(name for name in names if "-" not in name))


def _included_files() -> Traversable:
    return files("crossbranch") / "grammar" / "grammars"


class Statements:
    """What a grammar file says, line by line, before symbols and rules are made of it."""

    def __init__(self) -> None:
        """Start without statements."""
        self.lines: list[RuleLine] = []
        self.word_lines: list[RuleLine] = []
        self.values: dict[str, dict[str, float]] = {}
        self.lexicon = LexiconReader()
        self.style = Style()
        self.top: Statement | None = None
        self._folder: Traversable = Path()
        self._files: set[str] = set()
        self._read_by_keyword: dict[str, Callable[[Statement], None]] = {
            "absorb": self._read_absorb,
            "capitalize": self._read_capitalize,
            "compound": self.lexicon.read_compound,
            "include": self._read_include,
            "list": self.lexicon.read_list,
            "paradigm": self.lexicon.read_paradigm,
            "raise": self._read_raise,
            "respell": self._read_respell,
            "top": self._read_top,
            "values": self._read_values,
            "words": self.lexicon.read_words,
        }

    @classmethod
    def of_file(cls, name: str | Path) -> Statements:
        """Read the statements of a shipped grammar, or of a file and the files it includes."""
        found = cls()
        if name in included_grammars():
            found._folder = _included_files()
            found._read_file(f"{name}{SUFFIX}")
        else:
            found._folder = Path(name).parent
            found._read_file(Path(name).name)
        return found.checked(str(name))

    @classmethod
    def of_text(cls, text: str, path: str = "<text>") -> Statements:
        """Read the statements of a text."""
        found = cls()
        found._read_text(text, path)
        return found.checked(path)

    def checked(self, path: str) -> Statements:
        """Return the same statements if they are complete."""
        if self.top is None:
            raise InputError("no top symbol", "a line 'top SYMBOL'", path=path)
        self.lexicon.check()
        return self

    @property
    def start(self) -> str:
        """The name of the top symbol."""
        return self.top.text.split()[1] if self.top is not None else ""

    @property
    def is_plain(self) -> bool:
        """Whether there are only rules and words: no features, no chances, no paradigms."""
        items = (item for line in self.lines for item in (line.left, *line.right))
        return not (
            self.values
            or self.lexicon.groups
            or any(item.features or item.chance < 1 for item in items)
        )

    def _read_file(self, name: str) -> None:
        path = str(self._folder / name) if isinstance(self._folder, Path) else name
        self._files.add(name)
        file = self._folder / name
        data = read_bytes(file) if isinstance(file, Path) else file.read_bytes()
        self._read_text(decode(data, path), path)

    def _read_text(self, text: str, path: str) -> None:
        for statement in split_statements(text, path):
            keyword = statement.text.split()[0]
            if keyword[0].isdigit() or keyword[0] in "+-.":
                line = parse_rule(statement)
                (self.word_lines if line.is_word else self.lines).append(line)
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
        if self.top is not None:
            raise statement.error("a second top symbol", "only one")
        self.top = statement

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
            self.values[name] = {value: weight / total for value, weight in values.items()}

    def _read_capitalize(self, statement: Statement) -> None:
        if self._words(statement, 1) != ["first"]:
            raise statement.error(repr(statement.text), "capitalize first")
        self.style.capitalize = True

    def _read_raise(self, statement: Statement) -> None:
        self.style.raised = frozenset(self._words(statement, None))

    def _read_absorb(self, statement: Statement) -> None:
        words = self._words(statement, None)
        if words[1:2] != ["before"] or not words[2:]:
            raise statement.error(repr(statement.text), "absorb FORM before FORM ...")
        self.style.absorbed[words[0]] = frozenset(words[2:])

    def _read_respell(self, statement: Statement) -> None:
        words = self._words(statement, None)
        if words[1:2] != ["as"] or words[3:4] != ["before"] or not words[4:]:
            raise statement.error(repr(statement.text), "respell FORM as FORM before LETTERS ...")
        self.style.respelled[words[0]] = (words[2], tuple(words[4:]))

    def _words(self, statement: Statement, count: int | None) -> list[str]:
        words = statement.whole_text.split()
        if len(words) == 1 or (count is not None and len(words) != count + 1):
            raise statement.error(repr(statement.text), f"{words[0]} and {count or 'some'} words")
        return words[1:]

r"""Tables of head rules: which child of a node is its head.

    # LABELS   WHICH   CANDIDATES     meaning
    *          first   /HD            in all nodes: the first child with the function HD
    NP         last    NN|NE PRO*     otherwise, in an NP: the last noun, or the last PRO...
    *          first   *              otherwise: the first child

The lines whose labels fit a node are tried in order, and on each line the candidates in order. The
first candidate that fits a child decides. See docs/head-rules.md. Files of rparse and disco-dop are
recognised.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from crossbranch.errors import InputError, UsageError
from crossbranch.transforms.directed_head_rules import is_directed, table_rows
from crossbranch.transforms.user_files import columns, read_text

NumberedPattern = list[tuple[bytes, bytes]]
"""Pairs of sets, as a byte for each label and each function; no bytes: any function."""

WHICH = ("first", "last", "initial", "final", "across", "first-mark", "last-mark")
_MARK_RULES = ("first-mark", "last-mark")
_SUFFIX = ".heads"
_SYMBOL = re.compile(r"\\(.)|(.)", re.DOTALL)
_ANYTHING = "[^\0]*"
_CATEGORY = re.compile(r".[^-=]*", re.DOTALL)
_MEMO_LIMIT = 100_000


class HeadItem(NamedTuple):
    """The parts of a node or token that rules use: its label or tag, and its edge label."""

    label: str
    edge_label: str
    is_punctuation: bool = False


class HeadPattern(NamedTuple):
    """Labels and functions, such as `NN|NE`, `PRO*` or `NP/SB`."""

    whole: re.Pattern[str]
    """An expression over label, zero byte, edge label."""
    choices: tuple[tuple[str, str], ...]
    """For each alternative, the expressions for label and function."""

    def fits(self, label: str, edge_label: str = "") -> bool:
        """Match the whole label, or its category: NP of NP-SBJ-1."""
        return any(self.whole.fullmatch(f"{name}\0{edge_label}") for name in _names(label))


class HeadRule(NamedTuple):
    """One line of a table."""

    labels: HeadPattern
    which: str
    candidates: tuple[HeadPattern, ...]


class NumberedRule(NamedTuple):
    """A rule over numbered labels and functions, as the core takes it."""

    node: NumberedPattern
    which: int
    candidates: list[NumberedPattern]


class HeadTable:
    """The rules of a table, in their order."""

    def __init__(self, rules: Sequence[HeadRule]) -> None:
        """Make a table."""
        self.rules = tuple(rules)
        self._memo: dict[tuple[HeadItem, ...], int | None] = {}

    def find(self, node: HeadItem, children: Sequence[HeadItem]) -> int | None:
        """Return the position of the head, or None if no rule finds one.

        Punctuation is used only by rules for marks, or if there is nothing else.
        """
        key = (node, *children)
        if key not in self._memo:
            if len(self._memo) >= _MEMO_LIMIT:  # constant memory
                self._memo.clear()
            self._memo[key] = self._find(node, children)
        return self._memo[key]

    def _find(self, node: HeadItem, children: Sequence[HeadItem]) -> int | None:
        marks = [i for i, child in enumerate(children) if child.is_punctuation]
        positions = [i for i, child in enumerate(children) if not child.is_punctuation] or marks
        seen = [children[i] for i in positions]
        rules = [rule for rule in self.rules if rule.labels.fits(node.label, node.edge_label)]
        for rule in rules:
            if rule.which in _MARK_RULES:
                found = _choose(rule, [children[i] for i in marks])
                if found is not None:
                    return marks[found]
                continue
            found = _choose(rule, seen)
            if found is not None:
                crossings = [rule for rule in rules if rule.which == "across"]
                return positions[_first_conjunct(found, crossings, seen)]
        return None

    def numbered(self, labels: Sequence[str], functions: Sequence[str]) -> list[NumberedRule]:
        """Return the rules for the core. A label or function is its position in these lists."""
        return [
            NumberedRule(
                _numbered(rule.labels, labels, functions),
                WHICH.index(rule.which),
                [_numbered(candidate, labels, functions) for candidate in rule.candidates],
            )
            for rule in self.rules
        ]


def _numbered(
    pattern: HeadPattern, labels: Sequence[str], functions: Sequence[str]
) -> NumberedPattern:
    """Return the labels and functions that a pattern fits."""
    sets: dict[str, bytearray] = {}  # the labels by the expression for the functions
    for label, function in pattern.choices:
        fits = re.compile(label, re.IGNORECASE).fullmatch
        found = sets.setdefault(function, bytearray(len(labels)))
        for number, name in enumerate(labels):
            found[number] |= any(fits(part) is not None for part in _names(name))
    return [
        (bytes(found), b"" if function == _ANYTHING else _members(function, functions))
        for function, found in sets.items()
    ]


def _members(expression: str, functions: Sequence[str]) -> bytes:
    fits = re.compile(expression, re.IGNORECASE).fullmatch
    return bytes(fits(name) is not None for name in functions)


def _names(label: str) -> tuple[str, ...]:
    """Return a label, and its category if it is another: NP of NP-SBJ-1."""
    category = _CATEGORY.match(label)
    return (label,) if category is None or category[0] == label else (label, category[0])


def _choose(rule: HeadRule, children: Sequence[HeadItem]) -> int | None:
    order = {
        "first": range(len(children)),
        "last": range(len(children) - 1, -1, -1),
        "initial": range(1),
        "final": range(len(children) - 1, len(children)),
        "across": range(0),
    }[rule.which.removesuffix("-mark")]
    for candidate in rule.candidates:
        for position in order:
            if candidate.fits(children[position].label, children[position].edge_label):
                return position
    return None


def _first_conjunct(found: int, crossings: Sequence[HeadRule], children: Sequence[HeadItem]) -> int:
    """Step from a conjunct across the conjunction before it."""
    conjunctions = [candidate for rule in crossings for candidate in rule.candidates]
    before = children[found - 1]
    if found >= 2 and any(c.fits(before.label, before.edge_label) for c in conjunctions):
        return found - 2
    return found


def load_table(name: str) -> HeadTable:
    """Load the shipped table with this name, or a table from a file."""
    return parse_table(table_text(name), name)


def table_text(name: str) -> str:
    """Return the text of the shipped table with this name, or of a table in a file."""
    folder = resources.files("crossbranch.transforms") / "head_tables"
    names = sorted(file.name.removesuffix(_SUFFIX) for file in folder.iterdir())
    if name in names:
        return (folder / f"{name}{_SUFFIX}").read_text(encoding="utf-8")
    try:
        return read_text(Path(name))
    except UsageError as error:
        raise UsageError(
            f"{error}; the head tables without a path are {', '.join(names)}"
        ) from None


def parse_table(text: str, path: str = "") -> HeadTable:
    """Make a table from its text, or from that of a file of rparse or disco-dop.

    Errors name `path`.
    """
    if is_directed(text):
        try:
            return HeadTable(list(map(_parse_rule, table_rows(text))))
        except ValueError as error:
            found, expected, line = error.args
            raise InputError(found, expected, path=path, line=line) from None
    rules = []
    for line, row in columns(text):
        try:
            rules.append(_parse_rule(row))
        except ValueError as error:
            found, expected = error.args
            raise InputError(found, expected, path=path, line=line) from None
    return HeadTable(rules)


def _parse_rule(row: list[str]) -> HeadRule:
    """Read one line; raises ValueError(found, expected)."""
    if len(row) < 3:
        raise ValueError(f"{len(row)} columns", "labels, which child, and candidates")
    labels, which, *candidates = row
    if which not in WHICH:
        raise ValueError(repr(which), f"one of {', '.join(WHICH)}")
    return HeadRule(compile_labels(labels), which, tuple(map(compile_labels, candidates)))


def compile_labels(text: str) -> HeadPattern:
    """Compile `NN|NE`, `PRO*` or `NP/SB`."""
    alternatives = [[""]]
    for escaped, character in _SYMBOL.findall(text):
        if character == "|":
            alternatives.append([""])
        elif character == "/":
            alternatives[-1].append("")
        elif character == "*":
            alternatives[-1][-1] += _ANYTHING
        else:
            alternatives[-1][-1] += re.escape(escaped or character)
    if any(len(parts) > 2 or parts == [""] for parts in alternatives):
        raise ValueError(repr(text), "LABEL, LABEL/FUNCTION or /FUNCTION, with | between choices")
    pairs = tuple((parts[0] or _ANYTHING, [*parts, _ANYTHING][1]) for parts in alternatives)
    expression = "|".join(f"{label}\0{function}" for label, function in pairs)
    return HeadPattern(re.compile(expression, re.IGNORECASE), pairs)

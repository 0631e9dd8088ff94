"""Tables of head rules: which child of a node is its head. `head_rules` reads them from files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

NumberedPattern = list[tuple[bytes, bytes]]
"""Pairs of sets, as a byte for each label and each function; no bytes: any function."""

WHICH = ("first", "last", "initial", "final", "across", "first-mark", "last-mark")
_MARK_RULES = ("first-mark", "last-mark")
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
        return any(self.whole.fullmatch(f"{name}\0{edge_label}") for name in names_of(label))


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

    core_finds_the_same: ClassVar[bool] = True
    """Whether the rules as numbers find the same heads as `find`."""

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
            found[number] |= any(fits(part) is not None for part in names_of(name))
    return [
        (bytes(found), b"" if function == _ANYTHING else _members(function, functions))
        for function, found in sets.items()
    ]


def _members(expression: str, functions: Sequence[str]) -> bytes:
    fits = re.compile(expression, re.IGNORECASE).fullmatch
    return bytes(fits(name) is not None for name in functions)


def names_of(label: str) -> tuple[str, ...]:
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


def compile_rule(row: Sequence[str]) -> HeadRule:
    """Make a rule from the columns of a line; raises ValueError(found, expected)."""
    if len(row) < 3:
        found = "1 column" if len(row) == 1 else f"{len(row)} columns"
        raise ValueError(found, "labels, which child, and candidates")
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

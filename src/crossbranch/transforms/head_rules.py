r"""Tables of head rules: which child of a node is its head.

    # LABELS   WHICH   CANDIDATES     meaning
    *          first   /HD            in all nodes: the first child with the function HD
    NP         last    NN|NE PRO*     otherwise, in an NP: the last noun, or the last PRO...
    *          first   *              otherwise: the first child

The lines whose labels fit a node are tried in order, and on each line the candidates in order. The
first candidate that fits a child decides. See docs/head-rules.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from crossbranch.errors import InputError, UsageError
from crossbranch.transforms.user_files import columns, read_text

WHICH = ("first", "last", "initial", "final", "across")
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


class HeadRule(NamedTuple):
    """One line of a table."""

    labels: re.Pattern[str]
    which: str
    candidates: tuple[re.Pattern[str], ...]


class HeadTable:
    """The rules of a table, in their order."""

    def __init__(self, rules: Sequence[HeadRule]) -> None:
        """Make a table."""
        self.rules = tuple(rules)
        self._memo: dict[tuple[HeadItem, ...], int | None] = {}

    def find(self, node: HeadItem, children: Sequence[HeadItem]) -> int | None:
        """Return the position of the head, or None if no rule finds one.

        Punctuation is used only if there is nothing else.
        """
        key = (node, *children)
        if key not in self._memo:
            if len(self._memo) >= _MEMO_LIMIT:  # constant memory
                self._memo.clear()
            self._memo[key] = self._find(node, children)
        return self._memo[key]

    def _find(self, node: HeadItem, children: Sequence[HeadItem]) -> int | None:
        positions = [i for i, child in enumerate(children) if not child.is_punctuation]
        positions = positions or list(range(len(children)))
        seen = [children[i] for i in positions]
        rules = [rule for rule in self.rules if _fits(node, rule.labels)]
        for rule in rules:
            found = _choose(rule, seen)
            if found is not None:
                crossings = [rule for rule in rules if rule.which == "across"]
                return positions[_first_conjunct(found, crossings, seen)]
        return None


def _choose(rule: HeadRule, children: Sequence[HeadItem]) -> int | None:
    order = {
        "first": range(len(children)),
        "last": range(len(children) - 1, -1, -1),
        "initial": range(1),
        "final": range(len(children) - 1, len(children)),
        "across": range(0),
    }[rule.which]
    for candidate in rule.candidates:
        for position in order:
            if _fits(children[position], candidate):
                return position
    return None


def _first_conjunct(found: int, crossings: Sequence[HeadRule], children: Sequence[HeadItem]) -> int:
    """Step from a conjunct across the conjunction before it."""
    conjunctions = [candidate for rule in crossings for candidate in rule.candidates]
    if found >= 2 and any(_fits(children[found - 1], candidate) for candidate in conjunctions):
        return found - 2
    return found


def _fits(vertex: HeadItem, pattern: re.Pattern[str]) -> bool:
    """Match the whole label, or its category: NP of NP-SBJ-1."""
    if pattern.fullmatch(f"{vertex.label}\0{vertex.edge_label}"):
        return True
    category = _CATEGORY.match(vertex.label)
    if category is None or category[0] == vertex.label:
        return False
    return pattern.fullmatch(f"{category[0]}\0{vertex.edge_label}") is not None


def load_table(name: str) -> HeadTable:
    """Load the shipped table with this name, or a table from a file."""
    folder = resources.files("crossbranch.transforms") / "head_tables"
    names = sorted(file.name.removesuffix(_SUFFIX) for file in folder.iterdir())
    if name in names:
        return parse_table((folder / f"{name}{_SUFFIX}").read_text(encoding="utf-8"), name)
    try:
        return parse_table(read_text(Path(name)), name)
    except UsageError as error:
        raise UsageError(
            f"{error}; the head tables without a path are {', '.join(names)}"
        ) from None


def parse_table(text: str, path: str = "") -> HeadTable:
    """Make a table from its text; errors name `path`."""
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
    return HeadRule(_compile(labels), which, tuple(map(_compile, candidates)))


def _compile(text: str) -> re.Pattern[str]:
    """Turn `NN|NE`, `PRO*` or `NP/SB` into an expression over label, zero byte, edge label."""
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
    pairs = [(parts[0] or _ANYTHING, [*parts, _ANYTHING][1]) for parts in alternatives]
    expression = "|".join(f"{label}\0{function}" for label, function in pairs)
    return re.compile(expression, re.IGNORECASE)

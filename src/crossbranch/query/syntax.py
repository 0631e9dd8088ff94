"""What a query says: nodes, conditions on them, and relations between them.

A query is a formula. `Path` and `Compared` are its smallest parts at the top. Inside the square
brackets of a node, conditions are about this node: there, a path has no first node.
"""

from __future__ import annotations

import operator
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Value:
    """A text, or a regular expression for whole texts."""

    text: str
    is_regex: bool = False
    ignores_case: bool = False

    def test(self) -> Callable[[str], bool]:
        """Return a function that says whether a text fits."""
        if self.is_regex:
            with warnings.catch_warnings():  # such as "possible nested set": a user's own matter
                warnings.simplefilter("ignore")
                pattern = re.compile(self.text, re.IGNORECASE if self.ignores_case else 0)
            return lambda text: pattern.fullmatch(text) is not None
        if self.ignores_case:
            wanted = self.text.casefold()
            return lambda text: text.casefold() == wanted
        return lambda text: text == self.text


Values = tuple[Value, ...]
"""Alternatives, such as NP|PP."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two nodes, by its name."""

    name: str
    functions: Values = ()
    """Of the child, for dominance and secondary edges; empty: any function."""

    least: int = 1
    most: int | None = None
    """The number of steps, such as >{2,3}. None: no limit."""

    is_counted: bool = False
    """Whether a number of steps is given."""


@dataclass(frozen=True, slots=True)
class ValueTest:
    """Compares a text, such as the label, with values."""

    attribute: str
    values: Values
    is_negative: bool = False


@dataclass(frozen=True, slots=True)
class NumberTest:
    """Compares a number, such as the fan-out, with another number."""

    attribute: str
    operator: str
    number: float


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a node is, such as discontinuous."""

    name: str


Test = ValueTest | NumberTest | Predicate


@dataclass(frozen=True, slots=True)
class Compared:
    """Compares attributes of two nodes. Without `variable`, the first is the present node."""

    variable: str
    attribute: str
    operator: str
    other: str
    other_attribute: str


@dataclass(frozen=True, slots=True)
class All:
    """All parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of the parts holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class No:
    """The part does not hold, whatever its own nodes are."""

    part: Formula


@dataclass(frozen=True, slots=True)
class Count:
    """Compares with a number in how many ways the part holds."""

    part: Formula
    operator: str
    number: float


@dataclass(frozen=True, slots=True)
class Node:
    """A node with its conditions."""

    variable: str = ""
    """Its name; empty for a node without a name."""

    tests: tuple[Formula, ...] = ()
    """What is said before the brackets."""

    inside: Formula | None = None
    """What is said in the brackets."""


@dataclass(frozen=True, slots=True)
class Path:
    """Nodes, each related to the next one. Without `start`, the first is the present node."""

    start: Node | None
    steps: tuple[tuple[Relation, Node], ...] = ()


@dataclass(frozen=True, slots=True)
class Tested:
    """A test of the present node, or of a node with a name."""

    test: Test
    variable: str = ""


Formula = All | Some | No | Count | Path | Tested | Compared

"""A formula as alternatives: each is a list of small parts that must all hold.

`A and (B or C)` has the alternatives `A, B` and `A, C`. Parts are about nodes with numbers: a name
always has the same number, and every node without a name has its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import NoReturn

from crossbranch.errors import UsageError
from crossbranch.query.syntax import (
    All,
    Compared,
    Count,
    Formula,
    No,
    Node,
    Path,
    Relation,
    Some,
    Tested,
)

_MOST_ALTERNATIVES = 1_000


@dataclass(frozen=True, slots=True)
class OneNode:
    """A condition on one node, without names that are used elsewhere."""

    variable: int
    formula: Formula


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between two nodes."""

    first: int
    relation: Relation
    second: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of attributes of two nodes."""

    first: int
    compared: Compared
    second: int


@dataclass(frozen=True, slots=True)
class Negation:
    """A formula that must not hold. `this`: the node whose brackets it is in, or -1."""

    formula: Formula
    this: int


@dataclass(frozen=True, slots=True)
class Counting:
    """A formula that must hold in a certain number of ways."""

    formula: Formula
    this: int
    operator: str
    number: float


Literal = OneNode | Link | Comparison | Negation | Counting
Alternative = tuple[Literal, ...]


def variables_of(literal: Literal) -> tuple[int, ...]:
    """Return the nodes that a literal gives a place to. Negations and counts give none."""
    if isinstance(literal, OneNode):
        return (literal.variable,)
    if isinstance(literal, Link | Comparison):
        return (literal.first, literal.second)
    return ()


@dataclass
class Numbering:
    """The numbers of nodes: by name, or for nodes without a name, by their place in the query."""

    names: dict[str, int] = field(default_factory=dict)
    uses: Counter[str] = field(default_factory=Counter)
    """How often each name is used in the whole query."""

    _anonymous: dict[int, int] = field(default_factory=dict)
    _kept: list[Node] = field(default_factory=list)  # so that their identities stay unique

    @classmethod
    def of(cls, formula: Formula) -> Numbering:
        """Prepare to number the nodes of a query."""
        return cls(uses=Counter(names_in(formula)))

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return len(self.names) + len(self._anonymous)

    def named(self, name: str) -> int:
        """Return the number of a name."""
        return self.names.setdefault(name, self.count)

    def node(self, node: Node) -> int:
        """Return the number of a node."""
        if node.variable:
            return self.named(node.variable)
        if id(node) not in self._anonymous:
            self._kept.append(node)
            self._anonymous[id(node)] = self.count
        return self._anonymous[id(node)]


def names_in(formula: Formula | None) -> Iterator[str]:
    """Yield all names in a formula, each as often as it is used."""
    if formula is None:
        return
    if isinstance(formula, All | Some):
        for part in formula.parts:
            yield from names_in(part)
    elif isinstance(formula, No | Count):
        yield from names_in(formula.part)
    elif isinstance(formula, Path):
        for node in (formula.start, *(node for _, node in formula.steps)):
            if node is not None:
                yield from filter(None, [node.variable])
                yield from names_in(node.inside)
    elif isinstance(formula, Tested):
        yield from filter(None, [formula.variable])
    else:
        yield from filter(None, [formula.variable, formula.other])


def _counts_in(formula: Formula | None) -> Iterator[Count]:
    if isinstance(formula, All | Some):
        for part in formula.parts:
            yield from _counts_in(part)
    elif isinstance(formula, No):
        yield from _counts_in(formula.part)
    elif isinstance(formula, Path):
        for node in (formula.start, *(node for _, node in formula.steps)):
            if node is not None:
                yield from _counts_in(node.inside)
    elif isinstance(formula, Count):
        yield formula


@dataclass
class Clauses:
    """Makes alternatives of a formula, and remembers which nodes are shown as a match."""

    numbering: Numbering
    shown: dict[int, None] = field(default_factory=dict)
    """Nodes with a name and nodes outside of brackets, in the order of the query."""

    def of(self, formula: Formula, this: int = -1, *, is_inner: bool = False) -> list[Alternative]:
        """Return the alternatives. `is_inner`: the formula is in brackets of a node `this`."""
        if is_inner and self.is_about_one_node(formula):
            return [(OneNode(this, formula),)]
        if isinstance(formula, All):
            return _joined([self.of(p, this, is_inner=is_inner) for p in formula.parts])
        if isinstance(formula, Some):
            found = [a for p in formula.parts for a in self.of(p, this, is_inner=is_inner)]
            return _limited(found)
        if isinstance(formula, No):
            return [(Negation(formula.part, this),)]
        if isinstance(formula, Count):
            return [(Counting(formula.part, this, formula.operator, formula.number),)]
        if isinstance(formula, Tested):
            variable = self._named(formula.variable) if formula.variable else this
            return [(OneNode(variable, Tested(formula.test)),)]
        if isinstance(formula, Compared):
            first = self._named(formula.variable) if formula.variable else this
            return [(Comparison(first, formula, self._named(formula.other)),)]
        return self._path(formula, this, is_inner)

    def is_about_one_node(self, formula: Formula) -> bool:
        """Say whether a condition in brackets is only about its node, whatever other nodes are.

        A name that is used nowhere else matters only if it is part of the match, which names in
        negations are not. Counts are left to a search of their own.
        """
        if isinstance(formula, All | Some):
            return all(map(self.is_about_one_node, formula.parts))
        if isinstance(formula, No):
            is_alone = all(self.numbering.uses[name] == 1 for name in names_in(formula.part))
            return is_alone and not any(_counts_in(formula.part))
        return not any(names_in(formula)) and not any(_counts_in(formula))

    def _named(self, name: str) -> int:
        variable = self.numbering.named(name)
        self.shown.setdefault(variable)
        return variable

    def _path(self, path: Path, this: int, is_inner: bool) -> list[Alternative]:
        parts: list[list[Alternative]] = []
        last = this
        if path.start is not None:
            last = self._node(path.start, is_inner, parts)
        for relation, node in path.steps:
            following = self._node(node, is_inner, parts)
            parts.append([(Link(last, relation, following),)])
            last = following
        return _joined(parts)

    def _node(self, node: Node, is_inner: bool, parts: list[list[Alternative]]) -> int:
        variable = self.numbering.node(node)
        if node.variable or not is_inner:
            self.shown.setdefault(variable)
        parts.append([(OneNode(variable, All(node.tests)),)])
        if isinstance(node.inside, All):  # one by one: some may be about this node alone
            parts.extend(self.of(part, variable, is_inner=True) for part in node.inside.parts)
        elif node.inside is not None:
            parts.append(self.of(node.inside, variable, is_inner=True))
        return variable


def _joined(parts: list[list[Alternative]]) -> list[Alternative]:
    """Choose one alternative of each part, in all ways."""
    if prod(map(len, parts)) > _MOST_ALTERNATIVES:
        _refuse()
    return [tuple(lit for some in chosen for lit in some) for chosen in product(*parts)]


def _limited(found: list[Alternative]) -> list[Alternative]:
    if len(found) > _MOST_ALTERNATIVES:
        _refuse()
    return found


def _refuse() -> NoReturn:
    raise UsageError(f"the query has more than {_MOST_ALTERNATIVES:,} alternatives (by `or`)")

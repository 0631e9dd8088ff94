"""Which trees of an index may have a match: those in which all that a query needs occurs."""

from __future__ import annotations

from collections.abc import Iterable

from crossbranch.query.clauses import Alternative, Link, Literal, OneNode
from crossbranch.query.index import KINDS, Index
from crossbranch.query.syntax import (
    OPERATORS,
    All,
    Formula,
    NumberTest,
    Path,
    Predicate,
    Relation,
    Some,
    Test,
    Tested,
    ValueTest,
)

Numbers = set[int] | None
"""Numbers of trees. None: perhaps all."""

_NEED_GAPS = ("discontinuous", "ill-nested", "extraposed", "fronted")
_RELATIONS_WITH_GAPS = ("gap-contains", "in-gap-of", "ill-nested-with")


def trees_that_may_match(alternatives: Iterable[Alternative], index: Index) -> Numbers:
    """Return the numbers of the trees to search."""
    needs = _Needs(index)
    return _either([_both(map(needs.literal, one)) for one in alternatives])


class _Needs:
    """The trees in which parts of a query can hold. They may be more, never fewer."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def literal(self, literal: Literal) -> Numbers:
        if isinstance(literal, OneNode):
            return self.formula(literal.formula)
        return self.relation(literal.relation) if isinstance(literal, Link) else None

    def formula(self, formula: Formula) -> Numbers:
        if isinstance(formula, Tested):
            return self.test(formula.test)
        if isinstance(formula, All):
            return _both(map(self.formula, formula.parts))
        if isinstance(formula, Some):
            return _either([self.formula(part) for part in formula.parts])
        if isinstance(formula, Path):
            parts = [self.relation(relation) for relation, _ in formula.steps]
            for _, node in formula.steps:
                parts += map(self.formula, node.tests)
                parts += [self.formula(node.inside)] if node.inside is not None else []
            return _both(parts)
        return None  # negations, counts and comparisons

    def relation(self, relation: Relation) -> Numbers:
        if relation.name in _RELATIONS_WITH_GAPS:
            return self.index.discontinuous_trees()
        if relation.functions and relation.name in (">", "<"):
            return self.index.trees_with("function", relation.functions)
        return None

    def test(self, test: Test) -> Numbers:
        if isinstance(test, Predicate):
            return self.index.discontinuous_trees() if test.name in _NEED_GAPS else None
        if isinstance(test, NumberTest):
            return self.number(test)
        return None if test.is_negative else self.value(test)

    def number(self, test: NumberTest) -> Numbers:
        """Fan-outs that only discontinuous nodes have; 0 is that of a root without words."""
        compare = OPERATORS[test.operator]
        least = {"fan-out": 1, "gap-length": 0}.get(test.attribute)
        if least is None or any(compare(value, test.number) for value in {0, least}):
            return None
        return self.index.discontinuous_trees()

    def value(self, test: ValueTest) -> Numbers:
        if test.attribute == "category":
            trees_with = self.index.trees_with
            return trees_with("label", test.values) | trees_with("tag", test.values)
        if test.attribute in KINDS:
            return self.index.trees_with(test.attribute, test.values)
        return None


def _both(parts: Iterable[Numbers]) -> Numbers:
    found: Numbers = None
    for part in parts:
        if part is not None:
            found = part if found is None else found & part
    return found


def _either(parts: list[Numbers]) -> Numbers:
    found: set[int] = set()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found

"""Formulas about one node as conditions. A relation asks whether there is such another node."""

from __future__ import annotations

from dataclasses import replace

from crossbranch.query.conditions import Condition, Fits, condition_of
from crossbranch.query.relations import holds_of, is_exact, related_by
from crossbranch.query.syntax import All, Formula, No, Node, Path, Relation, Some, Tested
from crossbranch.query.values import Vocabulary
from crossbranch.query.view import View

ANY = Condition(lambda view, vertex: True, lambda view: range(len(view.parents)), 100)
"""The condition that every vertex fits."""


def one_node_condition(formula: Formula, vocabulary: Vocabulary) -> Condition:
    """Return a formula about one node as a condition."""
    if isinstance(formula, Tested):
        return condition_of(formula.test, vocabulary)
    if isinstance(formula, All):
        return _all([one_node_condition(part, vocabulary) for part in formula.parts])
    if isinstance(formula, Some):
        return _some([one_node_condition(part, vocabulary) for part in formula.parts])
    if isinstance(formula, No):
        negated = one_node_condition(formula.part, vocabulary).fits
        return Condition(lambda view, vertex: not negated(view, vertex))
    assert isinstance(formula, Path), "comparisons and counts are about several nodes"
    return Condition(_path(formula.steps, vocabulary))


def _all(parts: list[Condition]) -> Condition:
    if len(parts) < 2:
        return parts[0] if parts else ANY
    parts = sorted(parts, key=lambda part: part.cost)
    tests = [part.fits for part in parts]

    def fits(view: View, vertex: int) -> bool:
        return all(test(view, vertex) for test in tests)

    whole = Condition(fits, None, parts[0].cost)
    quick = next((part.all for part in parts if part.all is not None), None)
    if quick is None:
        return whole
    find = quick
    return replace(whole, all=lambda view: [v for v in find(view) if fits(view, v)])


def _some(parts: list[Condition]) -> Condition:
    tests = [part.fits for part in parts]
    whole = Condition(lambda view, vertex: any(test(view, vertex) for test in tests))
    lists = [part.all for part in parts if part.all is not None]
    if len(lists) < len(parts):
        return whole
    cost = max(part.cost for part in parts)
    return replace(
        whole, all=lambda view: sorted({v for find in lists for v in find(view)}), cost=cost
    )


def _path(steps: tuple[tuple[Relation, Node], ...], vocabulary: Vocabulary) -> Fits:
    (relation, node), rest = steps[0], steps[1:]
    inside = () if node.inside is None else (node.inside,)
    condition = one_node_condition(All((*node.tests, *inside)), vocabulary)
    tests = [] if condition is ANY else [condition.fits]
    if rest:
        tests.append(_path(rest, vocabulary))
    holds, near = holds_of(relation, vocabulary), related_by(relation)
    if near is None:
        find = condition.all or ANY.all
        assert find is not None, "ANY has all vertices"
        all_of = find
        return lambda view, vertex: any(
            holds(view, vertex, other) and all(fits(view, other) for fits in tests)
            for other in all_of(view)
        )
    related = near
    if is_exact(relation):
        return lambda view, vertex: any(
            all(fits(view, other) for fits in tests) for other in related(view, vertex)
        )
    return lambda view, vertex: any(
        holds(view, vertex, other) and all(fits(view, other) for fits in tests)
        for other in related(view, vertex)
    )

"""A plan for each alternative of a query: in which order its nodes are looked for.

The search begins with the node that few vertices fit, and goes on along relations. Each condition
is checked as soon as its nodes are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from crossbranch.query.clauses import (
    Alternative,
    Clauses,
    Comparison,
    Counting,
    Link,
    Literal,
    Negation,
    Numbering,
    OneNode,
    names_in,
    variables_of,
)
from crossbranch.query.conditions import Condition, Fits, comparison_of
from crossbranch.query.one_node import ANY, one_node_condition
from crossbranch.query.relations import holds_of, is_exact, related_by
from crossbranch.query.syntax import OPERATORS, Formula, Relation
from crossbranch.query.values import Vocabulary
from crossbranch.query.view import View
from crossbranch.query.words import INVERSES

Places = list[int]
"""The vertex of each node of the query, by the node's number."""

Check = Callable[[View, Places], bool]
Assignment = tuple[int, ...]
"""The vertices of the shown nodes; -1 for nodes of other alternatives."""

_COSTS = {"=": 0, "<": 1, ">": 3, "<<": 4, "begins": 4, "ends": 4, ">>": 12}
_UPWARDS = {">": True, ">>": True, "<": False, "<<": False}


class Subquery:
    """All alternatives of a formula. A whole query is one, and so is what is negated or counted."""

    def __init__(
        self,
        formula: Formula,
        numbering: Numbering,
        vocabulary: Vocabulary,
        *,
        this: int = -1,
        known: frozenset[int] = frozenset(),
    ) -> None:
        """Plan the search for a formula.

        Args:
            formula: What is searched.
            numbering: The numbers of nodes.
            vocabulary: How values are tested.
            this: The node whose brackets the formula is in, or -1.
            known: The nodes that have their places before this search begins.
        """
        clauses = Clauses(numbering)
        self.alternatives = clauses.of(formula, this)
        self.shown = tuple(clauses.shown)
        self.plans = [
            _Planner(alternative, numbering, vocabulary, known).plan()
            for alternative in self.alternatives
        ]
        # Then no two ways have the same places.
        self._is_plain = len(self.plans) == 1 and self.plans[0].bound <= known.union(self.shown)

    def holds(self, view: View, places: Places) -> bool:
        """Say whether there is at least one way."""
        return any(True for plan in self.plans for _ in plan.run(view, places))

    def count(self, view: View, places: Places) -> int:
        """Return the number of different places of the shown nodes."""
        if self._is_plain:
            return sum(1 for _ in self.plans[0].run(view, places))
        return len(self.assignments(view, places))

    def assignments(self, view: View, places: Places) -> list[Assignment]:
        """Return the different places of the shown nodes, in order."""
        found: set[Assignment] = set()
        for plan in self.plans:
            shown = [(variable, variable in plan.bound) for variable in self.shown]
            for _ in plan.run(view, places):
                found.add(tuple([places[v] if is_bound else -1 for v, is_bound in shown]))
        return sorted(found)


@dataclass
class Step:
    """Looks for one node of the query."""

    variable: int
    candidates: Callable[[View, Places], Iterable[int]]
    checks: list[Check] = field(default_factory=list)


class Plan:
    """Finds all ways in which one alternative holds."""

    def __init__(self, steps: list[Step], first: list[Check], bound: frozenset[int]) -> None:
        """Make a plan. `first` are checks before the first step; `bound` nodes have a place."""
        self.steps, self.first, self.bound = steps, first, bound

    def run(self, view: View, places: Places) -> Iterator[None]:
        """Fill in the places of nodes, once for each way."""
        if all(check(view, places) for check in self.first):
            yield from self._from(0, view, places)

    def _from(self, number: int, view: View, places: Places) -> Iterator[None]:
        if number == len(self.steps):
            yield
            return
        step = self.steps[number]
        variable, checks = step.variable, step.checks
        for vertex in step.candidates(view, places):
            places[variable] = vertex
            for check in checks:
                if not check(view, places):
                    break
            else:
                yield from self._from(number + 1, view, places)


class _Planner:
    """Orders the literals of one alternative."""

    def __init__(
        self,
        literals: Alternative,
        numbering: Numbering,
        vocabulary: Vocabulary,
        known: frozenset[int],
    ) -> None:
        self.numbering, self.vocabulary, self.known = numbering, vocabulary, known
        self.all = known.union(*map(variables_of, literals))
        self.links = [part for part in literals if isinstance(part, Link)]
        self.conditions: dict[int, list[Condition]] = {variable: [] for variable in self.all}
        for literal in literals:
            if isinstance(literal, OneNode):
                condition = one_node_condition(literal.formula, vocabulary)
                if condition is not ANY:
                    self.conditions[literal.variable].append(condition)
        for some in self.conditions.values():
            some.sort(key=lambda condition: condition.cost)
        self.waiting = [part for part in literals if not isinstance(part, OneNode)]
        """Literals that are not checked yet."""

    def plan(self) -> Plan:
        done = set(self.known)
        first = [
            _fits_at(condition.fits, variable)
            for variable in sorted(self.known)
            for condition in self.conditions[variable]
        ]
        first += self.ready(done)
        steps = []
        while len(done) < len(self.all):
            step = self.next_step(done)
            done.add(step.variable)
            step.checks += self.ready(done)
            steps.append(step)
        return Plan(steps, first, self.all)

    def next_step(self, done: set[int]) -> Step:
        """Go on along a relation if there is one, otherwise make a new start."""
        along = [
            (_COSTS.get(relation.name, 6), number, source, relation, target)
            for number, link in enumerate(self.links)
            for source, relation, target in (
                (link.first, link.relation, link.second),
                (link.second, _inverse(link.relation), link.first),
            )
            if source in done and target not in done and related_by(relation) is not None
        ]
        if not along:
            return self.start(min(self.all - done, key=self.cost_of_start))
        _, number, source, relation, target = min(along, key=lambda one: one[:2])
        if is_exact(relation):  # the relation need not be checked again
            self.waiting = [part for part in self.waiting if part is not self.links[number]]
        return self.along(source, relation, target)

    def cost_of_start(self, variable: int) -> tuple[int, int]:
        cost = min((condition.cost for condition in self.conditions[variable]), default=100)
        for link in self.links:  # from a child to its parent there is only one way
            if (is_upwards := _UPWARDS.get(link.relation.name)) is not None:
                cost -= (link.second if is_upwards else link.first) == variable
        return cost, variable

    def start(self, variable: int) -> Step:
        conditions = self.conditions[variable]
        quick = next((c for c in conditions if c.all is not None), ANY)
        assert quick.all is not None, "ANY has all vertices"
        find = quick.all
        rest = [_fits_at(c.fits, variable) for c in conditions if c is not quick]
        return Step(variable, lambda view, places: find(view), rest)

    def along(self, source: int, relation: Relation, target: int) -> Step:
        related = related_by(relation)
        assert related is not None, "such relations are not chosen"
        find = related
        tests = [_fits_at(condition.fits, target) for condition in self.conditions[target]]
        return Step(target, lambda view, places: find(view, places[source]), tests)

    # --- checks

    def ready(self, done: set[int]) -> list[Check]:
        """Return the checks whose nodes are known now. They no longer wait."""
        now = [part for part in self.waiting if self.needs(part) <= done]
        self.waiting = [part for part in self.waiting if part not in now]
        return [self.check(part) for part in sorted(now, key=_is_search)]

    def needs(self, literal: Literal) -> set[int]:
        """Return the nodes that must have a place before a literal is checked."""
        if isinstance(literal, Negation | Counting):
            names = self.numbering.names
            used = {names[name] for name in names_in(literal.formula) if name in names}
            return (used | {literal.this}) & self.all
        return set(variables_of(literal))

    def check(self, literal: Literal) -> Check:
        if isinstance(literal, Link):
            holds, a, b = holds_of(literal.relation, self.vocabulary), literal.first, literal.second
            return lambda view, places: holds(view, places[a], places[b])
        if isinstance(literal, Comparison):
            compare, a, b = comparison_of(literal.compared), literal.first, literal.second
            return lambda view, places: compare(view, places[a], places[b])
        assert isinstance(literal, Negation | Counting), "conditions on one node are in steps"
        inner = Subquery(
            literal.formula, self.numbering, self.vocabulary, this=literal.this, known=self.all
        )
        if isinstance(literal, Negation):
            return lambda view, places: not inner.holds(view, places)
        compares, number = OPERATORS[literal.operator], literal.number
        return lambda view, places: compares(inner.count(view, places), number)


def _is_search(literal: Literal) -> bool:
    return isinstance(literal, Negation | Counting)


def _fits_at(fits: Fits, variable: int) -> Check:
    return lambda view, places: fits(view, places[variable])


def _inverse(relation: Relation) -> Relation:
    return replace(relation, name=INVERSES[relation.name])

"""Relations between two vertices: whether they hold, and which vertices are related to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from crossbranch import span as spans
from crossbranch.query.syntax import Relation
from crossbranch.query.values import Vocabulary, fits_any
from crossbranch.query.view import View

Holds = Callable[[View, int, int], bool]
Related = Callable[[View, int], Iterable[int]]


def holds_of(relation: Relation, vocabulary: Vocabulary) -> Holds:
    """Return a function that says whether two vertices are related."""
    name = relation.name
    if name in ("~>", "<~"):
        return _edge_test(relation)
    if relation.is_counted:
        return _steps_test(relation)
    if not relation.functions:
        return _HOLDS[name]
    memo = vocabulary.memo(relation.functions)
    if name == ">":
        return lambda view, a, b: view.parents[b] == a and memo[view.column("function")[b]]
    return lambda view, a, b: view.parents[a] == b and memo[view.column("function")[a]]


def related_by(relation: Relation) -> Related | None:
    """Return a function for the vertices that a vertex may be related to.

    It may yield more than these. None: any vertex may be related to any other.
    """
    if relation.is_counted and relation.name in (">", "<"):
        return _RELATED[relation.name * 2]
    return _RELATED.get(relation.name)


def is_exact(relation: Relation) -> bool:
    """Say whether `related_by` yields only vertices that are related."""
    plain = not relation.functions and not relation.is_counted
    return plain and relation.name in (">", "<", ">>", "<<", "=")


def _below(view: View, a: int, b: int) -> bool:
    """Say whether b is below a, at any depth."""
    size = view.size
    if a < size:
        return False
    return view.spans[a] >> b & 1 == 1 if b < size else a < b < view.ends[a]


def _siblings(view: View, a: int, b: int) -> bool:
    return a != b and view.parents[a] == view.parents[b]


def _gap_contains(view: View, a: int, b: int) -> bool:
    span = view.spans[b]
    return span != 0 and not span & ~view.gap(a)


def _ill_nested(view: View, a: int, b: int) -> bool:
    one, other = view.spans[a], view.spans[b]
    return not one & other and spans.interleave(one, other)


def _edge_test(relation: Relation) -> Holds:
    accepted = fits_any(relation.functions) if relation.functions else None

    def holds(view: View, parent: int, child: int) -> bool:
        return any(
            edge.parent == parent
            and edge.child == child
            and (accepted is None or accepted(edge.label))
            for edge in view.secondary_edges
        )

    return holds if relation.name == "~>" else lambda view, a, b: holds(view, b, a)


def _steps_test(relation: Relation) -> Holds:
    least = relation.least
    most = float("inf") if relation.most is None else relation.most

    def below(view: View, a: int, b: int) -> bool:
        return least <= view.depths[b] - view.depths[a] <= most and _below(view, a, b)

    def before(view: View, a: int, b: int) -> bool:
        return least <= view.firsts[b] - view.lasts[a] <= most

    holds = below if relation.name in (">", "<") else before
    is_inverse = relation.name in ("<", "after")
    return (lambda view, a, b: holds(view, b, a)) if is_inverse else holds


_HOLDS: dict[str, Holds] = {
    ">": lambda view, a, b: view.parents[b] == a,
    "<": lambda view, a, b: view.parents[a] == b,
    ">>": _below,
    "<<": lambda view, a, b: _below(view, b, a),
    "begins-with": lambda view, a, b: view.firsts[a] == view.firsts[b] and _below(view, a, b),
    "begins": lambda view, a, b: view.firsts[a] == view.firsts[b] and _below(view, b, a),
    "ends-with": lambda view, a, b: view.lasts[a] == view.lasts[b] and _below(view, a, b),
    "ends": lambda view, a, b: view.lasts[a] == view.lasts[b] and _below(view, b, a),
    "before": lambda view, a, b: view.lasts[a] < view.firsts[b],
    "after": lambda view, a, b: view.lasts[b] < view.firsts[a],
    "right-before": lambda view, a, b: view.lasts[a] + 1 == view.firsts[b],
    "right-after": lambda view, a, b: view.lasts[b] + 1 == view.firsts[a],
    "starts-before": lambda view, a, b: view.firsts[a] < view.firsts[b],
    "starts-after": lambda view, a, b: view.firsts[a] > view.firsts[b],
    "sibling-of": _siblings,
    "sibling-before": lambda view, a, b: _siblings(view, a, b) and view.ranks[a] < view.ranks[b],
    "sibling-after": lambda view, a, b: _siblings(view, a, b) and view.ranks[a] > view.ranks[b],
    "sibling-right-before": lambda view, a, b: (
        _siblings(view, a, b) and view.ranks[a] + 1 == view.ranks[b]
    ),
    "sibling-right-after": lambda view, a, b: (
        _siblings(view, a, b) and view.ranks[a] == view.ranks[b] + 1
    ),
    "gap-contains": _gap_contains,
    "in-gap-of": lambda view, a, b: _gap_contains(view, b, a),
    "ill-nested-with": _ill_nested,
    "=": lambda view, a, b: a == b,
    "!=": lambda view, a, b: a != b,
}


def _children(view: View, vertex: int) -> Iterable[int]:
    return view.children[vertex - view.size] if vertex >= view.size else ()


def _parent(view: View, vertex: int) -> Iterable[int]:
    parent = view.parents[vertex]
    return (parent,) if parent >= 0 else ()


def _descendants(view: View, vertex: int) -> Iterable[int]:
    if vertex < view.size:
        return ()
    return [*spans.tokens_of(view.spans[vertex]), *range(vertex + 1, view.ends[vertex])]


def _ancestors(view: View, vertex: int) -> Iterable[int]:
    parents, found = view.parents, []
    while (vertex := parents[vertex]) >= 0:
        found.append(vertex)
    return found


def _children_of_parent(view: View, vertex: int) -> Iterable[int]:
    parent = view.parents[vertex]
    return view.children[parent - view.size] if parent >= 0 else ()


_RELATED: dict[str, Related] = {
    ">": _children,
    "<": _parent,
    ">>": _descendants,
    "<<": _ancestors,
    "begins-with": _descendants,
    "begins": _ancestors,
    "ends-with": _descendants,
    "ends": _ancestors,
    "sibling-of": _children_of_parent,
    "sibling-before": _children_of_parent,
    "sibling-after": _children_of_parent,
    "sibling-right-before": _children_of_parent,
    "sibling-right-after": _children_of_parent,
    "ill-nested-with": lambda view, vertex: view.discontinuous,
    "in-gap-of": lambda view, vertex: view.discontinuous,
    "=": lambda view, vertex: (vertex,),
    "~>": lambda view, vertex: {e.child for e in view.secondary_edges if e.parent == vertex},
    "<~": lambda view, vertex: {e.parent for e in view.secondary_edges if e.child == vertex},
}

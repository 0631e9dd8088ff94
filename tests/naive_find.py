"""Searching by trying everything: each node of a query is put on each vertex of a tree.

This follows the definitions in docs/find.md, with sets of tokens, and shares only the parser of
queries with the package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from crossbranch.punctuation import is_punctuation
from crossbranch.query import syntax as q
from crossbranch.query.parsing import parse_query
from crossbranch.tree import Node, Tree

Key = str | int
Places = dict[Key, int]


class NaiveSearch:
    """All matches of a query in one tree."""

    def __init__(self, tree: Tree, query: str) -> None:
        self.formula = parse_query(query)
        self.tree, self.count = tree, len(tree.sentence)
        self.all = range(self.count + len(tree.nodes))
        self.parent: dict[int, int | None] = {self.count: None}
        self.below: dict[int, list[int]] = {v: [] for v in self.all}
        numbers = {id(node): v for v, node in enumerate(tree.nodes, self.count)}
        for v, node in enumerate(tree.nodes, self.count):
            for child in node.children:
                c = child if isinstance(child, int) else numbers[id(child)]
                self.parent[c] = v
                self.below[v].append(c)

    def matches(self) -> set[tuple[int, ...]]:
        keys = list(dict.fromkeys(shown(self.formula, is_top=True)))
        return {
            tuple(places.get(key, -1) for key in keys)
            for places in self.solutions(self.formula, {}, None)
        }

    # --- formulas

    def solutions(self, formula: q.Formula, places: Places, this: int | None) -> Iterator[Places]:
        for found, later in self.ways(formula, places, this):
            if all(self.is_true(part, found, where) for part, where in later):
                yield found

    def is_true(self, part: q.No | q.Count, places: Places, this: int | None) -> bool:
        found = list(self.solutions(part.part, places, this))
        if isinstance(part, q.No):
            return not found
        keys = list(shown(part.part, is_top=True))
        different = {tuple(some.get(key, -1) for key in keys) for some in found}
        return compare(len(different), part.operator, part.number)

    def ways(
        self, formula: q.Formula, places: Places, this: int | None
    ) -> Iterator[tuple[Places, list[tuple[q.No | q.Count, int | None]]]]:
        """Places for all nodes that are not negated; what is negated or counted comes later."""
        if isinstance(formula, q.Some):
            for part in formula.parts:
                yield from self.ways(part, places, this)
        elif isinstance(formula, q.All):
            if not formula.parts:
                yield places, []
                return
            for found, later in self.ways(formula.parts[0], places, this):
                for rest, more in self.ways(q.All(formula.parts[1:]), found, this):
                    yield rest, later + more
        elif isinstance(formula, q.No | q.Count):
            yield places, [(formula, this)]
        elif isinstance(formula, q.Tested):
            for found, vertex in self.place(formula.variable, places, this):
                if self.fits(formula.test, vertex):
                    yield found, []
        elif isinstance(formula, q.Compared):
            for found, one in self.place(formula.variable, places, this):
                for both, other in self.place(formula.other, found, None):
                    x = self.value(formula.attribute, one)
                    y = self.value(formula.other_attribute, other)
                    if x is not None and y is not None and compare(x, formula.operator, y):
                        yield both, []
        elif formula.start is not None:
            for found, vertex, later in self.nodes(formula.start, places):
                for rest, more in self.ways(q.Path(None, formula.steps), found, vertex):
                    yield rest, later + more
        elif not formula.steps:
            yield places, []
        else:
            relation, node = formula.steps[0]
            assert this is not None
            for found, vertex, later in self.nodes(node, places):
                if self.related(relation, this, vertex):
                    for rest, more in self.ways(q.Path(None, formula.steps[1:]), found, vertex):
                        yield rest, later + more

    def nodes(
        self, node: q.Node, places: Places
    ) -> Iterator[tuple[Places, int, list[tuple[q.No | q.Count, int | None]]]]:
        conditions = q.All((*node.tests, *([] if node.inside is None else [node.inside])))
        for found, vertex in self.place(node.variable or id(node), places, None):
            for rest, later in self.ways(conditions, found, vertex):
                yield rest, vertex, later

    def place(self, key: Key, places: Places, this: int | None) -> Iterator[tuple[Places, int]]:
        if key == "":
            assert this is not None
            yield places, this
        elif key in places:
            yield places, places[key]
        else:
            for vertex in self.all:
                yield places | {key: vertex}, vertex

    # --- one vertex

    @cached_property
    def marked(self) -> tuple[Node, ...]:
        return self.tree.mark_heads().nodes

    def tokens(self, v: int) -> set[int]:
        return {v} if v < self.count else set(self.tree.nodes[v - self.count].tokens)

    def gap(self, v: int) -> set[int]:
        own = self.tokens(v)
        return {t for t in range(self.count) if own and min(own) < t < max(own)} - own

    def above(self, v: int) -> list[int]:
        found, up = [], self.parent[v]
        while up is not None:
            found.append(up)
            up = self.parent[up]
        return found

    def value(self, name: str, v: int) -> str | float | None:
        is_word = v < self.count
        item = self.tree.vertex(v)
        if name == "category":
            name = "tag" if is_word else "label"
        if name == "text":
            return " ".join(self.tree.sentence[t].form for t in sorted(self.tokens(v)))
        if name == "function":
            return item.edge_label
        if name == "label":
            return None if is_word else item.label  # type: ignore[union-attr]
        if name in ("tag", "lemma", "morphology"):
            return getattr(item, name) if is_word else None
        if name == "word":
            return item.form if is_word else None  # type: ignore[union-attr]
        own = self.tokens(v)
        if name == "fan-out":
            return sum(1 for t in own if t - 1 not in own)
        if name in ("confidence", "tree-confidence"):
            features = item.features if name == "confidence" else self.tree.features
            found = dict(features).get("confidence")
            return None if found is None else float(found)
        return {
            "length": len(own),
            "children": len(self.below[v]),
            "depth": len(self.above(v)),
            "position": min(own, default=-1) + 1,
            "gap-length": len(self.gap(v)),
        }[name]

    def fits(self, test: q.Test, v: int) -> bool:
        if isinstance(test, q.Predicate):
            return self.has(test.name, v)
        if isinstance(test, q.NumberTest):
            number = self.value(test.attribute, v)
            return number is not None and compare(number, test.operator, test.number)
        if test.attribute.startswith("@"):
            pairs = self.tree.vertex(v).features
            texts = [value for key, value in pairs if "@" + key == test.attribute]
            return bool(texts) and any(accepts(test.values, t) for t in texts) != test.is_negative
        text = self.value(test.attribute, v)
        return text is not None and accepts(test.values, str(text)) != test.is_negative

    def has(self, name: str, v: int) -> bool:
        own, up = self.tokens(v), self.parent[v]
        siblings = [] if up is None else self.below[up]
        if name in ("extraposed", "fronted"):
            head = None if up is None else self.tree.head_tokens[up - self.count]
            if up is None or head is None:
                return False
            between = range(head, min(own)) if name == "extraposed" else range(max(own), head)
            return any(
                t not in self.tokens(up) and not is_punctuation(self.tree.sentence[t])
                for t in between
            )
        if name == "head":
            return up is not None and self.marked[up - self.count].head == siblings.index(v)
        return {
            "constituent": v >= self.count,
            "token": v < self.count,
            "root": up is None,
            "first-child": siblings[:1] == [v],
            "last-child": siblings[-1:] == [v],
            "only-child": siblings == [v],
            "punctuation": v < self.count
            and is_punctuation(self.tree.sentence[min(v, self.count - 1)]),
            "discontinuous": bool(self.gap(v)),
            "ill-nested": any(self.holds("ill-nested-with", v, w) for w in self.all),
        }[name]

    # --- two vertices

    def related(self, relation: q.Relation, a: int, b: int) -> bool:
        name = relation.name
        most = float("inf") if relation.most is None else relation.most
        if relation.is_counted and name in (">", "<"):
            upper, lower = (a, b) if name == ">" else (b, a)
            above = self.above(lower)
            return upper in above and relation.least <= above.index(upper) + 1 <= most
        if relation.is_counted:
            first, second = (self.tokens(x) for x in ((a, b) if name == "before" else (b, a)))
            return bool(first and second) and relation.least <= min(second) - max(first) <= most
        if name in ("~>", "<~"):
            upper, lower = (a, b) if name == "~>" else (b, a)
            return any(
                (edge.parent, edge.child) == (upper, lower)
                and (not relation.functions or accepts(relation.functions, edge.label))
                for edge in self.tree.secondary_edges
            )
        if relation.functions:
            lower = b if name == ">" else a
            if not accepts(relation.functions, self.tree.vertex(lower).edge_label):
                return False
        return self.holds(name, a, b)

    def holds(self, name: str, a: int, b: int) -> bool:
        if name in _MIRRORED:
            return self.holds(_MIRRORED[name], b, a)
        one, other = self.tokens(a), self.tokens(b)
        is_below = a in self.above(b)
        siblings = [] if self.parent[a] is None else self.below[self.parent[a] or 0]
        are_siblings = a != b and a in siblings and b in siblings
        definitions: dict[str, Callable[[], bool]] = {
            ">": lambda: self.parent[b] == a,
            ">>": lambda: is_below,
            "begins-with": lambda: is_below and min(one) == min(other),
            "ends-with": lambda: is_below and max(one) == max(other),
            "before": lambda: bool(one and other) and max(one) < min(other),
            "right-before": lambda: bool(one and other) and max(one) + 1 == min(other),
            "starts-before": lambda: bool(one and other) and min(one) < min(other),
            "sibling-of": lambda: are_siblings,
            "sibling-before": lambda: are_siblings and siblings.index(a) < siblings.index(b),
            "sibling-right-before": lambda: (
                are_siblings and siblings.index(a) + 1 == siblings.index(b)
            ),
            "gap-contains": lambda: bool(other) and other <= self.gap(a),
            "ill-nested-with": lambda: (
                not one & other and bool(one & self.gap(b)) and bool(other & self.gap(a))
            ),
            "=": lambda: a == b,
            "!=": lambda: a != b,
        }
        return definitions[name]()


_MIRRORED = {
    "<": ">",
    "<<": ">>",
    "begins": "begins-with",
    "ends": "ends-with",
    "after": "before",
    "right-after": "right-before",
    "starts-after": "starts-before",
    "sibling-after": "sibling-before",
    "sibling-right-after": "sibling-right-before",
    "in-gap-of": "gap-contains",
}


def compare(x: object, sign: str, y: object) -> bool:
    return bool(q.OPERATORS[sign](x, y))


def accepts(values: q.Values, text: str) -> bool:
    for value in values:
        flags = re.IGNORECASE if value.ignores_case else 0
        pattern = value.text if value.is_regex else re.escape(value.text)
        if re.fullmatch(pattern, text, flags):
            return True
    return False


def shown(formula: q.Formula | None, *, is_top: bool) -> Iterator[Key]:
    """Yield the nodes of a match: those with names, and those outside of brackets."""
    if isinstance(formula, q.All | q.Some):
        for part in formula.parts:
            yield from shown(part, is_top=is_top)
    elif isinstance(formula, q.Tested):
        yield from filter(None, [formula.variable])
    elif isinstance(formula, q.Compared):
        yield from filter(None, [formula.variable, formula.other])
    elif isinstance(formula, q.Path):
        for node in (formula.start, *(node for _, node in formula.steps)):
            if node is not None:
                if node.variable or is_top:
                    yield node.variable or id(node)
                yield from shown(node.inside, is_top=False)

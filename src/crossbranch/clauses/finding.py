"""Find the clauses of a tree by the rules of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from crossbranch.clause import Clause, Part
from crossbranch.clauses.rules import ClauseRule, ClauseTable, load_clause_table
from crossbranch.constituent import Constituent, Word
from crossbranch.doors import door
from crossbranch.errors import TreeError
from crossbranch.punctuation import is_punctuation
from crossbranch.transforms.head_choice import likely_table
from crossbranch.transforms.head_table import HeadItem
from crossbranch.tree import ROOT, Node, Tree

_NOMINATIVE = re.compile(r"-N$|\bNom\b|Case=Nom")
_NOTHING = HeadItem("", "")
_FIELDS = {
    "particle": "particles",
    "negation": "negations",
    "object": "objects",
    "indirect": "indirect_objects",
    "predicative": "predicatives",
    "complement": "complements",
    "agent": "agents",
    "modifier": "modifiers",
}


@door
def clauses_of(tree: Tree) -> list[Clause]:
    """Return the clauses of a tree, in the order of their main verbs.

    Raises:
        TreeError: There is no table of clauses for the labels of the tree.
    """
    if len(tree.nodes) == 1 and tree.root.label == ROOT:
        return []
    name = likely_table(tree)
    table = None if name is None else load_clause_table(name)
    if table is None:
        where = f"sentence {tree.id}: " if tree.id else ""
        raise TreeError(
            f"{where}clauses can only be found with labels in the style of Penn, TIGER, Alpino or "
            f"IcePaHC; the root has the label {tree.root.label!r}"
        )
    finder = _Finder(tree, table)
    found = finder.with_shared_subjects(list(finder.clauses()))
    return sorted(found, key=lambda clause: (clause.verb.index, clause.node.index))


@dataclass(frozen=True, slots=True)
class _Member:
    """A child of one of the nodes of a clause."""

    vertex: int
    node: int  # the vertex of the node that it is in
    item: HeadItem
    inside: HeadItem
    depth: int  # how many nodes of the clause are above it
    is_secondary: bool = False  # it is there by a secondary edge


@dataclass(slots=True)
class _Frame:
    """The nodes of a clause, from the top down, and their members."""

    nodes: list[int] = field(default_factory=list)
    members: list[_Member] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Case:
    """A clause whose parts are looked for."""

    frame: _Frame
    main: _Member
    verbs: Sequence[_Member]
    is_passive: bool


class _Finder:
    """Finds the clauses of one tree."""

    def __init__(self, tree: Tree, table: ClauseTable) -> None:
        self._tree = tree
        self._table = table
        self._count = len(tree.sentence)
        self._items = [HeadItem(t.tag, t.edge_label, is_punctuation(t)) for t in tree.sentence]
        self._items += [HeadItem(node.label, node.edge_label) for node in tree.nodes]
        self._vertices = {id(n): v for v, n in enumerate(tree.nodes, self._count)}
        self._children = [self._children_of(node) for node in tree.nodes]

    def _children_of(self, node: Node) -> list[int]:
        return [c if isinstance(c, int) else self._vertices[id(c)] for c in node.children]

    def clauses(self) -> Iterator[Clause]:
        joined: set[int] = set()  # nodes that belong to the clause of a node above
        for vertex in range(self._count, len(self._items)):
            if vertex in joined or not self._is("clause", vertex):
                continue
            for frame in self._frames(vertex):
                joined.update(frame.nodes[1:])
                yield from self._clauses_of(frame)

    def with_shared_subjects(self, clauses: list[Clause]) -> Iterator[Clause]:
        """Give coordinated clauses without a subject the one of the clause before them."""
        subjects: dict[int, Part] = {}  # vertex of a clause -> its subject
        for clause in clauses:  # in preorder
            vertex = clause.node.vertex
            if clause.subject is None:
                clause = replace(clause, subject=self._shared_subject(vertex, subjects))
            if clause.subject is not None:
                subjects.setdefault(vertex, clause.subject)
            yield clause

    def _shared_subject(self, vertex: int, subjects: dict[int, Part]) -> Part | None:
        rule = self._table.rule("shared", self._items[vertex], self._inside(vertex))
        if rule is None:
            return None
        above = self._tree.parents[vertex]
        before = [c for c in self._children[above - self._count] if c in subjects]
        if rule.which == "above" and self._tree.parents[above] in subjects:
            before.append(self._tree.parents[above])
        return subjects[before[0]] if before else None

    def _inside(self, vertex: int) -> HeadItem:
        above = self._tree.parents[vertex]
        return self._items[above] if above >= 0 else _NOTHING

    def _is(self, what: str, vertex: int) -> bool:
        return self._table.rule(what, self._items[vertex], self._inside(vertex)) is not None

    def _is_auxiliary(self, token: int) -> bool:
        word = self._tree.sentence[token].form
        return self._is("auxiliary", token) or self._table.has_word("auxiliary", word)

    # --- which nodes form a clause

    def _frames(self, top: int) -> Iterator[_Frame]:
        """Go down through joined nodes. Several of them in one node are coordinated."""
        waiting = [(_Frame(), top)]
        while waiting:
            frame, vertex = waiting.pop()
            frame.nodes.append(vertex)
            below = self._joined(vertex)
            frame.members += self._members(vertex, len(frame.nodes), below)
            if not below:
                yield frame
            for child in reversed(below):
                copy = frame
                if len(below) > 1:
                    copy = _Frame(list(frame.nodes), list(frame.members))
                waiting.append((copy, child))

    def _joined(self, vertex: int) -> list[int]:
        """The children that belong to the clause of this node."""
        children = self._children[vertex - self._count]
        verbs = [c for c in children if c < self._count and self._is("verb", c)]
        only_auxiliaries = all(map(self._is_auxiliary, verbs))
        found = []
        for child in children:
            rule = self._table.rule("joined", self._items[child], self._items[vertex])
            if rule and child >= self._count and (rule.which != "aux" or only_auxiliaries):
                found.append(child)
        return found

    def _members(self, vertex: int, depth: int, below: Sequence[int]) -> Iterator[_Member]:
        inside = self._items[vertex]
        for child in self._children[vertex - self._count]:
            if child not in below and not self._items[child].is_punctuation:
                yield _Member(child, vertex, self._items[child], inside, depth)
        for edge in self._tree.secondary_edges:
            if edge.parent == vertex:
                item = HeadItem(self._items[edge.child].label, edge.label)
                yield _Member(edge.child, vertex, item, inside, depth, is_secondary=True)

    # --- which parts a clause has

    def _clauses_of(self, frame: _Frame) -> Iterator[Clause]:
        verbs = [m for m in frame.members if m.vertex < self._count and not m.is_secondary]
        verbs = [m for m in verbs if self._table.rule("verb", m.item, m.inside)]
        if not verbs:
            return
        main = max(verbs, key=lambda m: (m.depth, not self._is_auxiliary(m.vertex), m.vertex))
        coordinated = self._coordinated(main, verbs)
        others = [m for m in verbs if m not in coordinated]
        rest = [m for m in frame.members if m not in verbs]
        clause = Clause(
            node=self._part(frame.nodes[0]),  # type: ignore[arg-type]
            verb=Word(self._tree, main.vertex),
            auxiliaries=tuple([Word(self._tree, m.vertex) for m in others]),
        )
        passive = self._is_passive(main, others)
        roles = self._roles(_Case(frame, main, verbs, passive), rest)
        passive = passive or self._has_passive_subject(main, roles)
        clause = self._filled(clause, roles, is_passive=passive)
        for verb in coordinated:
            yield replace(clause, verb=Word(self._tree, verb.vertex))

    def _coordinated(self, main: _Member, verbs: Sequence[_Member]) -> list[_Member]:
        """The main verb, and the verbs that a conjunction connects with it."""
        children = self._children[main.node - self._count]
        joints = [c for c in children if self._is("conjunction", c)]
        if not joints:
            return [main]
        beside = [m for m in verbs if m.node == main.node]
        return [m for m in beside if m is main or _is_between(joints, m.vertex, main.vertex)]

    def _is_passive(self, main: _Member, others: Sequence[_Member]) -> bool:
        if not self._table.rule("participle", main.item, main.inside):
            return False
        if not others:
            return self._table.has_word("passive", "*")
        inner = max(others, key=lambda m: (m.depth, m.vertex))
        return self._table.has_word("passive", self._tree.sentence[inner.vertex].form)

    def _has_passive_subject(self, main: _Member, roles: dict[str, list[_Member]]) -> bool:
        """Whether a secondary edge says that the subject is also the object of the verb."""
        if not self._table.rule("participle", main.item, main.inside):
            return False
        subjects = {m.vertex for m in roles.get("subject", ()) if not m.is_secondary}
        return any(
            edge.parent == main.node
            and edge.child in subjects
            and self._is_object(HeadItem(self._items[edge.child].label, edge.label), main)
            for edge in self._tree.secondary_edges
        )

    def _is_object(self, item: HeadItem, main: _Member) -> bool:
        rule = next((r for r in self._table.roles if r.fits(item, main.inside)), None)
        return rule is not None and rule.what == "object"

    def _roles(self, case: _Case, rest: Sequence[_Member]) -> dict[str, list[_Member]]:
        """The members in each role."""
        found: dict[str, list[_Member]] = {}
        free = [m for m in rest if not self._is_secondary_copy(m, rest)]
        found["negation"] = [m for m in free if m.vertex < self._count and self._negates(m.vertex)]
        free = [m for m in free if m not in found["negation"]]
        for rule in self._table.roles:
            if rule.which != "above":
                fit = [m for m in free if rule.fits(m.item, m.inside)]
            elif found.get(rule.what):
                continue  # the role is filled
            else:
                taken = {m.vertex for members in found.values() for m in members}
                above = self._above(case.frame.nodes[0], rule)
                fit = [m for m in above if m.vertex not in taken]
            chosen = self._chosen(rule, fit, case, bool(found.get(rule.what)))
            found.setdefault(rule.what, []).extend(chosen)
            free = [m for m in free if m not in chosen]
        return found

    def _is_secondary_copy(self, member: _Member, rest: Sequence[_Member]) -> bool:
        """Whether a secondary edge leads to a part that the clause has anyway."""
        return member.is_secondary and any(
            m.vertex == member.vertex and not m.is_secondary for m in rest
        )

    def _negates(self, token: int) -> bool:
        return self._table.has_word("negation", self._tree.sentence[token].form)

    def _above(self, top: int, rule: ClauseRule) -> list[_Member]:
        """The members that fit among the sisters of a clause."""
        above = self._tree.parents[top]
        if above < 0:
            return []
        sisters = [c for c in self._children[above - self._count] if c != top]
        members = [_Member(c, above, self._items[c], self._items[above], 0) for c in sisters]
        return [m for m in members if rule.fits(m.item, m.inside)]

    def _chosen(
        self, rule: ClauseRule, fit: Sequence[_Member], of: _Case, is_filled: bool
    ) -> Sequence[_Member]:
        verb = self._tree.sentence[of.main.vertex].form
        match rule.which:
            case "all" | "aux":
                return fit
            case "copula":
                return fit if self._table.has_word("copula", verb) else ()
            case "by":
                return [m for m in fit if of.is_passive and self._begins_with_agent(m.vertex)]
            case _ if is_filled:
                return ()
            case "two":
                after = [m for m in fit if self._first(m.vertex) > of.main.vertex]
                return after[:1] if len(after) > 1 else ()
            case "before" | "after":
                return self._beside_the_verb(rule, fit, of.frame)
            case "nominative":
                return [m for m in fit if self._is_nominative(m.vertex)][:1]
            case "finite":
                finite = [self._table.rule("finite", m.item, m.inside) for m in of.verbs]
                return fit[:1] if any(finite) else ()
        return fit[:1]

    def _begins_with_agent(self, vertex: int) -> bool:
        return self._table.has_word("agent", self._tree.sentence[self._first(vertex)].form)

    def _beside_the_verb(
        self, rule: ClauseRule, fit: Sequence[_Member], frame: _Frame
    ) -> Sequence[_Member]:
        """The nearest member before or after the verb, or the joined node, in the same node."""
        found = []
        for member in fit:
            children = self._children[member.node - self._count]
            anchors = [c for c in children if c in frame.nodes]
            anchors += [c for c in children if c < self._count and self._is("verb", c)]
            places = [self._last(c) if c in frame.nodes else c for c in anchors]
            place = self._first(member.vertex)
            if places and (rule.which == "before") == (place < max(places)):
                found.append(member)
        return found[-1:] if rule.which == "before" else found[:1]

    def _is_nominative(self, vertex: int) -> bool:
        part = self._part(vertex)
        head = part.head_token
        token = self._tree.sentence[part.tokens[0] if head is None else head]
        return bool(_NOMINATIVE.search(token.morphology))

    def _filled(
        self, clause: Clause, roles: dict[str, list[_Member]], *, is_passive: bool
    ) -> Clause:
        parts: dict[str, Any] = {"is_passive": is_passive}
        for role, name in _FIELDS.items():
            vertices = sorted({m.vertex for m in roles.get(role, ())}, key=self._first)
            parts[name] = tuple(map(self._part, vertices))
        for subject in roles.get("subject", ())[:1]:
            parts["subject"] = self._part(subject.vertex)
        return replace(clause, **parts)

    def _part(self, vertex: int) -> Part:
        if vertex < self._count:
            return Word(self._tree, vertex)
        return Constituent(self._tree, vertex - self._count)

    def _first(self, vertex: int) -> int:
        return self._part(vertex).tokens[0]

    def _last(self, vertex: int) -> int:
        return self._part(vertex).tokens[-1]


def _is_between(joints: Sequence[int], one: int, other: int) -> bool:
    return any(min(one, other) < joint < max(one, other) for joint in joints)

"""A tree that is being repaired: nodes can be moved, and bracket errors are counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from crossbranch.evaluation.pairs import Brackets, Pair
from crossbranch.span import Span, fan_out, tokens_of
from crossbranch.tree import Bracket, Node

Change = tuple[Bracket | None, Bracket | None]
"""A bracket before and after an edit; None if there is no bracket."""


@dataclass(eq=False, slots=True)
class WorkingVertex:
    """A word, a node that counts, or the top, which does not count."""

    name: str  # the tag or label in the tree
    label: str  # the label that it counts as
    span: Span
    is_word: bool = False
    parent: WorkingVertex | None = None
    children: list[WorkingVertex] = field(default_factory=list)

    @property
    def bracket(self) -> Bracket:
        """The bracket that it counts as."""
        return Bracket(self.label, self.span)

    def adopt(self, child: WorkingVertex) -> None:
        """Take a vertex from its parent, if it has one, and make it a child."""
        if child.parent is not None:
            child.parent.children.remove(child)
        child.parent = self
        self.children.append(child)
        self.children.sort(key=lambda c: c.span & -c.span)

    def dissolve(self) -> None:
        """Give the children to the parent."""
        assert self.parent is not None
        for child in list(self.children):
            self.parent.adopt(child)
        self.parent.children.remove(self)

    def lowest(self, span: Span) -> WorkingVertex:
        """Return the lowest vertex below this one that contains these tokens and others."""
        vertex = self
        while True:
            inside = [c for c in vertex.children if not span & ~c.span and c.span != span]
            if not inside:
                return vertex
            vertex = inside[0]

    def parts_of(self, span: Span) -> list[WorkingVertex]:
        """Return the children of one vertex that together have this span, or [] if none do."""
        parts = [c for c in self.lowest(span).children if c.span & span]
        return parts if sum(part.span for part in parts) == span else []

    def insert(self, bracket: Bracket) -> WorkingVertex:
        """Add a node over children of one vertex. Call this on the top."""
        place = self.lowest(bracket.span)
        new = WorkingVertex(bracket.label, bracket.label, bracket.span)
        inside = [c for c in place.children if c.span & bracket.span]
        for child in inside:
            new.adopt(child)
        place.adopt(new)
        return new


class WorkingTree:
    """The predicted tree of a pair, without deleted tokens, on its way to the gold tree."""

    def __init__(self, pair: Pair) -> None:
        self.gold: Brackets = pair.gold_brackets
        self.brackets: Brackets = Counter(pair.predicted_brackets)
        self.top = _copy(pair)

    def extra(self) -> list[Bracket]:
        """Return the brackets that are not in gold. A bracket may be repeated."""
        return list((self.brackets - self.gold).elements())

    def missing(self) -> list[Bracket]:
        """Return the gold brackets that are missing. A bracket may be repeated."""
        return list((self.gold - self.brackets).elements())

    def find(self, bracket: Bracket) -> WorkingVertex:
        """Return the node with this bracket. If there are several, return the lowest."""
        found: WorkingVertex | None = None
        inside = [self.top]
        while inside:
            vertex = inside[0]
            if vertex.bracket == bracket and vertex is not self.top and not vertex.is_word:
                found = vertex
            inside = [c for c in vertex.children if not bracket.span & ~c.span]
        assert found is not None
        return found

    def mended(self, changes: list[Change]) -> tuple[int, int]:
        """Return how many errors the changes repair, and how many discontinuous ones."""
        after: Counter[Bracket] = Counter()
        for old, new in changes:
            if old is not None:
                after[old] -= 1
            if new is not None:
                after[new] += 1
        mended = gappy = 0
        for bracket, change in after.items():
            difference = self.brackets[bracket] - self.gold[bracket]
            fewer = abs(difference) - abs(difference + change)
            mended += fewer
            gappy += fewer if fan_out(bracket.span) > 1 else 0
        return mended, gappy

    @staticmethod
    def touch_discontinuous(changes: list[Change]) -> bool:
        """Return True if a removed or new bracket is discontinuous."""
        return any(b is not None and fan_out(b.span) > 1 for change in changes for b in change)

    def apply(self, changes: list[Change]) -> None:
        """Update the counts of brackets after an edit."""
        for old, new in changes:
            if old is not None:
                self.brackets[old] -= 1
            if new is not None:
                self.brackets[new] += 1

    def common(self, one: WorkingVertex, other: WorkingVertex) -> WorkingVertex:
        """Return the lowest vertex that contains both."""
        above = _line(one)
        return next(vertex for vertex in _line(other) if vertex in above)

    def move_changes(self, parts: list[WorkingVertex], target: WorkingVertex) -> list[Change]:
        """Return the brackets that change when children of one node go to another."""
        source = parts[0].parent
        assert source is not None
        moved = sum(part.span for part in parts)
        common = self.common(source, target)
        changes: list[Change] = []
        for vertex in _line(source, below=common):
            left = vertex.span & ~moved
            changes.append((vertex.bracket, Bracket(vertex.label, left) if left else None))
        for vertex in _line(target, below=common):
            changes.append((vertex.bracket, Bracket(vertex.label, vertex.span | moved)))
        return changes

    def move(self, parts: list[WorkingVertex], target: WorkingVertex) -> None:
        """Move children of one node to another. Nodes without tokens are removed."""
        source = parts[0].parent
        assert source is not None
        moved = sum(part.span for part in parts)
        common = self.common(source, target)
        left = _line(source, below=common)
        for vertex in left:
            vertex.span &= ~moved
        for vertex in _line(target, below=common):
            vertex.span |= moved
        for part in parts:
            target.adopt(part)
        for vertex in left:
            if not vertex.span:
                vertex.dissolve()
        _sort(self.top)


def _line(vertex: WorkingVertex, below: WorkingVertex | None = None) -> list[WorkingVertex]:
    """Return a vertex and those above it, up to `below`, which is not included."""
    found: list[WorkingVertex] = []
    above: WorkingVertex | None = vertex
    while above is not None and above is not below:
        found.append(above)
        above = above.parent
    return found


def _copy(pair: Pair) -> WorkingVertex:
    tree = pair.gold if pair.predicted is None else pair.predicted
    brackets, deleted = pair.counting.of(tree), set(pair.deleted)
    number = {t: i for i, t in enumerate(t for t in tokens_of(tree.root.span) if t not in deleted)}
    top = WorkingVertex("", "", (1 << len(number)) - 1)
    stack: list[tuple[Node | int, WorkingVertex]] = [(tree.root, top)]
    while stack:
        item, parent = stack.pop()
        if isinstance(item, int):
            if item in number:
                tag = tree.sentence[item].tag
                parent.children.append(WorkingVertex(tag, "", 1 << number[item], True, parent))
            continue
        below = parent
        if bracket := brackets.get(id(item)):
            below = WorkingVertex(item.label, bracket.label, bracket.span, False, parent)
            parent.children.append(below)
        stack.extend((child, below) for child in item.children)
    _sort(top)
    return top


def _sort(top: WorkingVertex) -> None:
    stack = [top]
    while stack:
        vertex = stack.pop()
        vertex.children.sort(key=lambda c: c.span & -c.span)
        stack.extend(vertex.children)

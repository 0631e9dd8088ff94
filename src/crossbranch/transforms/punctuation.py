"""Attach punctuation, and other children of the virtual root, elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crossbranch.draft import Draft
from crossbranch.errors import UsageError
from crossbranch.punctuation import is_punctuation
from crossbranch.span import Span, fan_out, first_of, last_of, span_of
from crossbranch.transforms.discodop_punctuation import move_like_discodop, reattach
from crossbranch.transforms.transform import Transform
from crossbranch.tree import Tree

_ACTIONS = ("move", "raise", "discodop", "root", "delete")


@dataclass(frozen=True)
class Attach(Transform):
    """Attach children of the root to the lowest node that covers their left and right neighbours.

    Sources: Levy (2005, p. 163), Maier (2015), and `root_attach` of the program treetools. Children
    are attached from left to right. On the right, children of the root that follow directly are
    skipped, because they are not attached yet. A child at the beginning or the end of the sentence
    stays at the root.
    """

    name: ClassVar[str] = "attach"
    has_inverse: ClassVar[bool] = False
    nodes: bool = True  # false: attach only tokens

    def apply(self, tree: Tree) -> Tree:
        """Attach the children of the root."""
        draft = Draft(tree)
        spans = draft.spans()
        loose = [v for v in draft.children[draft.root] if self.nodes or not draft.is_node(v)]
        loose_at = {first_of(spans[vertex]): vertex for vertex in loose}
        for vertex in loose:
            left = first_of(spans[vertex]) - 1
            right = last_of(spans[vertex]) + 1
            while right in loose_at:
                right = last_of(spans[loose_at[right]]) + 1
            if left < 0 or right >= len(tree.sentence):
                continue
            target = _lowest_common_ancestor(draft, left, right)
            if target != draft.root:
                draft.move(vertex, target)
        return draft.build()


def _lowest_common_ancestor(draft: Draft, one: int, other: int) -> int:
    above = set(draft.ancestors(one))
    return next(node for node in draft.ancestors(other) if node in above)


@dataclass(frozen=True)
class Punctuation(Transform):
    """Attach punctuation elsewhere, or delete it.

    - move: to the lowest node that covers both neighbours; at an end of the sentence, like raise.
    - raise: up from the parent (or not at all) to the lowest node that covers the neighbours; at an
      end of the sentence not lower than the punctuation between it and its neighbour.
    - discodop: as disco-dop does with --punct=move. Punctuation below the root goes beside the
      largest constituent that begins after it. Then pairs of quotes and brackets are joined.
    - root: to the root.
    - delete: remove the tokens. A sentence that is only punctuation does not change.

    Neighbours are the nearest tokens that are not punctuation. After move, no node has a gap that
    consists only of punctuation. With move and raise, a continuous constituent that consists only
    of punctuation is moved as a whole. Other nodes without tokens are removed.
    """

    name: ClassVar[str] = "punctuation"
    has_inverse: ClassVar[bool] = False
    action: str  # move, raise, discodop, root, delete

    def __post_init__(self) -> None:
        """Check the options."""
        if self.action not in _ACTIONS:
            expected = ", ".join(_ACTIONS)
            raise UsageError(f"punctuation: {self.action!r} is unknown, expected one of {expected}")

    def apply(self, tree: Tree) -> Tree:
        """Attach or delete the punctuation."""
        marks = [i for i, token in enumerate(tree.sentence) if is_punctuation(token)]
        if not marks or (self.action == "delete" and len(marks) == len(tree.sentence)):
            return tree
        draft = Draft(tree)
        if self.action == "delete":
            for mark in marks:
                draft.remove(mark)
        elif self.action == "discodop":
            move_like_discodop(draft, marks)
        elif self.action == "root":
            for mark in marks:
                reattach(draft, mark, draft.root)
        else:
            _move_all(draft, marks, lower=self.action == "move")
        return draft.build()


def _move_all(draft: Draft, marks: list[int], *, lower: bool) -> None:
    """Attach punctuation near its neighbours; only with `lower` also below its parent."""
    spans = draft.spans()
    words = ((1 << len(draft.tokens)) - 1) & ~span_of(marks)
    initial: list[int] = []
    final: list[int] = []
    for vertex in _units(draft, marks, spans, words):
        left = last_of(words & ((1 << first_of(spans[vertex])) - 1))
        right = first_of(words >> last_of(spans[vertex]) << last_of(spans[vertex]))
        if left < 0:
            initial.insert(0, vertex)
        elif right < 0:
            final.append(vertex)
        else:
            covered = 1 << left | 1 << right
            start = left if lower else vertex
            reattach(draft, vertex, _lowest_above(draft, start, covered, spans))
    if words:
        _raise_outwards(draft, initial, first_of(words), spans)
        _raise_outwards(draft, final, last_of(words), spans)


def _raise_outwards(draft: Draft, units: list[int], word: int, spans: dict[int, Span]) -> None:
    """Raise what is between a word and an end of the sentence, the farther the higher."""
    above = draft.ancestors(word)
    height = 0
    for vertex in units:
        lowest = _lowest_above(draft, vertex, 1 << word, spans)
        height = max(height, above.index(lowest))
        reattach(draft, vertex, above[height])


def _units(draft: Draft, marks: list[int], spans: dict[int, Span], words: Span) -> list[int]:
    """Return what moves as a whole: tokens, and the largest continuous nodes with only these."""
    units: dict[int, None] = {}
    for vertex in marks:
        while (parent := draft.parents[vertex]) != draft.root:
            if spans[parent] & words or fan_out(spans[parent]) > 1:
                break
            vertex = parent
        units[vertex] = None
    return list(units)


def _lowest_above(draft: Draft, vertex: int, covered: Span, spans: dict[int, Span]) -> int:
    """Return the lowest node above a vertex that covers some words, which are never moved."""
    node = draft.parents[vertex]
    while covered & ~spans[node]:
        node = draft.parents[node]
    return node

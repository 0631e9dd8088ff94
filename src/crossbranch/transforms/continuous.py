"""Discontinuous trees as continuous ones: every discontinuous node becomes one node per block.

`Split` numbers the blocks, and `Boyd` marks them with stars. This file has the code for both. To
undo, blocks are joined by their labels, or by a feature if labels are not enough.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from crossbranch.draft import Draft, order_children_first
from crossbranch.errors import UsageError
from crossbranch.escape import label_escaper, unescape
from crossbranch.span import Span, blocks, first_of
from crossbranch.transforms.memory import recall, remember
from crossbranch.transforms.transform import Transform
from crossbranch.tree import SecondaryEdge, Tree

SiblingLabels = Sequence[str | None]
"""The labels of siblings from left to right; None for tokens."""


def head_tokens(draft: Draft, spans: dict[int, Span]) -> dict[int, int]:
    """Return the token that each vertex is headed by; it says which block is the head's.

    If a head is not marked, the first token of the largest block stands for it.
    """
    found = {token: token for token in draft.tokens}
    for vertex in order_children_first(draft.root, draft.children):
        children, head = draft.children[vertex], draft.heads[vertex]
        if head is None and len(children) == 1:
            head = children[0]
        if head is not None:
            found[vertex] = found[head]
        elif children:
            found[vertex] = max(blocks(spans[vertex]), key=lambda block: block[1] - block[0])[0]
    return found


def block_spans(span: Span) -> list[Span]:
    """Return each block of a span as a span of its own."""
    return [(1 << stop) - (1 << start) for start, stop in blocks(span)]


def part_spans(draft: Draft, spans: dict[int, Span], most: int) -> dict[int, list[Span]]:
    """Return the spans of the parts that each node is split into, from left to right.

    A part has at most `most` blocks, and lies in one part of the parent.
    """
    found = {draft.root: [spans[draft.root]]}
    open_vertices = [draft.root]
    while open_vertices:
        vertex = open_vertices.pop()
        for child in draft.children[vertex]:
            if not draft.is_node(child):
                continue
            found[child] = []
            for part in found[vertex]:
                blocks_there = block_spans(spans[child] & part)
                for start in range(0, len(blocks_there), most):
                    found[child].append(sum(blocks_there[start : start + most]))
            found[child].sort(key=first_of)
            open_vertices.append(child)
    return found


def split_nodes(draft: Draft, spans: dict[int, Span], most: int = 1) -> dict[int, list[int]]:
    """Split every node with more than `most` blocks; return its parts from left to right.

    All parts keep label and edge label. The head's part stays the vertex that it was, with its
    features, secondary edges and head mark. `spans` is brought up to date.
    """
    heads = head_tokens(draft, spans)
    wanted = part_spans(draft, spans, most)
    parts: dict[int, list[int]] = {}
    for vertex in order_children_first(draft.root, draft.children):
        if len(wanted.get(vertex, ())) < 2:
            continue
        parts[vertex] = []
        for block in wanted[vertex]:
            part = vertex
            if not block >> heads[vertex] & 1:
                members = [child for child in draft.children[vertex] if spans[child] & block]
                part = draft.add(
                    draft.labels[vertex],
                    draft.parents[vertex],
                    members,
                    edge_label=draft.edge_labels[vertex],
                )
            spans[part] = block
            parts[vertex].append(part)
    return parts


class BlockSplit(Transform):
    """Splits discontinuous nodes; a subclass says how blocks are labelled and found again."""

    blocks: int = 1
    """How many blocks a part may have."""
    looks_marked: ClassVar[str]
    """A pattern for the character that would make a treebank's own label look like a block's."""

    @abstractmethod
    def block_label(self, label: str, number: int, is_head: bool) -> str:
        """Return the label of a block; the first has number 1."""

    @abstractmethod
    def whole_label(self, label: str) -> str:
        """Return the label without the mark of a block, if there is one."""

    @abstractmethod
    def group(self, labels: SiblingLabels) -> list[list[int]]:
        """Return the places of the siblings that are blocks of one node, by labels alone."""

    def apply(self, tree: Tree) -> Tree:
        """Return the continuous tree."""
        escape = label_escaper(self.looks_marked)
        if not tree.is_discontinuous and all(escape(n.label) == n.label for n in tree.nodes):
            return tree
        draft = Draft(tree)
        for vertex, label in draft.labels.items():
            draft.labels[vertex] = escape(label)
        spans = draft.spans()
        parts = split_nodes(draft, spans, self.blocks)
        for vertex, blocks_of_it in parts.items():
            for number, part in enumerate(blocks_of_it, 1):
                draft.labels[part] = self.block_label(draft.labels[part], number, part == vertex)
        self._remember_blocks(draft, parts, spans)
        return draft.build()

    def _remember_blocks(
        self, draft: Draft, parts: dict[int, list[int]], spans: dict[int, Span]
    ) -> None:
        """Store which blocks belong together, if labels alone are not enough."""
        siblings: defaultdict[int, list[int]] = defaultdict(list)
        whole = {part: vertex for vertex, found in parts.items() for part in found}
        for vertex in parts:
            parent = draft.parents[vertex]
            siblings[whole.get(parent, parent)].append(vertex)
        for parent, split in siblings.items():
            family = [v for part in parts.get(parent, [parent]) for v in draft.children[part]]
            family.sort(key=lambda vertex: first_of(spans[vertex]))
            guess = [[family[place] for place in group] for group in self._guess(draft, family)]
            if sorted(guess) != sorted(parts[vertex] for vertex in split):
                for vertex in split:
                    for part in parts[vertex]:
                        draft.features[part] = remember(draft.features[part], self._memory, vertex)

    @property
    def _memory(self) -> str:
        return f"{self.name}.node"

    def _guess(self, draft: Draft, family: Sequence[int]) -> list[list[int]]:
        return self.group([draft.labels.get(vertex) for vertex in family])

    def undo(self, tree: Tree) -> Tree:
        """Return the tree with the blocks of each node merged; no label keeps a mark."""
        if all(self._restore(node.label) == node.label for node in tree.nodes):
            return tree
        draft = Draft(tree)
        spans = draft.spans()
        merged: dict[int, int] = {}
        stack = [draft.root]
        while stack:  # parents first: their blocks bring the blocks of a child together
            parent = stack.pop()
            family = sorted(draft.children[parent], key=lambda vertex: first_of(spans[vertex]))
            for group in self._groups(draft, family):
                _merge(draft, group)
                merged |= dict.fromkeys(group, group[0])
            stack.extend(child for child in draft.children[parent] if draft.is_node(child))
        for vertex, label in draft.labels.items():
            draft.labels[vertex] = self._restore(label)
        draft.secondary_edges = [
            SecondaryEdge(label, merged.get(child, child), merged.get(parent, parent))
            for label, child, parent in draft.secondary_edges
        ]
        return draft.build()

    def _restore(self, label: str) -> str:
        return unescape(self.whole_label(label))

    def _groups(self, draft: Draft, family: list[int]) -> list[list[int]]:
        """Return the siblings that belong together: first by features, then by labels."""
        known: defaultdict[int, list[int]] = defaultdict(list)
        for vertex in family:
            if draft.is_node(vertex):
                whole, _ = recall(draft.features[vertex], self._memory)
                if isinstance(whole, int):
                    known[whole].append(vertex)
        groups = [group for group in known.values() if self._has_mark(draft, group)]
        for group in groups:
            for vertex in group:
                draft.features[vertex] = recall(draft.features[vertex], self._memory)[1]
        told = {vertex for group in groups for vertex in group}
        rest = [vertex for vertex in family if vertex not in told]
        return groups + [[rest[place] for place in group] for group in self._guess(draft, rest)]

    def _has_mark(self, draft: Draft, group: list[int]) -> bool:
        return any(self.whole_label(draft.labels[v]) != draft.labels[v] for v in group)


@dataclass(frozen=True)
class Split(BlockSplit):
    """Make one node of each block of a discontinuous node: `NP*1`, `NP*2`, ...

    With `blocks=2`, only nodes with more than two blocks are split, into parts of at most two. A
    child whose blocks are in different parts of its parent is split, too.

    If only labels are known, `undo` joins `NP*2` with the nearest `NP*1` to its left that has the
    same parent and no `NP*2` yet, and so on. A block without a partner only loses its number.
    """

    name: ClassVar[str] = "split"
    looks_marked: ClassVar[str] = r"\*(?=[1-9][0-9]{0,8}\Z)"

    blocks: int = 1

    def __post_init__(self) -> None:
        """Check the option."""
        if self.blocks < 1:
            raise UsageError(f"split: blocks is {self.blocks}, expected at least 1")

    def block_label(self, label: str, number: int, is_head: bool) -> str:
        """Return the label with its number."""
        return f"{label}*{number}"

    def whole_label(self, label: str) -> str:
        """Return the label without its number."""
        match = _NUMBERED.match(label)
        return match[1] if match else label

    def group(self, labels: SiblingLabels) -> list[list[int]]:
        """Return the places of blocks with the same label and consecutive numbers."""
        groups: list[list[int]] = []
        awaited: defaultdict[tuple[str, int], list[list[int]]] = defaultdict(list)
        for place, label in enumerate(labels):
            match = None if label is None else _NUMBERED.match(label)
            if match is None:
                continue
            name, number = match[1], int(match[2])
            if awaited[name, number]:
                group = awaited[name, number].pop()
            else:
                group = []
                groups.append(group)
            group.append(place)
            awaited[name, number + 1].append(group)
        return [group for group in groups if len(group) > 1]


_NUMBERED = re.compile(r"(.*)\*([1-9][0-9]{0,8})\Z", re.DOTALL)


def _merge(draft: Draft, group: Sequence[int]) -> None:
    """Make one node of several siblings: the first gets the children of the others."""
    first, *others = group
    parent = draft.parents[first]
    if draft.heads[parent] in others:
        draft.heads[parent] = first
    for part in others:
        head = draft.heads[part]
        for child in list(draft.children[part]):
            draft.move(child, first)
        if draft.heads[first] is None:
            draft.heads[first] = head
        names = {name for name, _ in draft.features[first]}
        more = [pair for pair in draft.features[part] if pair[0] not in names]
        draft.features[first] = tuple(sorted((*draft.features[first], *more)))
        draft.remove(part)

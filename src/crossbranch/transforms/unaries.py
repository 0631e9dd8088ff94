"""Make one node of a chain of nodes with one child each: `S -> VP -> X Y` becomes `S+VP -> X Y`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from crossbranch.draft import Draft
from crossbranch.transforms.joining import check_joiner, join, split
from crossbranch.transforms.memory import recall, recalling, remember
from crossbranch.transforms.transform import Transform
from crossbranch.tree import Features, SecondaryEdge, Tree

_CHAIN = "unaries.chain"
_EDGES = "unaries.secondary_edges"

Chain = list[int]
"""Vertices from the top down, each the only child of the one before; a token is the last."""


@dataclass(frozen=True)
class Unaries(Transform):
    """Collapse unary chains into one node; with `terminals`, also into the tag of a single token.

    A joiner inside a label is escaped, so that `undo` can split chains again. The lowest node or
    token of a chain is kept, with the edge label of the highest. The root is part of a chain only
    with `root`: then `ROOT -> S -> X Y` becomes `ROOT+S -> X Y`. It never becomes part of a tag.
    """

    name: ClassVar[str] = "unaries"
    joiner: str = "+"
    terminals: bool = False
    root: bool = False

    def __post_init__(self) -> None:
        """Check the options."""
        check_joiner(self.name, "joiner", self.joiner)

    def apply(self, tree: Tree) -> Tree:
        """Collapse the chains."""
        draft = Draft(tree)
        place: dict[int, tuple[int, int]] = {}  # vertex: what it became a part of, how far down
        top = _root_chain(draft) if self.root else []
        for depth, vertex in enumerate(top):
            place[vertex] = (draft.root, depth)
        if top:
            _collapse_root(draft, top, self.joiner)
        for chain in _find_chains(draft, self.terminals):
            _collapse(draft, chain, self.joiner)
            place |= {vertex: (chain[-1], depth) for depth, vertex in enumerate(chain)}
        moved = _move_edges(draft, place)
        return draft.build(features=remember(tree.features, _EDGES, moved or None))

    def undo(self, tree: Tree) -> Tree:
        """Restore the chains."""
        draft = Draft(tree)
        with recalling(self.name):
            collapsed = [v for v in draft.parents if self.terminals or draft.is_node(v)]
            chains = {vertex: _restore(draft, vertex, self.joiner) for vertex in collapsed}
            if self.root:
                chains[draft.root] = _restore_root(draft, self.joiner)
            moved, features = recall(tree.features, _EDGES)
            _move_edges_back(draft, chains, moved or [])
        return draft.build(features=features)


def _root_chain(draft: Draft) -> Chain:
    """Return the chain from the root down, without a token."""
    chain = [draft.root]
    while len(below := draft.children[chain[-1]]) == 1 and draft.is_node(below[0]):
        chain.append(below[0])
    return chain


def _find_chains(draft: Draft, terminals: bool) -> list[Chain]:
    """Return all chains, from those of one vertex up."""
    chains: list[Chain] = []
    for vertex, parent in draft.parents.items():
        if not terminals and not draft.is_node(vertex):
            continue
        if parent != draft.root and len(draft.children[parent]) == 1:
            continue  # not the top of its chain
        chain = [vertex]
        while len(below := draft.children.get(chain[-1], [])) == 1:
            if not terminals and not draft.is_node(below[0]):
                break
            chain.append(below[0])
        chains.append(chain)
    return chains


def _collapse(draft: Draft, chain: Chain, joiner: str) -> None:
    """Leave only the lowest vertex of a chain."""
    *upper, lowest = chain
    above = draft.parents[chain[0]]
    was_head = draft.heads[above] == chain[0]
    edge_label = draft.edge_label(chain[0])
    label = join([_label(draft, vertex) for vertex in chain], joiner)
    forgotten = _forgotten(draft, chain)
    for vertex in upper:
        draft.splice(vertex)
    if was_head:
        draft.heads[above] = lowest
    _change(draft, lowest, label, edge_label, remember(_features(draft, lowest), _CHAIN, forgotten))


def _restore(draft: Draft, lowest: int, joiner: str) -> Chain:
    """Put the chain above a vertex back, and return it."""
    forgotten, features = recall(_features(draft, lowest), _CHAIN)
    *labels, label = split(_label(draft, lowest), joiner)
    edge_label = draft.edge_label(lowest)
    above = parent = draft.parents[lowest]
    was_head = draft.heads[above] == lowest
    chain: Chain = []
    for upper in labels:
        parent = draft.add(upper, parent)
        chain.append(parent)
    if chain:
        draft.move(lowest, parent)
    chain.append(lowest)
    if was_head:
        draft.heads[above] = chain[0]
    _change(draft, lowest, label, "", features)
    draft.set_edge_label(chain[0], edge_label)
    _complete(draft, chain, dict(forgotten or {}))
    return chain


def _collapse_root(draft: Draft, chain: Chain, joiner: str) -> None:
    """Leave only the root of its chain: a draft has one, whose vertex stays."""
    root, lowest = draft.root, chain[-1]
    label = join([draft.labels[vertex] for vertex in chain], joiner)
    features = remember(draft.features[lowest], _CHAIN, _forgotten(draft, chain))
    head = draft.heads[lowest]
    for vertex in chain[1:]:
        draft.splice(vertex)
    draft.heads[root] = head
    draft.labels[root], draft.features[root] = label, features


def _restore_root(draft: Draft, joiner: str) -> Chain:
    """Put the chain below the root back, and return it."""
    root = draft.root
    forgotten, features = recall(draft.features[root], _CHAIN)
    label, *labels = split(draft.labels[root], joiner)
    head = draft.heads[root]
    children = list(draft.children[root])
    chain: Chain = [root]
    for lower in labels:
        chain.append(draft.add(lower, chain[-1]))
    for child in children:
        draft.move(child, chain[-1])
    draft.heads[chain[-1]] = head
    draft.labels[root], draft.features[root] = label, ()
    draft.features[chain[-1]] = features
    _complete(draft, chain, dict(forgotten or {}))
    return chain


def _forgotten(draft: Draft, chain: Chain) -> dict[str, Any] | None:
    """Return what the joined label does not say about a chain, the parts that are not empty."""
    parts: dict[str, list[Any]] = {
        "edge_labels": [draft.edge_label(vertex) for vertex in chain[1:]],
        "heads": [draft.heads[vertex] is not None for vertex in chain[:-1]],
        "features": [draft.features[vertex] for vertex in chain[:-1]],
    }
    return {name: part for name, part in parts.items() if any(part)} or None


def _complete(draft: Draft, chain: Chain, forgotten: Mapping[str, list[Any]]) -> None:
    """Give a chain what its labels do not say."""
    if "edge_labels" in forgotten:
        for vertex, edge_label in zip(chain[1:], forgotten["edge_labels"], strict=True):
            draft.set_edge_label(vertex, edge_label)
    if "heads" in forgotten:
        for vertex, below, marked in zip(chain, chain[1:], forgotten["heads"], strict=False):
            draft.heads[vertex] = below if marked else None
    if "features" in forgotten:
        for vertex, features in zip(chain[:-1], forgotten["features"], strict=True):
            draft.features[vertex] = tuple((name, value) for name, value in features)


def _move_edges(draft: Draft, place: Mapping[int, tuple[int, int]]) -> list[list[int]]:
    """Let secondary edges end at what is left of a chain; return which ones moved, from where."""
    moved = []
    for index, (label, child, parent) in enumerate(draft.secondary_edges):
        new_child, child_depth = place.get(child, (child, 0))
        new_parent, parent_depth = place.get(parent, (parent, 0))
        if (new_child, new_parent) != (child, parent):
            draft.secondary_edges[index] = SecondaryEdge(label, new_child, new_parent)
            moved.append([index, child_depth, parent_depth])
    return moved


def _move_edges_back(
    draft: Draft, chains: Mapping[int, Chain], moved: Sequence[Sequence[int]]
) -> None:
    for index, child_depth, parent_depth in moved:
        label, child, parent = draft.secondary_edges[index]
        child = chains.get(child, [child])[child_depth]
        parent = chains.get(parent, [parent])[parent_depth]
        draft.secondary_edges[index] = SecondaryEdge(label, child, parent)


def _label(draft: Draft, vertex: int) -> str:
    return draft.labels[vertex] if draft.is_node(vertex) else draft.tokens[vertex].tag


def _features(draft: Draft, vertex: int) -> Features:
    return draft.features[vertex] if draft.is_node(vertex) else draft.tokens[vertex].features


def _change(draft: Draft, vertex: int, label: str, edge_label: str, features: Features) -> None:
    if draft.is_node(vertex):
        draft.labels[vertex] = label
        draft.edge_labels[vertex] = edge_label
        draft.features[vertex] = features
    else:
        token = draft.tokens[vertex]
        draft.tokens[vertex] = token._replace(tag=label, edge_label=edge_label, features=features)

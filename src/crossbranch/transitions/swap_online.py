"""Oracles of SR-SWAP that swap nodes as well as tokens.

They differ in when two items may be swapped: *eager* (Nivre 2009, Versley 2014) as soon as they are
in the wrong order, *lazy* (Nivre et al. 2009, Versley 2014) and *lazier* (Stanojević & Alhama 2017)
when no constituent can be completed first.
"""

from __future__ import annotations

from collections.abc import Callable

from crossbranch import span as spans
from crossbranch.transitions.gold import BinaryGold
from crossbranch.transitions.moves import Moves, Walk
from crossbranch.transitions.swap import order_tokens

SwapAllowed = Callable[[int, int, int], bool]
"""Whether s1 and s0, before b0 (-1: an empty queue), may be swapped."""


def eager(gold: BinaryGold, walk: Walk, moves: Moves) -> None:
    """Until the tree is complete:

    1. reduce the two top items of the stack if they have the same parent, else
    2. reduce the top item if it is the only child of its parent, else
    3. SWAP s1 back to the queue if s0 stands before it in the continuous order of the tree, else
    4. SHIFT.

    Then FINISH.
    """  # noqa: D415 - the schema
    rank = _ranks(gold)
    _online(gold, walk, moves, lambda s1, s0, _: rank[s0] < rank[s1])


def lazy(gold: BinaryGold, walk: Walk, moves: Moves) -> None:
    """As `eager`, but swap only if s0 and b0 are not in the same maximal fully projective node.

    Such a node is built first, because nothing below it needs a swap. (Fully projective: neither
    the node nor any node below it is discontinuous. Maximal: its parent is not fully projective.)
    """
    rank, maximal = _ranks(gold), _maximal_projective(gold)

    def allowed(s1: int, s0: int, b0: int) -> bool:
        return rank[s0] < rank[s1] and (b0 < 0 or maximal[s0] != maximal[b0])

    _online(gold, walk, moves, allowed)


def lazier(gold: BinaryGold, walk: Walk, moves: Moves) -> None:
    """As `eager`, but swap only if the closest projective nodes above s0 and s1 are the same.

    If they differ, one of them can be built first, with swaps inside it if needed.
    """
    rank, closest = _ranks(gold), _closest_projective(gold)

    def allowed(s1: int, s0: int, b0: int) -> bool:
        return rank[s0] < rank[s1] and closest[s0] == closest[s1]

    _online(gold, walk, moves, allowed)


def _online(gold: BinaryGold, walk: Walk, moves: Moves, allowed: SwapAllowed) -> None:
    """Follow the schema of `eager`; swaps in a row are counted before they are taken."""
    take, configuration = walk.take, walk.configuration
    parents, siblings, joins = gold.parents, gold.siblings, gold.joins
    # The gold vertex of each vertex in the configuration; -1 ("no item") stays -1.
    vertices: list[int] = [*range(gold.size), -1]

    def item(depth: int) -> int:
        return vertices[configuration.stack_item(depth)]

    def front() -> int:
        return vertices[configuration.queue_item(0)]

    focus = -1
    while focus < 0 or parents[focus] >= 0:
        s1 = item(0)
        other = siblings[focus]
        if focus >= 0 and (other < 0 or other == s1):
            take(joins[focus] if other < 0 else joins[other])
            focus = parents[focus]
            vertices.insert(-1, focus)
            continue
        swapped: list[int] = []
        while s1 >= 0 and s1 != other and allowed(s1, focus, swapped[-1] if swapped else front()):
            swapped.append(s1)
            s1 = item(len(swapped))
        if swapped:
            for transition in moves.move_items(len(swapped)):
                take(transition)
        else:
            focus = front()
            take(moves.shift)
    take(moves.finish)


def _ranks(gold: BinaryGold) -> list[int]:
    """Return the position of each vertex in the continuous order, by its first token."""
    order = order_tokens(gold)
    rank = [0] * gold.size
    for place, token in enumerate(order):
        rank[token] = place
    return rank + [rank[spans.first_of(node.span)] for node in gold.nodes]


def _maximal_projective(gold: BinaryGold) -> list[int]:
    """Return for each vertex its maximal fully projective node; without one, the vertex itself."""
    size, parents = gold.size, gold.parents
    projective = [True] * size + [not node.is_discontinuous for node in gold.nodes]
    for vertex in range(len(parents) - 1, size, -1):  # children have higher numbers
        if not projective[vertex]:
            projective[parents[vertex]] = False
    maximal = list(range(len(parents)))
    for vertex in (*range(size + 1, len(parents)), *range(size)):
        if projective[parents[vertex]]:
            maximal[vertex] = maximal[parents[vertex]]
    return maximal


def _closest_projective(gold: BinaryGold) -> list[int]:
    """Return for each vertex the lowest node above it that is continuous; -1 for the root."""
    size, parents, nodes = gold.size, gold.parents, gold.nodes
    closest = [-1] * len(parents)
    for vertex in (*range(size + 1, len(parents)), *range(size)):
        parent = parents[vertex]
        is_gapped = nodes[parent - size].is_discontinuous
        closest[vertex] = closest[parent] if is_gapped else parent
    return closest

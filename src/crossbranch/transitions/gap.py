"""The oracle of SR-GAP and SR-CGAP (Coavoux & Crabbé 2017, sections 2.3 and 2.4)."""

from __future__ import annotations

from crossbranch.errors import TransformError
from crossbranch.transitions.gold import BinaryGold
from crossbranch.transitions.moves import Moves, Walk


def static(gold: BinaryGold, walk: Walk, moves: Moves) -> None:
    """Visit the nodes in the only possible order: by last token, children first.

    Until the tree is complete:

    - if the top of S and the top of D have the same parent, reduce them to it;
    - if the top of D and the i-th item of S have the same parent, GAP i - 1 times;
    - otherwise SHIFT; if the parent of the new top of D has only one child, reduce it to that.

    In SR-CGAP, a GHOST follows a SHIFT if no unary reduction does, and every binary reduction comes
    after one GAP, which may have size 0.
    """
    _check_unaries(gold)
    take, item = walk.take, walk.configuration.stack_item
    parents, siblings, joins = gold.parents, gold.siblings, gold.joins
    vertices = list(range(gold.size))  # the gold vertex of each vertex in the configuration
    is_made = bytearray(len(parents))
    for focus in range(gold.size):
        take(moves.shift)
        if siblings[focus] < 0:
            take(joins[focus])
            focus = parents[focus]
            vertices.append(focus)
        elif moves.is_compound:
            take(moves.ghost)
        is_made[focus] = True
        while (other := siblings[focus]) >= 0 and is_made[other]:
            depth = 0
            while vertices[item(depth)] != other:
                depth += 1
            if depth or moves.is_compound:
                for transition in moves.move_items(depth):
                    take(transition)
            take(joins[other])
            focus = parents[focus]
            vertices.append(focus)
            is_made[focus] = True


def _check_unaries(gold: BinaryGold) -> None:
    for vertex in range(gold.size + 1, len(gold.parents)):
        if gold.siblings[vertex] < 0:
            label = gold.nodes[gold.parents[vertex] - gold.size].label
            raise TransformError(
                f"{label} is a unary node above another; join them first, with unaries(root=true)"
            )

"""The strict oracle of SR-SWAP and SR-CSWAP (Maier 2015, section 2.3), and their unary chains."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from crossbranch.transitions.gold import BinaryGold
from crossbranch.transitions.moves import Moves, Walk
from crossbranch.tree import Node, Tree

_LEAST, _MOST = 3, 250  # unary nodes in a chain; the core stores the number in one byte


def strict(gold: BinaryGold, walk: Walk, moves: Moves) -> None:
    """Build the tree from left to right, one node after the other. Only tokens are swapped.

    Until the tree is complete:

    1. reduce while possible: the two top items of the stack if they have the same parent, or the
       top item if it is the only child of its parent;
    2. SHIFT until the next token of the tree (children in the order of their first tokens) is on
       top of the stack, and SWAP the other tokens that were shifted back to the queue.

    Then FINISH.
    """
    take = walk.take
    parents, siblings, joins = gold.parents, gold.siblings, gold.joins
    waiting = list(range(gold.size))  # the tokens of the queue; they are always in order
    is_made = bytearray(len(parents))
    for token in order_tokens(gold):
        passed = 0 if waiting[0] == token else bisect_left(waiting, token)
        del waiting[passed]
        for _ in range(passed + 1):
            take(moves.shift)
        if passed:
            for transition in moves.move_items(passed):
                take(transition)
        top = token
        while parents[top] >= 0:
            other = siblings[top]
            if other < 0:
                take(joins[top])
            elif is_made[other]:
                take(joins[other])
            else:
                break
            top = parents[top]
        is_made[top] = True
    take(moves.finish)


def order_tokens(gold: BinaryGold) -> list[int]:
    """Return the tokens in the order that makes the tree continuous: children by first token."""
    order: list[int] = []
    stack: list[Node | int] = [gold.nodes[0]]
    while stack:
        item = stack.pop()
        if isinstance(item, int):
            order.append(item)
        else:
            stack.extend(reversed(item.children))
    return order


@dataclass(frozen=True)
class UnaryChains:
    """The unary chains that a system with unary reductions must allow, without the root."""

    limit: int = _LEAST  # the length of the longest chain
    repeats: bool = False  # whether a node has an only child with the same label

    @classmethod
    def of(cls, trees: Iterable[Tree]) -> UnaryChains:
        """Collect them from trees."""
        longest, repeats = _LEAST, False
        for tree in trees:
            above: dict[int, int] = {}  # the number of unary nodes directly above a node
            for node in tree.nodes:
                if len(node.children) != 1:
                    continue
                count = above.get(id(node), 0) + (node is not tree.root)
                longest = max(longest, count)
                child = node.children[0]
                if isinstance(child, Node):
                    above[id(child)] = count
                    repeats |= child.label == node.label and node is not tree.root
        return cls(min(longest, _MOST), repeats)

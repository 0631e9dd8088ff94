"""The order in which the children of a node are joined, two at a time.

Children are items 0 .. k-1, ordered by first token; join m makes item k + m of two items, and the
last one makes the node itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from crossbranch import _core
from crossbranch import span as spans
from crossbranch.span import Block
from crossbranch.tree import Node

Join = tuple[int, int]
"""(what is there already, what is added to it)."""


def head_outward(node: Node) -> list[Join]:
    """From the head, which must be marked: the left siblings, nearest first, then the right ones.

    Coavoux & Crabbé (2017) and Maier (2015) both do so: of `S(VP wollen* wir)`, the head `wollen`
    and `VP` are joined first.
    """
    head, count = node.head, len(node.children)
    assert head is not None
    return _chain(head, (*range(head - 1, -1, -1), *range(head + 1, count)), count)


def left(node: Node) -> list[Join]:
    """From left to right: `((a b) c) d`."""
    count = len(node.children)
    return _chain(0, range(1, count), count)


def right(node: Node) -> list[Join]:
    """From right to left: `a (b (c d))`."""
    count = len(node.children)
    return _chain(count - 1, range(count - 2, -1, -1), count)


def optimal(node: Node) -> list[Join]:
    """Keep the largest fan-out as small as possible, and then the sum of fan-outs.

    If there are too many ways to join, neighbours with the smallest fan-out are joined first.
    """
    count = len(node.children)
    joins, _ = _core.optimal_binarization([_blocks(child) for child in node.children])
    # What is added to an item that is there already is a child, where one of the two is.
    return [(two, one) if one < count <= two else (one, two) for one, two in joins]


ORDERS: dict[str, Callable[[Node], list[Join]]] = {
    "head-outward": head_outward,
    "left": left,
    "optimal": optimal,
    "right": right,
}


def _chain(first: int, rest: Iterable[int], count: int) -> list[Join]:
    joins: list[Join] = []
    for item, child in enumerate(rest, count):
        joins.append((first, child))
        first = item
    return joins


def _blocks(child: Node | int) -> list[Block]:
    return [(child, child + 1)] if isinstance(child, int) else spans.blocks(child.span)

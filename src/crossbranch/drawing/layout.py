"""The layout of a drawing: columns, levels and panels, the same for every kind of drawing.

Tokens are side by side in their order, each with its own columns. A node is on a higher level than
its children, above one of its own blocks. Below the node, a bar goes from its first to its last
child, and a line goes down from the bar to each child. Two rules make every line easy to follow:

- All nodes in the columns of a token contain this token. So no line goes through the label of
  another node, no two lines share a column, and a line never crosses a bar where it branches.
- Bars on the same level have no column in common.

Lengths are whole units: cells of a terminal, or points of a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.tree import Tree

Range = tuple[int, int]
"""Half-open: (start, stop)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The positions of all vertices, in the order of their numbers."""

    columns: tuple[int, ...]
    """The column of each vertex: its line is there, and its text is centred on it."""

    levels: tuple[int, ...]
    """The level of each vertex: tokens are at 0, and a node is higher than its children."""

    bars: tuple[Range, ...]
    """For each node, the columns that its bar fills."""

    panels: tuple[Range, ...]
    """The columns of each panel. Without a width, there is only one panel.

    The first panel has the first tokens, even if they are at the right.
    """


@door
def lay_out(
    tree: Tree,
    widths: Sequence[int],
    *,
    gap: int,
    width: int | None = None,
    right_to_left: bool = False,
) -> Layout:
    """Give every vertex its position.

    Args:
        tree: The tree to draw.
        widths: The width of the text at each vertex.
        gap: The free space between two tokens.
        width: The maximal width of a panel. Only a single wide token can exceed it.
        right_to_left: Put the first token at the right.
    """
    size = len(tree.sentence)
    if len(widths) != size + len(tree.nodes):
        count = size + len(tree.nodes)
        raise UsageError(f"{len(widths)} widths were given, expected {count}: one for each vertex")
    children = _children(tree)
    needs = _needs(size, children, widths)
    rooms = _rooms(tree, needs)
    panels = _panels(_bounds(rooms, gap), width)
    if right_to_left:
        rooms.reverse()
        panels = [_mirrored(panel, size) for panel in panels]
    bounds = _bounds(rooms, gap)
    places = [(start + stop - 1) // 2 for start, stop in pairwise(bounds)]
    columns = places[:: -1 if right_to_left else 1] + [0] * len(tree.nodes)
    bars: list[Range] = [(0, 0)] * len(tree.nodes)
    for number in reversed(range(len(tree.nodes))):
        below = [columns[child] for child in children[number]]
        blocks: list[Range] = tree.nodes[number].blocks
        if right_to_left:
            blocks = [_mirrored(block, size) for block in blocks]
        pieces = _pieces(blocks, bounds, gap, panels)
        column = _column(below, needs[size + number], pieces)
        columns[size + number] = column
        bars[number] = (min([column, *below]), max([column, *below]) + 1)
    return Layout(
        columns=tuple(columns),
        levels=_levels(size, children, bars),
        bars=tuple(bars),
        panels=tuple((max(bounds[first], 0), bounds[stop]) for first, stop in panels)
        or ((0, widths[size]),),
    )


def token_rooms(tree: Tree, widths: Sequence[int]) -> list[int]:
    """Return the room of each token, so that all texts at the vertices above it fit."""
    return _rooms(tree, _needs(len(tree.sentence), _children(tree), widths))


def centre(width: int) -> int:
    """Return the middle of a text of this width, where its line is."""
    return max(width - 1, 0) // 2


def _mirrored(tokens: Range, size: int) -> Range:
    """The positions of these tokens from the left if the first token is at the right."""
    return size - tokens[1], size - tokens[0]


def _children(tree: Tree) -> list[list[int]]:
    """The vertices below each node."""
    size = len(tree.sentence)
    children: list[list[int]] = [[] for _ in tree.nodes]
    for vertex, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent - size].append(vertex)
    return children


def _needs(size: int, children: list[list[int]], widths: Sequence[int]) -> list[int]:
    """The widths. An only child is as wide as its parent, so that both fit into one column."""
    needs = list(widths)
    for parent, below in enumerate(children, size):
        if len(below) == 1:
            needs[below[0]] = max(needs[below[0]], needs[parent])
    return needs


def _rooms(tree: Tree, needs: list[int]) -> list[int]:
    """The width of each token, so that every node has enough room above one of its tokens.

    Room above a whole block would be enough, but panels may cut a block.
    """
    size = len(tree.sentence)
    rooms = needs[:size]
    for number in reversed(range(len(tree.nodes))):
        tokens = tree.nodes[number].tokens
        if tokens:
            widest = max(tokens, key=rooms.__getitem__)
            rooms[widest] = max(rooms[widest], needs[size + number])
    return rooms


def _bounds(rooms: list[int], gap: int) -> list[int]:
    """Where the columns of each token begin, and where those of the last one end.

    There is half a gap on both sides of a token, but the first token begins at 0.
    """
    return list(accumulate((room + gap for room in rooms), initial=-(gap // 2)))


def _panels(bounds: list[int], width: int | None) -> list[Range]:
    """The tokens of each panel: as few panels as possible, and each as narrow as possible."""
    if width is None:
        return _fill(bounds, bounds[-1] - bounds[0])
    panels = _fill(bounds, width)
    for narrower in range(bounds[-1] // max(len(panels), 1), width):
        balanced = _fill(bounds, narrower)
        if len(balanced) == len(panels):
            return balanced
    return panels


def _fill(bounds: list[int], width: int) -> list[Range]:
    """Put tokens into a panel until it is full."""
    panels: list[Range] = []
    first, size = 0, len(bounds) - 1
    for token in range(1, size + 1):
        if token == size or bounds[token + 1] - bounds[first] > width:
            panels.append((first, token))
            first = token
    return panels


def _pieces(blocks: list[Range], bounds: list[int], gap: int, panels: list[Range]) -> list[Range]:
    """The columns above the blocks of a node, cut at panel ends, without the gaps at both ends."""
    pieces = []
    for start, stop in blocks:
        for first, last in panels:
            left, right = max(start, first), min(stop, last)
            if left < right:
                pieces.append((bounds[left] + gap // 2, bounds[right] - gap + gap // 2))
    return pieces


def _column(below: list[int], need: int, pieces: list[Range]) -> int:
    """The column nearest to the middle of the children where there is enough room."""
    if not below:
        return centre(need)
    middle = (min(below) + max(below)) // 2
    nearest = min(below, key=lambda column: abs(column - middle))
    if abs(nearest - middle) == 1:  # directly above a child looks better than just beside it
        middle = nearest
    places = [
        min(max(middle, left + centre(need)), right - need + centre(need))
        for left, right in pieces
        if right - left >= need
    ]
    return min(places, key=lambda column: abs(column - middle))


def _levels(size: int, children: list[list[int]], bars: list[Range]) -> tuple[int, ...]:
    """The lowest levels on which bars do not overlap. Short bars are below long ones."""
    heights = [0] * (size + len(children))
    for number in reversed(range(len(children))):
        heights[size + number] = 1 + max((heights[child] for child in children[number]), default=0)

    def order(number: int) -> tuple[int, int]:
        start, stop = bars[number]
        return heights[size + number], stop - start

    levels = [0] * len(heights)
    taken: dict[int, list[Range]] = {}
    for number in sorted(range(len(children)), key=order):
        level = 1 + max((levels[child] for child in children[number]), default=0)
        start, stop = bars[number]
        while any(start < end and begin < stop for begin, end in taken.get(level, ())):
            level += 1
        taken.setdefault(level, []).append((start, stop))
        levels[size + number] = level
    return tuple(levels)

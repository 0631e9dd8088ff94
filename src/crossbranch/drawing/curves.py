"""Secondary edges as dashed curves that avoid texts.

For each edge, many curves are tried, from both sides of the child to both sides of the parent. The
curve that crosses the fewest texts is chosen if there is room for its label. Otherwise, the curve
goes below the words, where every label has a row of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import ceil, dist, inf
from typing import NamedTuple

from crossbranch.drawing.measure import text_width
from crossbranch.drawing.shapes import SIZES, Box, Text
from crossbranch.drawing.writing import ABSENT, visible
from crossbranch.tree import SecondaryEdge

Point = tuple[float, float]
_Points = tuple[Point, Point, Point, Point]

_STEPS = 36
_WEIGHTS = [
    ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3)
    for t in (step / _STEPS for step in range(_STEPS + 1))
]
_REACHES = (6, 16, 32, 60, 100, 160)  # how far a curve goes sideways at its ends
_LIFTS = (0, -24, 24, -70, -160)  # how far it goes down, or up
_PASSING = 200.0  # the cost of crossing a text, in points of length
_CLEAR = 2  # from a text to a curve
_ROW = 16
_HEAD = 6  # the length of an arrow's head


class Curve(NamedTuple):
    """A Bézier curve from the child of a secondary edge to its parent."""

    edge: SecondaryEdge
    points: _Points

    @property
    def head(self) -> tuple[Point, Point, Point]:
        """The arrow's head: its tip and its two other corners."""
        tip = self.points[3]
        back = next((p for p in reversed(self.points[:3]) if p != tip), (tip[0], tip[1] - 1))
        length = dist(tip, back)
        x, y = (tip[0] - back[0]) / length, (tip[1] - back[1]) / length
        base = tip[0] - _HEAD * x, tip[1] - _HEAD * y
        half = _HEAD / 2.4
        return (
            tip,
            (base[0] - half * y, base[1] + half * x),
            (base[0] + half * y, base[1] - half * x),
        )


def route(
    edges: Iterable[SecondaryEdge],
    texts: Sequence[Text],
    strokes: Sequence[Box],
    paper: tuple[int, int],
) -> tuple[tuple[Curve, ...], list[Text], tuple[int, int]]:
    """Find a curve for every edge.

    Args:
        edges: The secondary edges.
        texts: All texts of the picture. Every vertex has one.
        strokes: Bars and lines. Labels do not cover them if there is another place.
        paper: The width and height of the picture so far.

    Returns:
        The curves, their labels, and the width and height that the picture needs now.
    """
    ends: dict[int, Box] = {}
    for text in texts:  # the last text of a vertex is its label or word
        ends[text.vertex] = text.box
    taken = [text.box for text in texts]
    width, height = paper
    curves, labels = [], []
    for edge in edges:
        name = visible(edge.label or ABSENT)
        box = ends[edge.child], ends[edge.parent]
        best = _best(*box, name, taken, strokes, (width, height))
        if best is None:
            height += _ROW
            points, lowest = _below(ends[edge.child], ends[edge.parent], height - _ROW / 2)
            half = ceil(text_width(name, SIZES["secondary"]) / 2)
            x = max(round(lowest[0]), half + 1)
            best = points, Text("secondary", x, height - 4, name, -1, -1)
            width = max(width, x + half + 1)
        curves.append(Curve(edge, best[0]))
        labels.append(best[1])
        taken.append(best[1].box)
    return tuple(curves), labels, (width, height)


def _best(
    child: Box,
    parent: Box,
    name: str,
    taken: list[Box],
    strokes: Sequence[Box],
    paper: tuple[int, int],
) -> tuple[_Points, Text] | None:
    """The curve with the lowest cost among those that have room for the label."""
    best: tuple[_Points, Text] | None = None
    least = inf
    # A curve starts and ends close to its own two texts, but crosses neither.
    others = [box if box in (child, parent) else _wider(box) for box in taken]
    tried = [(_length(points), points) for points in _candidates(child, parent)]
    for length, points in sorted(tried):
        if length >= least:
            break
        way = _way(points)
        around = _around(way)
        if around.left < 2 or around.right > paper[0] - 2:
            continue
        if around.top < 2 or around.bottom > paper[1] - 2:
            continue
        near = [box for box in others if box.meets(around)]
        passed = sum(any(box.holds(x, y) for x, y in way) for box in near)
        cost = length + _PASSING * passed
        if cost >= least:
            continue
        label = _free(way, name, [*taken, *strokes], paper) or _free(way, name, taken, paper)
        if label is not None:
            best, least = (points, label), cost
    return best


def _length(points: _Points) -> float:
    """The approximate length of a curve, from its chord and its handles."""
    handles = sum(map(dist, points, points[1:]))
    return (handles + dist(points[0], points[3])) / 2


def _around(way: list[Point]) -> Box:
    """The box around these points."""
    across, down = [x for x, _ in way], [y for _, y in way]
    return Box(min(across), min(down), max(across), max(down))


def _wider(box: Box) -> Box:
    return Box(box.left - _CLEAR, box.top - _CLEAR, box.right + _CLEAR, box.bottom + _CLEAR)


def _candidates(child: Box, parent: Box) -> Iterator[_Points]:
    for sides in product((-1, 1), (-1, 1)):
        start, stop = (_side(box, side) for box, side in zip((child, parent), sides, strict=True))
        for reach, lift, other_lift in product(_REACHES, _LIFTS, _LIFTS):
            one = start[0] + sides[0] * reach, start[1] + lift
            two = stop[0] + sides[1] * reach, stop[1] + other_lift
            yield start, one, two, stop


def _side(box: Box, side: int) -> Point:
    edge = box.left - 1 if side < 0 else box.right + 1
    return edge, (box.top + box.bottom) / 2


def _free(way: list[Point], name: str, taken: list[Box], paper: tuple[int, int]) -> Text | None:
    """The label at the free place that is nearest to the middle of the curve."""
    middle = len(way) // 2
    for step in sorted(range(2, len(way) - 2), key=lambda step: abs(step - middle)):
        text = Text("secondary", round(way[step][0]), round(way[step][1]) + 3, name, -1, -1)
        box = text.box
        if box.left < 1 or box.right > paper[0] - 1 or box.top < 1 or box.bottom > paper[1] - 1:
            continue
        if not any(box.meets(other) for other in taken):
            return text
    return None


def _below(child: Box, parent: Box, level: float) -> tuple[_Points, Point]:
    """A curve that goes down to this level, and its lowest point."""
    starts = [((box.left + box.right) / 2, box.bottom + _CLEAR) for box in (child, parent)]
    (x, y), (other_x, other_y) = starts
    if x == other_x:
        x, other_x = x - 4, other_x + 4
    deep = level
    for _ in range(8):  # the lowest point follows the handles, but not quite as far
        points = (x, y), (x, deep), (other_x, deep), (other_x, other_y)
        lowest = max(_way(points), key=lambda point: point[1])
        deep += level - lowest[1]
    return points, lowest


def _way(points: _Points) -> list[Point]:
    """Points along a Bézier curve."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points
    return [
        (a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3)
        for a, b, c, d in _WEIGHTS
    ]

"""The shapes that a picture is made of. Lengths are points; y grows downwards."""

from __future__ import annotations

from typing import NamedTuple

from crossbranch.drawing.measure import text_width

SIZES = {
    "edge": 11,
    "label": 13,
    "tag": 11,
    "morphology": 10,
    "word": 14,
    "cut": 10,
    "secondary": 10,
    "note": 11,
    "caption": 13,
}
"""The font size of each kind of text."""

FROM_LEFT = ("note", "caption")
"""The kinds of text that begin at their x. The others are centred on it."""

ROW_HEIGHTS = {"edge": 15, "label": 17, "tag": 15, "morphology": 14, "word": 18, "note": 16}


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether two boxes overlap. Touching edges do not count."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        return self.left < x < self.right and self.top < y < self.bottom


class Text(NamedTuple):
    """A text that is centred on x, or begins there. Its base line is y."""

    kind: str
    x: int
    y: int
    text: str
    vertex: int
    """Where it is written; -1: nowhere."""

    owner: int
    """The vertex whose colour it has; -1: none."""

    @property
    def box(self) -> Box:
        """The room that the text needs in any font."""
        size = SIZES[self.kind]
        width = text_width(self.text, size)
        left = self.x - (0 if self.kind in FROM_LEFT else width / 2)
        return Box(left, self.y - round(0.8 * size), left + width, self.y + round(0.2 * size))


class Bar(NamedTuple):
    """A horizontal line below a node, and the stem that joins it to the node's label."""

    y: int
    left: int
    right: int
    stem: int | None
    """Where the stem stands; None: in another panel."""

    top: int
    node: int


class Slant(NamedTuple):
    """A straight line from below the label of a node to the column of a child."""

    x: int
    top: int
    to_x: int
    bottom: int
    node: int


class Line(NamedTuple):
    """A vertical line from the bar of a node down to a child.

    Behind it is a halo in the colour of the paper, which interrupts the bars that the line crosses.
    """

    x: int
    top: int
    bottom: int
    node: int

    @property
    def halo_top(self) -> int:
        """Where the halo begins: below the bar where the line starts."""
        return self.top + 3


class Band(NamedTuple):
    """A line below the words of a discontinuous node."""

    y: int
    left: int
    right: int
    node: int
    is_gap: bool


class Outline(NamedTuple):
    """A box around the label of a marked node, or around the label or word of an item."""

    left: float
    top: int
    width: int
    height: int
    vertex: int
    item: str = ""
    """What kind of item it is; empty: a marked node."""

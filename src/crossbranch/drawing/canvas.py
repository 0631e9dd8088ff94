"""A sheet of terminal cells for texts, bars and lines. It can be cut into panels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len

from crossbranch.drawing.layout import Range, centre
from crossbranch.drawing.writing import isolate

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that lines are made of."""

    joints: str
    """For each sum of UP, DOWN, LEFT and RIGHT, the character with these arms."""

    before: str
    """The end of a bar before a line that crosses it."""

    after: str
    """The start of a bar after a line that crosses it."""

    onward: str
    """A bar that continues in the next panel."""

    ellipsis: str
    """Written at the end of a text that was cut."""


BOXES = Glyphs(" │││─┘┐┤─└┌├─┴┬┼", "╴", "╶", "┄", "…")
ASCII = Glyphs(" |||-'.+-'.+-'.+", "-", "-", "~", "...")

_BOLD, _PLAIN = "\x1b[1;{}m", "\x1b[0m"
COLORS = (36, 33, 35, 32, 31, 34)
"""The terminal's colours: cyan, yellow, magenta, green, red, blue."""

FIRST_COLOR, SECOND_COLOR = 33, 31
"""For nodes that only the first or only the second of two trees has: yellow and red."""


class _Mark(NamedTuple):
    text: str
    width: int
    color: str | None
    passes: bool  # a line on its way down: a row with only such marks can be left out


class Canvas:
    """Rows of marks. Draw bars before lines, because a line interrupts the bars that it crosses."""

    def __init__(self, height: int, glyphs: Glyphs) -> None:
        """Make an empty sheet with `height` rows."""
        self.glyphs = glyphs
        self._rows: list[dict[int, _Mark]] = [{} for _ in range(height)]

    def write(self, row: int, column: int, text: str, color: str | None = None) -> None:
        """Write a text, centred on a column."""
        width = cell_len(text)
        self._rows[row][column - centre(width)] = _Mark(isolate(text), width, color, False)

    def bar(
        self, row: int, extent: Range, above: int, below: list[int], color: str | None = None
    ) -> None:
        """Draw a bar below the node at column `above`, with branches to the columns `below`."""
        start, stop = extent
        arms = dict.fromkeys(range(start, stop), LEFT | RIGHT)
        arms[start] &= ~LEFT
        arms[stop - 1] &= ~RIGHT
        arms[above] |= UP
        for column in below:
            arms[column] |= DOWN
        for column, sum_of_arms in arms.items():
            joint = self.glyphs.joints[sum_of_arms]
            self._rows[row][column] = _Mark(joint, 1, color, False)

    def line(self, column: int, rows: range, color: str | None = None) -> None:
        """Draw a line down some rows."""
        glyph = self.glyphs.joints[UP | DOWN]
        for row in rows:
            marks = self._rows[row]
            if column in marks:  # a bar, which continues on both sides
                marks[column - 1] = marks[column - 1]._replace(text=self.glyphs.before)
                marks[column + 1] = marks[column + 1]._replace(text=self.glyphs.after)
            marks[column] = _Mark(glyph, 1, color, True)

    def panel(self, columns: Range, margins: dict[int, tuple[str, str]]) -> Iterator[str]:
        """Yield the rows of a panel. `margins` has texts for the left and right of some rows."""
        start, stop = columns
        indent = max((len(left) for left, _ in margins.values()), default=0)
        for row, marks in enumerate(self._rows):
            inside = sorted(column for column in marks if start <= column < stop)
            if all(marks[column].passes for column in inside):
                continue
            left, right = margins.get(row, ("", ""))
            parts, reached, current = [left.rjust(indent)], start, None
            for column in inside:
                text, width, color, _ = marks[column]
                if color != current and current is not None:
                    parts.append(_PLAIN)
                parts.append(" " * (column - reached))
                if color != current and color is not None:
                    parts.append(_BOLD.format(color))
                parts.append(text)
                current = color
                reached = column + width
            if current is not None:
                parts.append(_PLAIN)
            if right:
                parts.append(" " * (stop - reached) + right)
            yield "".join(parts).rstrip()

"""The partial trees of a derivation as pictures in which every word keeps its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from crossbranch.derivations.shows import Show
from crossbranch.drawing.picture import Options, Picture, picture_of, token_widths
from crossbranch.drawing.svg import render
from crossbranch.span import Span
from crossbranch.tree import Tree


class DrawnForest(NamedTuple):
    """The partial trees of a frame as shapes."""

    tree: Tree
    picture: Picture
    above: int
    """The free space above them, so that all pictures of a derivation are equally high."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.picture.width, self.picture.height + self.above

    def svg(self, y: int = 0) -> str:
        """Return an `<svg>` element without a style sheet; `y`: its place in another one."""
        parts = render(self.tree, self.picture, style=False, y=y, above=self.above)
        return "".join(parts)


def forest_pictures(show: Show) -> Iterator[DrawnForest]:
    """Yield a picture for each frame. All have the same size, and items keep their colours."""
    options = partial(Options, edge_labels=False, is_forest=True)
    rooms = [token_widths(frame.forest, options(items=frame.items)) for frame in show.frames]
    widest = [max(room) for room in zip(*rooms, strict=True)]
    turns: dict[Span, int] = {}
    for frame in show.frames:
        for node in frame.forest.nodes:
            if node.is_discontinuous:
                turns.setdefault(node.span, len(turns))
    same = partial(options, least_widths=widest, color_turns=turns)
    pictures = [picture_of(frame.forest, same(items=frame.items)) for frame in show.frames]
    bottom = max(picture.bottom for picture in pictures)
    below = max(picture.height - picture.bottom for picture in pictures)
    for frame, picture in zip(show.frames, pictures, strict=True):
        full = replace(picture, height=picture.bottom + below)
        yield DrawnForest(frame.forest, full, bottom - picture.bottom)

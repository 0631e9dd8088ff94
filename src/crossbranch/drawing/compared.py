"""Two trees of the same words: the brackets that only one has, and both pictures on one sheet.

Brackets are counted: (label, span), as often as they occur.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from crossbranch.doors import door
from crossbranch.drawing.measure import shorten, text_width
from crossbranch.drawing.picture import Options, Picture, picture_of
from crossbranch.drawing.shapes import SIZES
from crossbranch.drawing.writing import ABSENT, visible
from crossbranch.errors import UsageError
from crossbranch.tree import Bracket, Tree

MISSING, EXTRA = "−", "+"
_CAPTION = 24  # the height of a caption's row
_CAPTION_ROOM = 480  # the minimal width of a caption, even if the tree is narrower
_MARGIN = 6
SWATCH = 14
"""The side of the small box before a caption, which shows how the nodes of this tree are marked."""


class Differences(NamedTuple):
    """The differences between two trees, in preorder."""

    missing: list[Bracket]
    """Brackets that only the first has."""

    extra: list[Bracket]
    """Brackets that only the second has."""


@door
def differences(gold: Tree, predicted: Tree) -> Differences:
    """Compare two trees by their brackets, the roots included.

    Raises:
        UsageError: They do not have the same words.
    """
    words, others = ([token.form for token in tree.sentence] for tree in (gold, predicted))
    if words != others:
        place = next((i for i, (a, b) in enumerate(zip(words, others)) if a != b), None)  # noqa: B905
        if place is None:
            found = f"{len(words)} and {len(others)} words"
        else:
            found = f"{words[place]!r} and {others[place]!r} as word {place + 1}"
        raise UsageError(f"the trees to compare have {found}, expected the same words")
    return Differences(
        missing=list((Counter(gold.brackets) - Counter(predicted.brackets)).elements()),
        extra=list((Counter(predicted.brackets) - Counter(gold.brackets)).elements()),
    )


class ComparedTree(NamedTuple):
    """One of two trees, and the brackets that only it has."""

    name: str
    tree: Tree
    marked: list[Bracket]
    mark: str

    @property
    def is_first(self) -> bool:
        """Whether it is the first of the two."""
        return self.mark != EXTRA

    @property
    def caption(self) -> str:
        """The name of the tree, and its differences in words."""
        name = visible(self.name)
        if not self.marked:
            return name
        labels = ", ".join(visible(bracket.label or ABSENT) for bracket in self.marked)
        return f"{name}, marked {self.mark}: {labels}"

    def picture(self, **options: Any) -> Picture:
        """Draw it as shapes, its differences marked."""
        return picture_of(
            self.tree,
            Options(marked=self.marked, mark=self.mark, is_first=self.is_first, **options),
        )


def compared(gold: Tree, predicted: Tree, names: tuple[str, str]) -> list[ComparedTree]:
    """Return both trees, each with the brackets that only it has."""
    found = differences(gold, predicted)
    return [
        ComparedTree(names[0], gold, found.missing, MISSING),
        ComparedTree(names[1], predicted, found.extra, EXTRA),
    ]


class PlacedTree(NamedTuple):
    """One of two trees on a sheet: its caption and its picture below."""

    tree: ComparedTree
    caption: str
    picture: Picture
    y: int
    """Where its caption begins."""

    @property
    def caption_place(self) -> tuple[int, int]:
        """Where the text of the caption begins: x, and y of its base line."""
        return _MARGIN + SWATCH + 6, self.y + _CAPTION - 6

    @property
    def swatch_place(self) -> tuple[int, int]:
        """The upper left corner of the box before the caption."""
        return _MARGIN, self.y + 6

    @property
    def picture_y(self) -> int:
        """Where the picture begins."""
        return self.y + _CAPTION


class ComparedPictures(NamedTuple):
    """Two trees on one sheet."""

    width: int
    height: int
    parts: list[PlacedTree]


def arrange(trees: list[ComparedTree], **options: Any) -> ComparedPictures:
    """Put the pictures of two trees on a sheet, each below its caption."""
    pictures = [tree.picture(**options) for tree in trees]
    size, indent = SIZES["caption"], SWATCH + 6
    room = max(_CAPTION_ROOM, *(picture.width - 2 * _MARGIN for picture in pictures)) - indent
    parts: list[PlacedTree] = []
    width = y = 0
    for tree, picture in zip(trees, pictures, strict=True):
        caption = shorten(tree.caption, size, room)
        parts.append(PlacedTree(tree, caption, picture, y))
        width = max(width, picture.width, text_width(caption, size) + 2 * _MARGIN + indent)
        y += _CAPTION + picture.height
    return ComparedPictures(width, y, parts)


def pair_up(trees: Iterable[Tree], others: Iterable[Tree]) -> Iterator[tuple[Tree, Tree]]:
    """Yield the two trees of each sentence, one pair at a time.

    Raises:
        UsageError: One side has more trees than the other, or the words of a sentence differ.
    """
    for number, (one, other) in enumerate(zip_longest(trees, others), 1):
        if one is None or other is None:
            which = "first" if one is None else "second"
            raise UsageError(f"cannot compare: the {which} trees end before sentence {number}")
        words, theirs = ([token.form for token in tree.sentence] for tree in (one, other))
        if words != theirs:
            found = next(
                f"{mine!r} and {yours!r}"
                for mine, yours in zip_longest(words, theirs, fillvalue="")
                if mine != yours
            )
            name = one.id or str(number)
            raise UsageError(f"cannot compare sentence {name}: its words differ, {found}")
        yield one, other

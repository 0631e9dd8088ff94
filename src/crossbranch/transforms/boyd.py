"""Boyd's (2007) split of discontinuous nodes, the first of the two steps in Maier (2015), 3.1."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar

from crossbranch.errors import UsageError
from crossbranch.transforms.continuous import BlockSplit, SiblingLabels


@dataclass(frozen=True)
class Boyd(BlockSplit):
    """Make one node of each block of a discontinuous node, with a star: `NP*`, `NP*`.

    If only labels are known, `undo` makes one node of all `NP*` under one parent. With `mark=rest`,
    the block of the head has no star, and `NP*` joins the nearest `NP` under the same parent. A
    block without a partner only loses its star. The block of the head is found by head marks, from
    head to head. Without a mark, the largest block counts as the block of the head.
    """

    name: ClassVar[str] = "boyd"
    looks_marked: ClassVar[str] = r"\*(?=\Z)"

    mark: str = "all"  # which blocks get a star; or rest: all but the block of the head

    def __post_init__(self) -> None:
        """Check the option."""
        if self.mark not in ("all", "rest"):
            raise UsageError(f"boyd: mark is {self.mark!r}, expected all or rest")

    def block_label(self, label: str, number: int, is_head: bool) -> str:
        """Return the label, starred unless it is the head's."""
        return label if is_head and self.mark == "rest" else f"{label}*"

    def whole_label(self, label: str) -> str:
        """Return the label without its star."""
        return label.removesuffix("*")

    def group(self, labels: SiblingLabels) -> list[list[int]]:
        """Return the places of stars with their head's block, or of all stars with one label."""
        starred: defaultdict[str, list[int]] = defaultdict(list)
        plain: defaultdict[str, list[int]] = defaultdict(list)
        for place, label in enumerate(labels):
            if label is not None:
                (starred if label.endswith("*") else plain)[self.whole_label(label)].append(place)
        if self.mark == "all":
            groups = list(starred.values())
        else:
            groups = [
                group
                for label, stars in starred.items()
                for group in _to_the_nearest(stars, plain[label])
            ]
        return [sorted(group) for group in groups if len(group) > 1]


def _to_the_nearest(stars: list[int], heads: list[int]) -> list[list[int]]:
    groups = {head: [head] for head in heads}
    for star in stars if heads else ():
        groups[min(heads, key=lambda head: abs(head - star))].append(star)
    return list(groups.values())

"""Boyd's (2007) split of discontinuous nodes, the first of the two steps in Maier (2015), 3.1."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar

from crossbranch.errors import UsageError
from crossbranch.transforms.continuous import BlockSplit, SiblingLabels


@dataclass(frozen=True)
class Boyd(BlockSplit):
    """Every discontinuous node becomes one node per block, with a star: `NP*`, `NP*`.

    Undone by labels alone, all `NP*` under one parent are one node. With `mark=rest`, the head's
    block has no star, and `NP*` joins the nearest `NP` under the same parent. A block that finds no
    partner just loses its star. The head's block is found by head marks, from head to head; without
    a mark, the largest block counts as the head's.
    """

    name: ClassVar[str] = "boyd"
    looks_marked: ClassVar[str] = r"\*(?=\Z)"

    mark: str = "all"  # which blocks are starred: or the rest, without the head's

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

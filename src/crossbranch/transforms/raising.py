"""Raising: the usual way from a discontinuous treebank to a continuous one (Maier 2015, 3.1).

It can also keep some gaps, for grammars of a limited fan-out (Maier, Kaeshammer & Kallmeyer 2012).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crossbranch.draft import Draft, order_children_first
from crossbranch.errors import UsageError
from crossbranch.span import Span, fan_out
from crossbranch.transforms.continuous import block_spans, head_tokens
from crossbranch.transforms.head_choice import mark_likely_heads
from crossbranch.transforms.transform import Transform
from crossbranch.tree import Tree


@dataclass(frozen=True)
class Raise(Transform):
    """Keep the block of the head of a discontinuous node, and move the rest to the node above.

    So everything goes to its lowest ancestor at which no branches cross. Without a head mark, the
    largest block counts as the block of the head. With `heads=auto`, heads that are not marked are
    found with the head table that fits the tree best. It cannot be undone: use boyd or split if you
    need the tree again.

    With `blocks=2`, only nodes with more than two blocks change. They keep the blocks of their head
    and the largest of the others.
    """

    name: ClassVar[str] = "raise"
    has_inverse: ClassVar[bool] = False
    heads: str = "marked"  # or auto
    blocks: int = 1  # how many blocks a node may have

    def __post_init__(self) -> None:
        """Check the options."""
        if self.blocks < 1:
            raise UsageError(f"raise: blocks is {self.blocks}, expected at least 1")
        if self.heads not in ("marked", "auto"):
            raise UsageError(f"raise: heads is {self.heads!r}, expected marked or auto")

    def apply(self, tree: Tree) -> Tree:
        """Return the tree with at most `blocks` blocks in each node."""
        if not tree.is_discontinuous:
            return tree
        draft = Draft(tree)
        spans = draft.spans()
        headed = Draft(mark_likely_heads(tree)) if self.heads == "auto" else draft
        heads = head_tokens(headed, spans)
        for vertex in order_children_first(draft.root, draft.children):
            while fan_out(spans[vertex]) > self.blocks:
                kept = self._kept(draft, spans, vertex, heads[vertex])
                others = [child for child in draft.children[vertex] if spans[child] & ~kept]
                rest = {child: spans[vertex] & ~spans[child] for child in others}
                moved = min(others, key=lambda child: fan_out(rest[child]))
                draft.move(moved, draft.parents[vertex])
                spans[vertex] = rest[moved]
        return draft.build()

    def _kept(self, draft: Draft, spans: dict[int, Span], vertex: int, head: int) -> Span:
        """Return the blocks that a node keeps: those of its head child, and the largest others."""
        leader = next(child for child in draft.children[vertex] if spans[child] >> head & 1)
        found = block_spans(spans[vertex])
        found.sort(key=lambda block: (not block & spans[leader], -block.bit_count()))
        return sum(found[: self.blocks])

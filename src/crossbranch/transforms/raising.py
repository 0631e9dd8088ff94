"""Raising: the usual way from a discontinuous treebank to a continuous one (Maier 2015, 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crossbranch.draft import Draft, order_children_first
from crossbranch.errors import UsageError
from crossbranch.span import fan_out
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
    """

    name: ClassVar[str] = "raise"
    has_inverse: ClassVar[bool] = False
    heads: str = "marked"  # or auto

    def __post_init__(self) -> None:
        """Check the option."""
        if self.heads not in ("marked", "auto"):
            raise UsageError(f"raise: heads is {self.heads!r}, expected marked or auto")

    def apply(self, tree: Tree) -> Tree:
        """Return the continuous tree."""
        if not tree.is_discontinuous:
            return tree
        draft = Draft(tree)
        spans = draft.spans()
        headed = Draft(mark_likely_heads(tree)) if self.heads == "auto" else draft
        heads = head_tokens(headed, spans)
        for vertex in order_children_first(draft.root, draft.children):
            if fan_out(spans[vertex]) < 2:
                continue
            kept = next(b for b in block_spans(spans[vertex]) if b >> heads[vertex] & 1)
            for child in list(draft.children[vertex]):
                if not spans[child] & kept:
                    draft.move(child, draft.parents[vertex])
            spans[vertex] = kept
        return draft.build()

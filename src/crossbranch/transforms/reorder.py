"""Canonical reordering: put the words in an order in which no branches cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crossbranch.draft import Draft
from crossbranch.errors import UsageError
from crossbranch.span import first_of
from crossbranch.transforms.continuous import head_tokens
from crossbranch.transforms.memory import recall, remember
from crossbranch.transforms.transform import Transform
from crossbranch.tree import Token, Tree

_POSITION = "reorder.position"


@dataclass(frozen=True)
class Reorder(Transform):
    """Change the order of the words, so that every node becomes continuous.

    The children of a node come in the order of their first words, or with `by=head` of their heads.
    (If a node has no head mark, the beginning of its largest block counts.) Every word that moves
    has its old position in a feature. `undo` uses it, also on trees that a parser made.
    """

    name: ClassVar[str] = "reorder"

    by: str = "first"  # what decides the order of children: their first word, or their head

    def __post_init__(self) -> None:
        """Check the option."""
        if self.by not in ("first", "head"):
            raise UsageError(f"reorder: by is {self.by!r}, expected first or head")

    def apply(self, tree: Tree) -> Tree:
        """Return the continuous tree; a tree that is continuous already does not change."""
        if not tree.is_discontinuous:
            return tree
        draft = Draft(tree)
        order = self._order(draft)
        for position, token in enumerate(order):
            word = draft.tokens[token]
            moved = None if position == token else token
            draft.tokens[token] = word._replace(features=remember(word.features, _POSITION, moved))
        return draft.build(order)

    def _order(self, draft: Draft) -> list[int]:
        spans = draft.spans()
        if self.by == "head":
            places = head_tokens(draft, spans)
        else:
            places = {vertex: first_of(span) for vertex, span in spans.items()}
        order: list[int] = []
        stack = [draft.root]
        while stack:
            vertex = stack.pop()
            if draft.is_node(vertex):
                children = draft.children[vertex]
                stack.extend(sorted(children, key=places.__getitem__, reverse=True))
            else:
                order.append(vertex)
        return order

    def undo(self, tree: Tree) -> Tree:
        """Return the tree with its words in the old order, or unchanged if it is not known."""
        positions: list[int] = []
        words: dict[int, Token] = {}
        for index, token in enumerate(tree.sentence):
            position, features = recall(token.features, _POSITION)
            positions.append(position if isinstance(position, int) else index)
            words[index] = token._replace(features=features)
        order = sorted(words, key=positions.__getitem__)
        if order == list(words) or [positions[token] for token in order] != list(words):
            return tree
        draft = Draft(tree)
        draft.tokens = words
        return draft.build(order)

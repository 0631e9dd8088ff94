"""Replace tags by the morphology, the lemma, or a feature of the token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crossbranch.errors import TransformError, UsageError
from crossbranch.transforms.mapping import Changes, map_tokens
from crossbranch.transforms.memory import recall, remember
from crossbranch.transforms.transform import Transform
from crossbranch.tree import Token, Tree, feature


@dataclass(frozen=True)
class Tags(Transform):
    """Set each tag from a feature of the token, such as Alpino's `pos`.

    A token without it keeps its tag.
    """

    name: ClassVar[str] = "tags"
    _memory: ClassVar[str] = "tags.before"
    source: str  # morphology, lemma, or the name of a feature

    def __post_init__(self) -> None:
        """Check the options."""
        if not self.source:
            raise UsageError("tags: source is empty, expected morphology, lemma or a feature")

    def apply(self, tree: Tree) -> Tree:
        """Set the tags."""
        return map_tokens(tree, self._changed)

    def undo(self, tree: Tree) -> Tree:
        """Restore the tags; trees that do not come from `apply` keep theirs."""
        return map_tokens(tree, self._restored)

    def _changed(self, token: Token) -> Changes:
        if self.source in ("morphology", "lemma"):
            tag = getattr(token, self.source)
        else:
            tag = feature(token.features, self.source)
        if not tag:
            return {"features": remember(token.features, self._memory, None)}
        return {"tag": tag, "features": remember(token.features, self._memory, token.tag)}

    def _restored(self, token: Token) -> Changes:
        tag, features = recall(token.features, self._memory)
        if tag is None:
            return {"features": features}
        if not isinstance(tag, str):
            raise TransformError(f"tags cannot be undone: {self._memory} is {tag!r}, not a tag")
        return {"tag": tag, "features": features}

"""Transforms of tags: taken from another field of the token, or split by the tree."""

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
        return _restored(tree, self.name, self._memory)

    def _changed(self, token: Token) -> Changes:
        if self.source in ("morphology", "lemma"):
            tag = getattr(token, self.source)
        else:
            tag = feature(token.features, self.source)
        if not tag:
            return {"features": remember(token.features, self._memory, None)}
        return {"tag": tag, "features": remember(token.features, self._memory, token.tag)}


@dataclass(frozen=True)
class PrepositionTo(Transform):
    """Tag the English preposition "to" as IN, and only the "to" of an infinitive as TO.

    The first Penn treebanks tag both as TO; newer ones, such as CRAFT and EWT, tell them apart.
    """

    name: ClassVar[str] = "preposition-to"
    _memory: ClassVar[str] = "preposition-to.before"

    def apply(self, tree: Tree) -> Tree:
        """Tag each "to" directly below a PP as IN."""
        sentence = list(tree.sentence)
        for node in tree.nodes:
            if node.label.removeprefix("WH").startswith("PP"):
                for child in node.children:
                    if isinstance(child, int) and _is_to(sentence[child]):
                        token = sentence[child]
                        features = remember(token.features, self._memory, token.tag)
                        sentence[child] = token._replace(tag="IN", features=features)
        changed = tuple(sentence)
        return tree if changed == tree.sentence else tree.replace(sentence=changed)

    def undo(self, tree: Tree) -> Tree:
        """Restore the tags; trees that do not come from `apply` keep theirs."""
        return _restored(tree, self.name, self._memory)


def _restored(tree: Tree, name: str, memory: str) -> Tree:
    """Return a tree with the tags that a transform has kept in its memory."""

    def changes(token: Token) -> Changes:
        tag, features = recall(token.features, memory)
        if tag is None:
            return {"features": features}
        if not isinstance(tag, str):
            raise TransformError(f"{name} cannot be undone: {memory} is {tag!r}, not a tag")
        return {"tag": tag, "features": features}

    return map_tokens(tree, changes)


def _is_to(token: Token) -> bool:
    return token.tag == "TO" and token.form.lower() == "to"

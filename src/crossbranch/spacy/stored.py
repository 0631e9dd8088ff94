"""The trees of a document: where they are kept, and how they are saved with it.

They are kept in `doc.user_data`. spaCy saves that with msgpack, which knows no trees. So trees are
saved as dicts, as in a line of JSON (`Tree.to_dict`). Programs without crossbranch can read these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import srsly
from spacy.tokens import Doc

from crossbranch.errors import TreeError
from crossbranch.spacy.alignment import over_tokens
from crossbranch.tree import Token, Tree

KEY = "crossbranch"
"""The name of the trees in `doc.user_data`."""


def store(doc: Doc, trees: list[Tree]) -> None:
    """Keep the trees of a document."""
    doc.user_data[KEY] = trees


def trees_of(doc: Doc) -> list[Tree]:
    """Return the trees of a document, one for each sentence. Without trees, the list is empty.

    If tokens were merged or split since then, the trees are put over the new tokens.

    Raises:
        TreeError: The trees are damaged, or they belong to another text.
    """
    stored = doc.user_data.get(KEY)
    if not stored:
        return []
    if not isinstance(stored[0], Tree):  # saved and loaded without crossbranch
        stored = [Tree.from_dict(one) for one in stored]
        store(doc, stored)
    if not _fit(doc, stored):
        stored = _realigned(doc, stored)
        store(doc, stored)
    return list(stored)


def token_of(token: Any) -> Token:
    """Return a token of spaCy as a token of crossbranch."""
    return Token(token.text, start=token.idx, end=token.idx + len(token.text))


def _fit(doc: Doc, trees: list[Tree]) -> bool:
    """Return False if the trees cannot have the tokens of this document."""
    start = 0
    for tree in trees:
        if start >= len(doc) or tree.sentence[0].start != doc[start].idx:
            return False
        start += len(tree.sentence)
    return start == len(doc)


def _realigned(doc: Doc, trees: list[Tree]) -> list[Tree]:
    starts = [tree.sentence[0].start or 0 for tree in trees]
    text = doc.text  # spaCy joins its tokens each time
    for tree, start in zip(trees, starts, strict=True):
        if text[start : start + len(tree.text)] != tree.text:
            raise TreeError(
                f"found other text than {tree.text[:40]!r} at character {start}: the trees of this"
                " document belong to another text"
            )
    groups: list[list[Token]] = [[] for _ in trees]
    number = 0
    for token in doc:
        while number + 1 < len(trees) and token.idx >= starts[number + 1]:
            number += 1
        groups[number].append(token_of(token))
    pairs = zip(trees, groups, strict=True)
    return [with_text(over_tokens(tree, tokens), text) for tree, tokens in pairs if tokens]


def with_text(tree: Tree, text: str) -> Tree:
    """Return a tree over tokens of a text with the part between its first and last token."""
    return tree.replace(text=text[tree.sentence[0].start : tree.sentence[-1].end])


def _encode(value: Any, chain: Callable[[Any], Any] | None = None) -> Any:
    if isinstance(value, Tree):
        return value.to_dict()
    return value if chain is None else chain(value)


srsly.msgpack_encoders.register("crossbranch", func=_encode)

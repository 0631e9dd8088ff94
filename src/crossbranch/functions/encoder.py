"""Trees and tokens as numbers, as the labeller in the core takes them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from crossbranch.features.clusters import Clusters, first_bits
from crossbranch.features.columns import suffix
from crossbranch.punctuation import is_punctuation
from crossbranch.tagging.columns import MISSING, number_of
from crossbranch.tree import Node, Sentence, Token

UNKNOWN = "\1"  # stands for unknown labels and tags; only rules for every label fit it
_SUFFIX_SIZE = 3
_SHORT_BITS = 6
_CACHE_LIMIT = 50_000

Key = tuple[str, str]
"""Form and tag of a token."""


class Encoder:
    """Numbers for labels and tags, and rows for tokens."""

    def __init__(
        self, labels: Sequence[str], tags: Sequence[str], *, clusters: Clusters | None = None
    ) -> None:
        self.names = (UNKNOWN, *labels, UNKNOWN, *tags)
        """The name of each number: first the labels, then the tags."""
        self.clusters = clusters
        self._labels = {label: number for number, label in enumerate(labels, 1)}
        self._unknown_tag = len(labels) + 1
        self._tags = {tag: number for number, tag in enumerate(tags, self._unknown_tag + 1)}
        self._known = _Rows(self._row)
        self._without_word = _Rows(self._row_without_word)

    def _row(self, form: str, tag: str) -> list[int]:
        small = form.lower()
        path = "" if self.clusters is None else self.clusters.find(form)
        return [
            self._tags.get(tag, self._unknown_tag),
            is_punctuation(Token(form, tag)),
            _number(small),
            _number(suffix(_SUFFIX_SIZE, small)),
            _number(path),
            _number(first_bits(path, _SHORT_BITS) if path else ""),
        ]

    def _row_without_word(self, form: str, tag: str) -> list[int]:
        row = self._row(form, tag)
        row[2] = MISSING
        return row

    def rows(self, sentence: Sentence, tags: Sequence[str] | None = None) -> bytes:
        """Return the rows of the tokens, with other tags than their own if these are given."""
        find = self._known.__getitem__
        if tags is None:
            return b"".join([find((token[0], token[1])) for token in sentence])
        return b"".join([find((token[0], tag)) for token, tag in zip(sentence, tags, strict=True)])

    def rows_without(self, sentence: Sentence, is_hidden: Callable[[str], bool]) -> bytes:
        """Return the rows of the tokens; the words that are hidden have no number."""
        return b"".join(
            [
                (self._without_word if is_hidden(token.form) else self._known)[token[0], token[1]]
                for token in sentence
            ]
        )

    def codes(self, root: Node) -> tuple[array[int], list[Node]]:
        """Return a tree in postfix form, and its nodes in the same order.

        A token is its index. A node is ~label and the number of its children, which come before it.
        """
        find = self._labels.get
        codes: list[int] = []  # backwards, since a parent is found before its children
        nodes: list[Node] = []
        stack: list[Node | int] = [root]
        while stack:
            vertex = stack.pop()
            if vertex.__class__ is int:
                codes.append(vertex)
                continue
            assert isinstance(vertex, Node)
            children = vertex.children
            nodes.append(vertex)
            codes += (len(children), ~find(vertex.label, 0))
            stack += children
        nodes.reverse()
        codes.reverse()
        return array("i", codes), nodes


class _Rows(dict[Key, bytes]):
    """The rows of recent words, because most words occur again."""

    def __init__(self, row: Callable[[str, str], list[int]]) -> None:
        super().__init__()
        self._row = row

    def __missing__(self, key: Key) -> bytes:
        if len(self) >= _CACHE_LIMIT:  # constant memory
            self.clear()
        made = array("I", self._row(*key)).tobytes()
        self[key] = made
        return made


def _number(value: str) -> int:
    return number_of(value) if value else MISSING

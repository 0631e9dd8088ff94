"""Trees as bytes in an index: numbers of texts and parents, and beside them what few trees have."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from crossbranch.node import Features, Node, Token
from crossbranch.query.view import View
from crossbranch.tree import SecondaryEdge, Tree

TOKEN_COLUMNS = ("word", "tag", "lemma", "morphology")

Offsets = list[tuple[int | None, int | None]]
NumberOf = Mapping[str, int]


class Rest(msgspec.Struct, array_like=True, omit_defaults=True):
    """What only some trees have, besides their id."""

    id: str = ""
    comments: list[str] = []
    text: str = ""
    features: Features = ()
    edges: list[SecondaryEdge] = []
    vertex_features: dict[int, Features] = {}
    heads: dict[int, int] = {}
    offsets: Offsets = []
    head_tokens: dict[int, int | None] = {}
    """Of discontinuous nodes: to find heads takes long, and some conditions need these."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Rest).decode


def pack(tree: Tree, number_of: NumberOf) -> tuple[bytes, bytes]:
    """Return the columns and the rest of a tree."""
    sentence, nodes = tree.sentence, tree.nodes
    size = len(sentence)
    numbers = array("I", [size, len(nodes)])
    for field in range(len(TOKEN_COLUMNS)):
        numbers.extend([number_of[token[field]] for token in sentence])  # type: ignore[index]
    numbers.extend([number_of[token.edge_label] for token in sentence])
    numbers.extend([number_of[node.edge_label] for node in nodes])
    numbers.extend([number_of[node.label] for node in nodes])
    numbers.extend([parent if parent >= 0 else 0 for parent in tree.parents])
    vertices: list[Token | Node] = [*sentence, *nodes]
    has_offsets = any(token.start is not None or token.end is not None for token in sentence)
    rest = Rest(
        tree.id,
        list(tree.comments),
        tree.text,
        tree.features,
        list(tree.secondary_edges),
        {i: vertex.features for i, vertex in enumerate(vertices) if vertex.features},
        {k: node.head for k, node in enumerate(nodes) if node.head is not None},
        [(token.start, token.end) for token in sentence] if has_offsets else [],
        _head_tokens_of_gaps(tree),
    )
    return numbers.tobytes(), _encode(rest)


def _head_tokens_of_gaps(tree: Tree) -> dict[int, int | None]:
    found = [k for k, node in enumerate(tree.nodes) if node.is_discontinuous]
    return {k: tree.head_tokens[k] for k in found}


class PackedView(View):
    """A tree in an index. Values in its columns are numbers of texts."""

    def __init__(self, columns: bytes, rest: bytes, text_of: Callable[[int], str]) -> None:
        """Make a view.

        Raises:
            ValueError: The bytes have a wrong length.
        """
        self._numbers = array("I")
        self._numbers.frombytes(columns)
        self._rest_bytes, self._text_of = rest, text_of
        self.size, self._nodes = self._numbers[0], self._numbers[1]
        if len(self._numbers) != 2 + 6 * self.size + 3 * self._nodes:
            raise ValueError("columns of another length")

    @cached_property
    def parents(self) -> Sequence[int]:
        """The parent of each vertex; -1 for the root."""
        parents = self._numbers[2 + 5 * self.size + 2 * self._nodes :].tolist()
        parents[self.size] = -1
        return parents

    def column(self, attribute: str) -> Sequence[int]:
        """Return the values of an attribute, as numbers of texts."""
        start, length = self._place(attribute)
        return self._numbers[start : start + length]

    def _place(self, attribute: str) -> tuple[int, int]:
        size, nodes = self.size, self._nodes
        if attribute == "function":
            return 2 + 4 * size, size + nodes
        if attribute == "label":
            return 2 + 5 * size + nodes, nodes
        return 2 + TOKEN_COLUMNS.index(attribute) * size, size

    def text(self, attribute: str, vertex: int) -> str:
        """Return a value of a column as text."""
        start, _ = self._place(attribute)
        place = vertex - self.size if attribute == "label" else vertex
        return self._text_of(self._numbers[start + place])

    def texts(self, attribute: str) -> list[str]:
        """Return all values of a column as texts."""
        return [self._text_of(number) for number in self.column(attribute)]

    @cached_property
    def rest(self) -> Rest:
        """What only some trees have."""
        return _decode(self._rest_bytes)

    @cached_property
    def secondary_edges(self) -> Sequence[SecondaryEdge]:
        """The secondary edges."""
        return self.rest.edges

    def features(self, vertex: int) -> Features:
        """Return the features of a vertex."""
        return self.rest.vertex_features.get(vertex, ())

    def head_token(self, vertex: int) -> int | None:
        """Return the head word of a discontinuous node. None if it cannot be found."""
        return self.rest.head_tokens[vertex - self.size]

    @cached_property
    def tree(self) -> Tree:
        """The tree, made again from its bytes."""
        rest, size = self.rest, self.size
        functions, labels = self.texts("function"), self.texts("label")
        offsets = rest.offsets or [(None, None)] * size
        words, tags, lemmas, morphologies = map(self.texts, TOKEN_COLUMNS)
        features = [self.features(vertex) for vertex in range(len(self.parents))]
        sentence = [
            Token(
                words[i],
                tags[i],
                lemmas[i],
                morphologies[i],
                functions[i],
                features[i],
                *offsets[i],
            )
            for i in range(size)
        ]
        nodes: dict[int, Node] = {}
        for k in range(len(labels) - 1, -1, -1):  # children come after their parents
            below: list[Any] = [c if c < size else nodes[c] for c in self.children[k]]
            nodes[size + k] = Node(
                labels[k],
                below,
                edge_label=functions[size + k],
                head=rest.heads.get(k),
                features=features[size + k],
            )
        return Tree(
            sentence,
            nodes[size],
            id=rest.id,
            secondary_edges=rest.edges,
            comments=rest.comments,
            features=rest.features,
            text=rest.text,
        )


LAYOUT = f"2 {sys.byteorder} {array('I').itemsize}"
"""Changes if the bytes get another meaning."""

"""A tree as columns: what a search looks at.

Vertices are numbers: tokens are 0 .. n-1, and nodes follow in preorder. A column has one value for
each vertex that has the attribute. Values are texts here, and numbers of texts in an index. Nothing
is computed before it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from crossbranch.constituent import confidence_of
from crossbranch.node import Features
from crossbranch.punctuation import is_punctuation
from crossbranch.span import Span
from crossbranch.tree import SecondaryEdge, Token, Tree

_FIELDS = {"word": 0, "tag": 1, "lemma": 2, "morphology": 3, "function": 4}


class View:
    """What trees and trees in an index have in common."""

    size: int
    """The number of tokens."""

    @cached_property
    def tree(self) -> Tree:
        """The tree itself."""
        raise NotImplementedError

    @cached_property
    def parents(self) -> Sequence[int]:
        """The parent of each vertex; -1 for the root."""
        raise NotImplementedError

    def column(self, attribute: str) -> Sequence[Any]:
        """Return the values of an attribute.

        There is one for each token (word, tag, lemma, morphology), for each node (label), or for
        each vertex (function).
        """
        raise NotImplementedError

    def text(self, attribute: str, vertex: int) -> str:
        """Return a value of a column as text."""
        raise NotImplementedError

    @cached_property
    def secondary_edges(self) -> Sequence[SecondaryEdge]:
        """The secondary edges."""
        return self.tree.secondary_edges

    @cached_property
    def spans(self) -> list[Span]:
        """The span of each vertex."""
        size, parents = self.size, self.parents
        spans = [1 << token for token in range(size)] + [0] * (len(parents) - size)
        for vertex in range(size):
            spans[parents[vertex]] |= spans[vertex]
        for vertex in range(len(parents) - 1, size, -1):  # children come after their parents
            spans[parents[vertex]] |= spans[vertex]
        return spans

    @cached_property
    def firsts(self) -> list[int]:
        """The first token of each vertex."""
        return [(span & -span).bit_length() - 1 for span in self.spans]

    @cached_property
    def lasts(self) -> list[int]:
        """The last token of each vertex."""
        return [span.bit_length() - 1 for span in self.spans]

    @cached_property
    def discontinuous(self) -> list[int]:
        """The discontinuous nodes."""
        spans = self.spans
        return [
            vertex
            for vertex in range(self.size, len(spans))
            if (span := spans[vertex]) & (span + (span & -span))
        ]

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each node, ordered by their first token. The root is the first node."""
        size, parents, firsts = self.size, self.parents, self.firsts
        children: list[list[int]] = [[] for _ in range(len(parents) - size)]
        for vertex in sorted(range(len(parents)), key=firsts.__getitem__):
            if (parent := parents[vertex]) >= 0:
                children[parent - size].append(vertex)
        return children

    @cached_property
    def ranks(self) -> list[int]:
        """The place of each vertex among the children of its parent, from 0."""
        ranks = [0] * len(self.parents)
        for below in self.children:
            for rank, vertex in enumerate(below):
                ranks[vertex] = rank
        return ranks

    @cached_property
    def ends(self) -> list[int]:
        """For each vertex, the number after those of the nodes below it."""
        size, parents = self.size, self.parents
        ends = [vertex + 1 for vertex in range(len(parents))]
        for vertex in range(len(parents) - 1, size, -1):
            parent = parents[vertex]
            if ends[vertex] > ends[parent]:
                ends[parent] = ends[vertex]
        return ends

    @cached_property
    def depths(self) -> list[int]:
        """The number of nodes above each vertex."""
        size, parents = self.size, self.parents
        depths = [0] * len(parents)
        for vertex in range(size + 1, len(parents)):
            depths[vertex] = depths[parents[vertex]] + 1
        for vertex in range(size):
            depths[vertex] = depths[parents[vertex]] + 1
        return depths

    def gap(self, vertex: int) -> Span:
        """Return the tokens in the gaps of a vertex."""
        span = self.spans[vertex]
        return ((1 << span.bit_length()) - 1) & -(span & -span) & ~span

    def words(self, vertex: int) -> str:
        """Return the words of a vertex, with blanks between them."""
        span = self.spans[vertex]
        return " ".join([self.text("word", i) for i in range(self.size) if span >> i & 1])

    def features(self, vertex: int) -> Features:
        """Return the features of a vertex."""
        return self.tree.vertex(vertex).features

    def confidence(self, vertex: int) -> float | None:
        """Return the confidence of a vertex."""
        return confidence_of(self.features(vertex))

    def is_punctuation(self, token: int) -> bool:
        """Say whether a token is punctuation."""
        return is_punctuation(Token(self.text("word", token), self.text("tag", token)))

    def head_token(self, vertex: int) -> int | None:
        """Return the head word of a discontinuous node. None if it cannot be found."""
        return self.tree.head_tokens[vertex - self.size]

    @cached_property
    def head_children(self) -> frozenset[int]:
        """The vertices that are heads of their parents."""
        marked = self.tree.mark_heads().nodes
        heads = [node.head for node in marked]
        return frozenset(self.children[k][head] for k, head in enumerate(heads) if head is not None)


class TreeView(View):
    """A tree in memory."""

    def __init__(self, tree: Tree) -> None:
        """Make a view; this computes nothing."""
        self.tree = tree
        self.size = len(tree.sentence)
        self._columns: dict[str, Sequence[str]] = {}

    @cached_property
    def parents(self) -> Sequence[int]:
        """The parent of each vertex; -1 for the root."""
        return self.tree.parents

    @cached_property
    def spans(self) -> list[Span]:
        """The span of each vertex."""
        spans = [1 << token for token in range(self.size)]
        spans.extend([node.span for node in self.tree.nodes])
        return spans

    @cached_property
    def discontinuous(self) -> list[int]:
        """The discontinuous nodes."""
        return [
            vertex
            for vertex, node in enumerate(self.tree.nodes, self.size)
            if (span := node.span) & (span + (span & -span))
        ]

    def column(self, attribute: str) -> Sequence[str]:
        """Return the values of an attribute."""
        found = self._columns.get(attribute)
        if found is None:
            if attribute == "label":
                found = [node.label for node in self.tree.nodes]
            else:
                field = _FIELDS[attribute]
                found = [token[field] for token in self.tree.sentence]  # type: ignore[misc]
                if attribute == "function":
                    found += [node.edge_label for node in self.tree.nodes]
            self._columns[attribute] = found
        return found

    def text(self, attribute: str, vertex: int) -> str:
        """Return a value of a column as text."""
        return self.column(attribute)[vertex - self.size if attribute == "label" else vertex]

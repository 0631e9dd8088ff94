"""Tree: a sentence and its root.

Tokens and nodes together are the *vertices* of a tree: tokens are 0 .. n-1, the root is n, and the
other nodes follow in preorder. Secondary edges name their ends this way.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from crossbranch import _core
from crossbranch import span as spans
from crossbranch.errors import TreeError
from crossbranch.node import Features, Node, Sentence, Token, Value, feature, with_feature
from crossbranch.span import Span

__all__ = [
    "ROOT",
    "Bracket",
    "Features",
    "Node",
    "SecondaryEdge",
    "Sentence",
    "Token",
    "Tree",
    "feature",
    "with_feature",
]

ROOT = "ROOT"
"""Label of the virtual root, which holds together what a treebank leaves unconnected."""


class Bracket(NamedTuple):
    """What evaluation counts."""

    label: str
    span: Span


class SecondaryEdge(NamedTuple):
    """A further edge, from a vertex to another vertex that is not its parent in the tree."""

    label: str
    child: int
    parent: int


class Tree(Value):
    """A sentence and its root; secondary edges, id, comments and features travel along."""

    _fields = ("sentence", "root", "id", "secondary_edges", "comments", "features", "text")
    __slots__ = ("_nodes", "_parents", *_fields)

    sentence: Sentence
    root: Node
    id: str
    secondary_edges: tuple[SecondaryEdge, ...]
    comments: tuple[str, ...]
    features: Features
    text: str
    """The sentence as it stands in the raw text, from its first token to its last; "": unknown."""
    _nodes: tuple[Node, ...] | None
    _parents: tuple[int, ...] | None

    def __init__(
        self,
        sentence: Iterable[Token],
        root: Node,
        *,
        id: str = "",
        secondary_edges: Iterable[SecondaryEdge] = (),
        comments: Iterable[str] = (),
        features: Features = (),
        text: str = "",
    ) -> None:
        """Make a tree; the root must cover exactly the tokens of the sentence."""
        sentence = tuple(sentence)
        if root.span != (1 << len(sentence)) - 1:
            raise TreeError(_uncovered(sentence, root))
        fix = object.__setattr__
        fix(self, "sentence", sentence)
        fix(self, "root", root)
        fix(self, "id", id)
        fix(self, "comments", tuple(comments))
        fix(self, "features", features)
        fix(self, "text", text)
        fix(self, "_nodes", None)
        fix(self, "_parents", None)
        edges = tuple(secondary_edges)
        fix(self, "secondary_edges", edges)
        if edges:
            count = len(sentence) + len(self.nodes)
            for edge in edges:
                if not (0 <= edge.child < count and 0 <= edge.parent < count):
                    raise TreeError(f"{edge} has an end that is no vertex of this tree")

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes in preorder: the vertex of nodes[k] is len(sentence) + k."""
        if self._nodes is None:
            nodes: list[Node] = []
            stack = [self.root]
            while stack:  # as preorder, without a generator
                node = stack.pop()
                nodes.append(node)
                stack.extend([c for c in reversed(node.children) if c.__class__ is not int])  # type: ignore[misc]
            object.__setattr__(self, "_nodes", tuple(nodes))
        return self._nodes  # type: ignore[return-value]

    @property
    def parents(self) -> tuple[int, ...]:
        """The parent of each vertex, as a vertex; -1 for the root."""
        if self._parents is None:
            object.__setattr__(self, "_parents", self._find_parents())
        return self._parents  # type: ignore[return-value]

    def _find_parents(self) -> tuple[int, ...]:
        count = len(self.sentence)
        vertices = {id(node): vertex for vertex, node in enumerate(self.nodes, count)}
        parents = [-1] * (count + len(vertices))
        for parent, node in enumerate(self.nodes, count):
            for child in node.children:
                parents[child if isinstance(child, int) else vertices[id(child)]] = parent
        return tuple(parents)

    @property
    def shape(self) -> _core.TreeShape:
        """The form of the tree for the core: spans, fan-outs and ill-nested pairs of all nodes."""
        return _core.TreeShape(len(self.sentence), list(self.parents))

    @property
    def gap_degree(self) -> int:
        """The largest gap degree of a node."""
        return max(node.gap_degree for node in self.nodes)

    @property
    def fan_out(self) -> int:
        """The largest fan-out of a node."""
        return max(node.fan_out for node in self.nodes)

    @property
    def is_discontinuous(self) -> bool:
        """Whether some node is discontinuous."""
        return any(node.is_discontinuous for node in self.nodes)

    @property
    def is_ill_nested(self) -> bool:
        """Whether two disjoint nodes each have tokens in a gap of the other."""
        return sum(n.is_discontinuous for n in self.nodes) > 1 and self.shape.is_ill_nested()

    @property
    def brackets(self) -> list[Bracket]:
        """Label and span of every node, the root included, in preorder."""
        return [Bracket(node.label, node.span) for node in self.nodes]

    def vertex(self, number: int) -> Token | Node:
        """Return the token or node with this vertex number."""
        count = len(self.sentence)
        if number < 0:  # such as the parent of the root
            raise IndexError(f"there is no vertex {number}")
        return self.sentence[number] if number < count else self.nodes[number - count]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        mine, yours = self._values(), other._values()
        if mine["secondary_edges"] != yours["secondary_edges"]:  # their order means nothing
            for values in (mine, yours):
                values["secondary_edges"] = sorted(values["secondary_edges"])
        return mine == yours

    def __hash__(self) -> int:
        return hash((self.id, self.sentence, self.root))

    def __str__(self) -> str:
        words = " ".join(f"{i}={token.form}" for i, token in enumerate(self.sentence))
        return f"{self.root} {words}"

    def __repr__(self) -> str:
        return f"<Tree {self.id}: {self}>"

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Tree, **self._values()), ()


def _uncovered(sentence: Sentence, root: Node) -> str:
    count = len(sentence)
    if beyond := spans.tokens_of(root.span >> count << count):
        return f"the root covers tokens {beyond}, the sentence has {count}"
    return f"the root does not cover tokens {spans.tokens_of(~root.span & (1 << count) - 1)}"

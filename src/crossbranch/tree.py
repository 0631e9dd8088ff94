"""Token, Node, Tree: the only data structure for trees.

A tree is a sentence (a tuple of tokens) and a root. A node has a label and children, which are
nodes or token indices, ordered by their first token; nothing forces its tokens to be neighbours.
Everything is immutable, hashable and comparable.

Tokens and nodes together are the *vertices* of a tree: tokens are 0 .. n-1, the root is n, and the
other nodes follow in preorder. Secondary edges name their ends this way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

from crossbranch import _core
from crossbranch import span as spans
from crossbranch.errors import TreeError
from crossbranch.span import Block, Span

ROOT = "ROOT"
"""Label of the virtual root, which holds together what a treebank leaves unconnected."""

Features = tuple[tuple[str, str], ...]
"""What a format adds: pairs of name and value, sorted by name."""


class Token(NamedTuple):
    """One input word."""

    form: str
    tag: str = ""
    lemma: str = ""
    morphology: str = ""
    edge_label: str = ""  # the word's function in the node above it
    features: Features = ()


Sentence = tuple[Token, ...]


class Bracket(NamedTuple):
    """What evaluation counts."""

    label: str
    span: Span


class SecondaryEdge(NamedTuple):
    """A further edge, from a vertex to another vertex that is not its parent in the tree."""

    label: str
    child: int
    parent: int


class Node:
    """A label over children, which are nodes or token indices, ordered by first token."""

    __slots__ = ("children", "edge_label", "features", "head", "label", "span")

    label: str
    children: tuple[Node | int, ...]
    edge_label: str
    head: int | None
    features: Features
    span: Span

    def __init__(
        self,
        label: str,
        children: Iterable[Node | int] = (),
        *,
        edge_label: str = "",
        head: int | None = None,
        features: Features = (),
    ) -> None:
        """Make a node; `head` is the position of the head among the children, if it is marked."""
        below = tuple(children)
        span = last_first = 0
        ordered = True
        for child in below:
            try:
                part = 1 << child if child.__class__ is int else child.span  # type: ignore[union-attr]
            except (ValueError, AttributeError):
                expected = "a node or the index of a token"
                raise TreeError(f"{label} has the child {child!r}, expected {expected}") from None
            if span & part or not part:
                _refuse(label, child, part)
            first = part & -part
            if first < last_first:
                ordered = False
            last_first = first
            span |= part
        if head is not None and not 0 <= head < len(below):
            raise TreeError(f"{label} has head {head} among {len(below)} children")
        if not ordered:
            order = sorted(range(len(below)), key=lambda i: _first(below[i]))
            head = None if head is None else order.index(head)
            below = tuple([below[i] for i in order])
        fix = object.__setattr__
        fix(self, "label", label)
        fix(self, "children", below)
        fix(self, "edge_label", edge_label)
        fix(self, "head", head)
        fix(self, "features", features)
        fix(self, "span", span)

    def __setattr__(self, name: str, value: object = None) -> NoReturn:
        raise AttributeError(f"a Node cannot be changed; use replace({name}=...)")

    __delattr__ = __setattr__

    def replace(self, **changes: Any) -> Node:
        """Return a copy with some fields changed."""
        fields = {name: getattr(self, name) for name in Node.__slots__ if name != "span"}
        return Node(**(fields | changes))

    @property
    def blocks(self) -> list[Block]:
        """The maximal runs of neighbouring tokens, half-open, from left to right."""
        return spans.blocks(self.span)

    @property
    def fan_out(self) -> int:
        """The number of blocks."""
        return spans.fan_out(self.span)

    @property
    def gap_degree(self) -> int:
        """The number of gaps: one less than the fan-out."""
        return max(spans.fan_out(self.span) - 1, 0)

    @property
    def is_discontinuous(self) -> bool:
        """Whether the tokens are not all neighbours."""
        return spans.fan_out(self.span) > 1

    @property
    def tokens(self) -> list[int]:
        """The token indices below this node, in ascending order."""
        return spans.tokens_of(self.span)

    @property
    def head_token(self) -> int | None:
        """The token reached by going from head to head; None where a head is not marked."""
        node: Node | int = self
        while isinstance(node, Node):
            if node.head is None and len(node.children) != 1:
                return None
            node = node.children[node.head or 0]
        return node

    def preorder(self) -> Iterator[Node]:
        """Yield this node and all nodes below it, parents first, from left to right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend([c for c in reversed(node.children) if c.__class__ is not int])  # type: ignore[misc]

    def postorder(self) -> Iterator[Node]:
        """Yield this node and all nodes below it, children first, from left to right."""
        reverse: list[Node] = []
        stack = [self]
        while stack:
            node = stack.pop()
            reverse.append(node)
            stack.extend([c for c in node.children if c.__class__ is not int])  # type: ignore[misc]
        return reversed(reverse)

    def __hash__(self) -> int:
        return hash((self.label, self.edge_label, self.span, len(self.children)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        # Not recursive: trees may be deeper than Python's stack.
        pairs: list[tuple[Node | int, Node | int]] = [(self, other)]
        while pairs:
            one, two = pairs.pop()
            if one is two:
                continue
            if not isinstance(one, Node) or not isinstance(two, Node):
                if one != two:
                    return False
            elif (
                one.span == two.span
                and one.label == two.label
                and one.edge_label == two.edge_label
                and one.head == two.head
                and one.features == two.features
                and len(one.children) == len(two.children)
            ):
                pairs.extend(zip(one.children, two.children, strict=True))
            else:
                return False
        return True

    def __str__(self) -> str:
        """The node as brackets over token indices, its edge label after a slash."""
        text: dict[int, str] = {}
        for node in self.postorder():
            parts = [str(c) if isinstance(c, int) else text.pop(id(c)) for c in node.children]
            name = f"{node.label}/{node.edge_label}" if node.edge_label else node.label
            text[id(node)] = f"({' '.join([name, *parts])})"
        return text[id(self)]

    def __repr__(self) -> str:
        return f"<Node {self}>"

    def __reduce__(self) -> tuple[object, ...]:
        # Flat, since pickling nested nodes would need a stack as deep as the tree.
        number: dict[int, int] = {}
        rows = []
        for row, node in enumerate(self.postorder()):
            number[id(node)] = row
            children = [c if isinstance(c, int) else ~number[id(c)] for c in node.children]
            rows.append((node.label, children, node.edge_label, node.head, node.features))
        return _node, (rows,)

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, memo: object) -> Node:
        return self


class Tree:
    """A sentence and its root; secondary edges, id, comments and features travel along."""

    __slots__ = (
        "_nodes",
        "_parents",
        "comments",
        "features",
        "id",
        "root",
        "secondary_edges",
        "sentence",
    )

    sentence: Sentence
    root: Node
    id: str
    secondary_edges: tuple[SecondaryEdge, ...]
    comments: tuple[str, ...]
    features: Features
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
        fix(self, "_nodes", None)
        fix(self, "_parents", None)
        edges = tuple(secondary_edges)
        fix(self, "secondary_edges", edges)
        if edges:
            count = len(sentence) + len(self.nodes)
            for edge in edges:
                if not (0 <= edge.child < count and 0 <= edge.parent < count):
                    raise TreeError(f"{edge} has an end that is no vertex of this tree")

    def __setattr__(self, name: str, value: object = None) -> NoReturn:
        raise AttributeError(f"a Tree cannot be changed; use replace({name}=...)")

    __delattr__ = __setattr__

    def replace(self, **changes: Any) -> Tree:
        """Return a copy with some fields changed."""
        fields = {name: getattr(self, name) for name in Tree.__slots__[2:]}
        return Tree(**(fields | changes))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes in preorder: the vertex of nodes[k] is len(sentence) + k."""
        if self._nodes is None:
            object.__setattr__(self, "_nodes", tuple(self.root.preorder()))
        return self._nodes  # type: ignore[return-value]

    @property
    def parents(self) -> tuple[int, ...]:
        """The parent of each vertex, as a vertex; -1 for the root."""
        if self._parents is None:
            object.__setattr__(self, "_parents", self._find_parents())
        return self._parents  # type: ignore[return-value]

    def _find_parents(self) -> tuple[int, ...]:
        count = len(self.sentence)
        parents = [-1] * (count + len(self.nodes))
        # In preorder, the next unseen node child of the latest open node comes next.
        open_nodes: list[tuple[int, int]] = []  # (vertex, node children still to come)
        for vertex, node in enumerate(self.nodes, count):
            if open_nodes:
                parent, left = open_nodes.pop()
                parents[vertex] = parent
                if left > 1:
                    open_nodes.append((parent, left - 1))
            inner = 0
            for child in node.children:
                if isinstance(child, int):
                    parents[child] = vertex
                else:
                    inner += 1
            if inner:
                open_nodes.append((vertex, inner))
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
        gappy = [node.span for node in self.nodes if node.is_discontinuous]
        return len(gappy) > 1 and self.shape.is_ill_nested()

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

    def _key(self) -> tuple[object, ...]:
        return (self.id, self.sentence, self.secondary_edges, self.comments, self.features)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return self._key() == other._key() and self.root == other.root

    def __hash__(self) -> int:
        return hash((self.id, self.sentence, self.root))

    def __str__(self) -> str:
        words = " ".join(f"{i}={token.form}" for i, token in enumerate(self.sentence))
        return f"{self.root} {words}"

    def __repr__(self) -> str:
        return f"<Tree {self.id}: {self}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _tree, tuple(getattr(self, name) for name in Tree.__slots__[2:])

    def __copy__(self) -> Tree:
        return self

    def __deepcopy__(self, memo: object) -> Tree:
        return self


def feature(features: Features, name: str, default: str = "") -> str:
    """Return the value of a feature."""
    for key, value in features:
        if key == name:
            return value
    return default


def with_feature(features: Features, name: str, value: str | None) -> Features:
    """Return features with this one set, or removed where the value is None."""
    kept = [pair for pair in features if pair[0] != name]
    return tuple(sorted(kept if value is None else [*kept, (name, value)]))


def _first(child: Node | int) -> int:
    return child if isinstance(child, int) else spans.first_of(child.span)


def _refuse(label: str, child: Node | int, part: Span) -> NoReturn:
    if not part:
        raise TreeError(f"{label} has a child without tokens: {child}")
    raise TreeError(f"{label} has a child that shares tokens with another: {child}")


def _uncovered(sentence: Sentence, root: Node) -> str:
    missing = spans.tokens_of(((1 << len(sentence)) - 1) & ~root.span)
    beyond = spans.tokens_of(root.span >> len(sentence) << len(sentence))
    if beyond:
        return f"the root covers tokens {beyond}, the sentence has {len(sentence)}"
    return f"the root does not cover tokens {missing}"


def _node(rows: list[tuple[str, list[int], str, int | None, Features]]) -> Node:
    nodes: list[Node] = []
    for label, children, edge_label, head, features in rows:
        parts = [c if c >= 0 else nodes[~c] for c in children]
        nodes.append(Node(label, parts, edge_label=edge_label, head=head, features=features))
    return nodes[-1]


def _tree(
    comments: tuple[str, ...],
    features: Features,
    id: str,
    root: Node,
    secondary_edges: tuple[SecondaryEdge, ...],
    sentence: Sentence,
) -> Tree:
    return Tree(
        sentence,
        root,
        id=id,
        secondary_edges=secondary_edges,
        comments=comments,
        features=features,
    )

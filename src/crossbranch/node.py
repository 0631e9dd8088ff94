"""Token and Node: the parts that trees are made of.

A node has a label and children. Children are nodes or token indices, ordered by their first token.
The tokens of a node need not be neighbours. Tokens and nodes are immutable, hashable and
comparable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NamedTuple, NoReturn, Self

from crossbranch import span as spans
from crossbranch.errors import ArgumentError, TreeError, shown
from crossbranch.span import Block, Span

ROOT = "ROOT"
"""Label of the virtual root, which is above the parts that a treebank leaves unconnected."""

Features = tuple[tuple[str, str], ...]
"""What a format adds: pairs of name and value, sorted by name."""


_MOST_TOKENS = 1 << 24  # of a sentence


class Token(NamedTuple):
    """One input word."""

    form: str
    tag: str = ""
    lemma: str = ""
    morphology: str = ""
    edge_label: str = ""  # the function of the word in the node above it
    features: Features = ()
    start: int | None = None  # position in the raw text, in characters; None: not known
    end: int | None = None

    @property
    def function(self) -> str:
        """The function of the word in the node above it: its edge label."""
        return self.edge_label


Sentence = tuple[Token, ...]


class Value:
    """An immutable object. A copy of it is the object itself; `replace` makes a changed one."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]]

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return type(self)(**(self._values() | changes))

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._fields}

    def __setattr__(self, name: str, value: object = None) -> NoReturn:
        kind = type(self).__name__
        raise AttributeError(f"a {kind} cannot be changed; use replace({name}=...)")

    __delattr__ = __setattr__

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class Node(Value):
    """A label over children, which are nodes or token indices, ordered by first token."""

    __slots__ = ("children", "edge_label", "features", "head", "label", "span")
    _fields = ("label", "children", "edge_label", "head", "features")

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
        """Make a node. `head` is the position of the head among the children, if it is known."""
        if label.__class__ is not str:
            _check_label(label)
        below = tuple(children)
        span = last_first = 0
        ordered = True
        for child in below:
            try:
                is_token = child.__class__ is int and child < _MOST_TOKENS
                part = 1 << child if is_token else child.span  # type: ignore[operator,union-attr]
            except (ValueError, AttributeError):
                _refuse(label, child, None)
            if span & part or not part:
                _refuse(label, child, part)
            first = part & -part
            if first < last_first:
                ordered = False
            last_first = first
            span |= part
        if head is not None and (not isinstance(head, int) or not 0 <= head < len(below)):
            raise TreeError(
                f"{label} has head {shown(head)}, but the number of its children is {len(below)}"
            )
        if not ordered:
            order = sorted(range(len(below)), key=lambda i: _first(below[i]))
            head = None if head is None else order.index(head)
            below = tuple([below[i] for i in order])
        _set_label(self, label)
        _set_children(self, below)
        _set_edge_label(self, edge_label)
        _set_head(self, head)
        _set_features(self, features)
        _set_span(self, span)

    @property
    def function(self) -> str:
        """The function in the node above, such as SB: the edge label."""
        return self.edge_label

    @property
    def blocks(self) -> list[Block]:
        """The maximal runs of neighbouring tokens, as half-open ranges from left to right."""
        return spans.blocks(self.span)

    @property
    def fan_out(self) -> int:
        """The number of blocks."""
        return spans.fan_out(self.span)

    @property
    def gap_degree(self) -> int:
        """The number of gaps, which is the fan-out minus one."""
        return max(spans.fan_out(self.span) - 1, 0)

    @property
    def is_discontinuous(self) -> bool:
        """Whether the node has a gap: its tokens are not all neighbours."""
        return spans.is_discontinuous(self.span)

    @property
    def tokens(self) -> list[int]:
        """The token indices below this node, in ascending order."""
        return spans.tokens_of(self.span)

    @property
    def head_token(self) -> int | None:
        """The token reached by going from head to head. None if a head is not marked."""
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
        """The node as brackets with token indices. Edge labels follow a slash."""
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


# The slots' own setters are quicker than object.__setattr__, and trees are made by the million.
(
    _set_children,
    _set_edge_label,
    _set_features,
    _set_head,
    _set_label,
    _set_span,
) = (getattr(Node, name).__set__ for name in Node.__slots__)


def trusted_node(
    label: str,
    children: tuple[Node | int, ...],
    span: Span,
    edge_label: str = "",
    head: int | None = None,
    features: Features = (),
) -> Node:
    """Return a node without checking it.

    The children must be in order and disjoint, and `span` must be the union of their spans. This
    saves time in code that makes millions of nodes from checked data.
    """
    node = Node.__new__(Node)
    _set_label(node, label)
    _set_children(node, children)
    _set_edge_label(node, edge_label)
    _set_head(node, head)
    _set_features(node, features)
    _set_span(node, span)
    return node


def complete_nodes(nodes: Iterable[Node], edge_labels: list[str], heads: list[int]) -> None:
    """Set functions and heads of nodes that nobody else has seen yet. -1 means no head.

    Nodes never change, so this is only for code that has just made them. It saves making them
    again.
    """
    for node, edge_label, head in zip(nodes, edge_labels, heads, strict=True):
        if edge_label:
            _set_edge_label(node, edge_label)
        if head >= 0:
            _set_head(node, head)


def feature(features: Features, name: str, default: str = "") -> str:
    """Return the value of a feature."""
    return next((value for key, value in features if key == name), default)


def with_feature(features: Features, name: str, value: str | None) -> Features:
    """Return features with this one set, or removed if the value is None."""
    kept = [pair for pair in features if pair[0] != name]
    return tuple(sorted(kept if value is None else [*kept, (name, value)]))


def _first(child: Node | int) -> int:
    return child if isinstance(child, int) else spans.first_of(child.span)


def _check_label(label: object) -> None:
    if not isinstance(label, str):
        raise ArgumentError(f"Node: label is {shown(label)}, expected a text")


def _refuse(label: str, child: Node | int, part: Span | None) -> NoReturn:
    if part is None:
        message = f"{label} has the child {shown(child)}, expected a node or the index of a token"
        raise TreeError(message) from None
    if not part:
        raise TreeError(f"{label} has a child without tokens: {child}")
    raise TreeError(f"{label} has a child that shares tokens with another: {child}")


def _node(rows: list[tuple[str, list[int], str, int | None, Features]]) -> Node:
    nodes: list[Node] = []
    for label, children, edge_label, head, features in rows:
        parts = [c if c >= 0 else nodes[~c] for c in children]
        nodes.append(Node(label, parts, edge_label=edge_label, head=head, features=features))
    return nodes[-1]

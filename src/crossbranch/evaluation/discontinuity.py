"""A discontinuity as linguists see it: a head, its separated children, and the words between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from crossbranch.punctuation import is_punctuation
from crossbranch.span import Span, blocks, first_of, last_of, span_of, tokens_of
from crossbranch.tree import Node, Token, Tree

Child = Node | int
FindHead = Callable[[Node, Tree], Child]


def span_of_child(child: Child) -> Span:
    """Return the tokens of a node or of a single token."""
    return 1 << child if isinstance(child, int) else child.span


@dataclass(frozen=True)
class Discontinuity:
    """A discontinuous node whose gap does not come from one of its children.

    `inherited` are the nodes above it that are discontinuous only because this node is.
    """

    tree: Tree
    node: Node
    parent: Node
    head: Child
    punctuation: Span
    inherited: tuple[Node, ...] = ()

    @cached_property
    def gap(self) -> list[int]:
        """The words in the gaps."""
        return tokens_of(_gap(self.node.span, self.punctuation))

    @cached_property
    def _block_of_head(self) -> Span:
        """The block of the head's first word."""
        start = first_of(span_of_child(self.head))
        whole = self.node.span | _filler(self.node.span, self.punctuation)
        found = next(block for block in blocks(whole) if block[0] <= start < block[1])
        return (1 << found[1]) - (1 << found[0])

    @cached_property
    def front(self) -> list[Child]:
        """The children before the gap to the left of the head."""
        first = first_of(self._block_of_head)
        return [c for c in self.node.children if last_of(span_of_child(c)) < first]

    @cached_property
    def back(self) -> list[Child]:
        """The children after the gap to the right of the head."""
        last = last_of(self._block_of_head)
        return [c for c in self.node.children if first_of(span_of_child(c)) > last]

    @cached_property
    def clause(self) -> Node:
        """The lowest node above that contains the node and the words in its gaps."""
        needed = self.node.span | span_of(self.gap)
        node = self.tree.root
        while True:
            inside = [c for c in node.children if isinstance(c, Node) and not needed & ~c.span]
            if not inside or inside[0] is self.node:
                return node
            node = inside[0]

    def token(self, index: int) -> Token:
        """Return a token of the sentence."""
        return self.tree.sentence[index]

    def words(self, child: Child) -> list[Token]:
        """Return the words of a child, without punctuation."""
        return [self.token(i) for i in tokens_of(span_of_child(child) & ~self.punctuation)]

    def label(self, child: Child) -> str:
        """Return the label of a node or the tag of a token."""
        return self.token(child).tag if isinstance(child, int) else child.label


def discontinuities(tree: Tree, find_head: FindHead) -> Iterator[Discontinuity]:
    """Yield the discontinuities of a tree, in the order of its nodes. Punctuation is ignored."""
    marks = span_of(i for i, token in enumerate(tree.sentence) if is_punctuation(token))
    parent = {id(c): node for node in tree.nodes for c in node.children if isinstance(c, Node)}
    source_of: dict[int, Node] = {}
    inherited: dict[int, list[Node]] = {}
    sources: list[Node] = []
    for node in reversed(tree.nodes):  # children before parents
        gap = _gap(node.span, marks)
        if not gap:
            continue
        origin = next((c for c in node.children if _passes_on(c, gap, marks)), None)
        if origin is None:
            source_of[id(node)] = node
            inherited[id(node)] = []
            sources.append(node)
        else:
            source_of[id(node)] = source_of[id(origin)]
            inherited[id(source_of[id(node)])].append(node)
    for node in reversed(sources):
        above = tuple(inherited[id(node)])
        yield Discontinuity(tree, node, parent[id(node)], find_head(node, tree), marks, above)


def _passes_on(child: Child, gap: Span, marks: Span) -> bool:
    return isinstance(child, Node) and not gap & ~_gap(child.span, marks)


def _gap(span: Span, marks: Span) -> Span:
    """Return the words between the first and the last word of a span that are not in the span."""
    words = span & ~marks
    if not words:
        return 0
    between = (1 << last_of(words)) - (1 << first_of(words))
    return between & ~span & ~marks


def _filler(span: Span, marks: Span) -> Span:
    """Return the punctuation next to the words of a span or between them, block by block."""
    filled, grown = 0, span
    while filled != grown:
        filled = grown
        grown |= (grown << 1 | grown >> 1) & marks
    return grown & ~span

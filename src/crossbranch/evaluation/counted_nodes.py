"""Decides which nodes count, and as which bracket. No other module decides this.

A node counts unless its label is deleted or all its tokens are deleted. It counts as a bracket: a
label over the remaining tokens. Labels that the parameters call equal count as one label.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from crossbranch.evaluation.parameters import Parameters, representatives
from crossbranch.span import Span, span_of
from crossbranch.tree import Bracket, Node, Tree

if TYPE_CHECKING:
    from crossbranch.evaluation.pairs import Pair

CountedNode = tuple[Node, Bracket, Bracket | None]
"""A node that counts, its bracket, and the next bracket that counts above it."""

_make_bracket = partial(tuple.__new__, Bracket)


def deleted_tokens(gold: Tree, parameters: Parameters) -> list[int]:
    """Return the tokens that are deleted from both trees, by their gold tags and words."""
    labels, words = parameters.deleted_labels, parameters.deleted_words
    found = {
        index
        for index, token in enumerate(gold.sentence)
        if token.tag in labels or token.form in words
    }
    if parameters.deletes_root_tokens:
        found |= {child for child in gold.root.children if isinstance(child, int)}
    return sorted(found)


def compress(span: Span, deleted: Iterable[int]) -> Span:
    """Return a span without the deleted tokens; the others are renumbered. `deleted` ascends."""
    for done, token in enumerate(deleted):
        place = token - done
        span = (span >> place + 1 << place) | (span & (1 << place) - 1)
    return span


def by_levels(root: Node) -> list[Node]:
    """Return all nodes, level by level. This is faster than preorder."""
    nodes = [root]
    for node in nodes:  # the list grows inside the loop
        nodes += [child for child in node.children if child.__class__ is not int]  # type: ignore[misc]
    return nodes


class _Compressed(dict[Span, Span]):
    """Spans without the deleted tokens, by the spans with them.

    They are kept, because the trees of a sentence have most spans in common. This matters for long
    sentences with hundreds of trees.
    """

    __slots__ = ("_inner", "_kept")

    def __init__(self, length: int, deleted: list[int]) -> None:
        super().__init__()
        self._kept = (1 << length) - 1 & ~span_of(deleted)
        # Deleting tokens at the end of the sentence changes no other numbers.
        self._inner = [token for token in deleted if self._kept >> token]

    def __missing__(self, span: Span) -> Span:
        found = self[span] = compress(span & self._kept, self._inner)
        return found


class Counting:
    """Decides which nodes count in the trees of one sentence."""

    def __init__(self, gold: Tree, parameters: Parameters) -> None:
        """Find the tokens to delete from all trees, by the tags and words of the gold tree."""
        self.parameters = parameters
        self._equal = representatives(parameters.equal_labels)
        self.deleted = deleted_tokens(gold, parameters)
        """The tokens deleted from all trees, in ascending order."""
        self._compressed = _Compressed(len(gold.sentence), self.deleted)

    def brackets(self, nodes: Iterable[Node]) -> list[tuple[Node, Bracket]]:
        """Return the nodes that count, in the given order, with their brackets.

        All scores depend on this function, so it must be fast: what can be done once is not done
        for each node.
        """
        skip = self.parameters.deleted_labels
        found = [(node, node.label, node.span) for node in nodes if node.label not in skip]
        if self.deleted:
            compressed = self._compressed
            found = [(node, label, compressed[span]) for node, label, span in found]
        if not self.parameters.labelled:
            found = [(node, "", span) for node, _, span in found]
        elif equal := self._equal:
            found = [(node, equal.get(label, label), span) for node, label, span in found]
        return [(node, _make_bracket((label, span))) for node, label, span in found if span]

    def bracketed(self, span: Span) -> Span:
        """Return a span as it is in brackets: without the deleted tokens."""
        return self._compressed[span]

    def label(self, node: Node) -> str:
        """Return the label that a node counts as, even if `labelled` is False."""
        return self._equal.get(node.label, node.label)

    def of(self, tree: Tree) -> dict[int, Bracket]:
        """Return the brackets of the nodes that count, by the `id` of the node."""
        return {id(node): bracket for node, bracket in self.brackets(by_levels(tree.root))}


def counted_nodes(pair: Pair, tree: Tree) -> list[CountedNode]:
    """Return the nodes of either tree that count, parents first."""
    brackets = pair.counting.of(tree)
    found: list[CountedNode] = []
    stack: list[tuple[Node, Bracket | None]] = [(tree.root, None)]
    while stack:
        node, parent = stack.pop()
        bracket = brackets.get(id(node))
        if bracket is not None:
            found.append((node, bracket, parent))
            parent = bracket
        for child in reversed(node.children):
            if not isinstance(child, int):
                stack.append((child, parent))
    return found

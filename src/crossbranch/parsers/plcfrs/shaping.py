"""From treebank trees to trees whose rules are counted, and from derivations to treebank trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from crossbranch.escape import label_escaper, unescape
from crossbranch.grammar.agenda import AgendaParser, Axiom
from crossbranch.grammar.lcfrs import is_hidden, label_of
from crossbranch.parsers.plcfrs.settings import PlcfrsSettings
from crossbranch.structure.forms import CompleteHeads
from crossbranch.transforms.binarize import Binarize
from crossbranch.transforms.heads import Heads
from crossbranch.transforms.markov import ABOVE, names
from crossbranch.tree import ROOT, Node, Token, Tree

MARK = ":"
"""Of temporary labels."""

Brackets = tuple[tuple[int, str], ...]
"""Spans and labels of all nodes of a tree."""

_escape_tag = label_escaper(rf"\{ABOVE}")


@dataclass(frozen=True)
class Shape:
    """The shape of the trees that a grammar is read off."""

    settings: PlcfrsSettings
    heads: str | None = None
    """The head table; None if the head marks of the trees are used."""

    def apply(self, tree: Tree) -> Tree:
        """Return the binary tree, with Markovized labels and perhaps with split tags."""
        own = self.settings
        if self.heads is not None and own.order == "head-outward":
            tree = Heads(self.heads).apply(tree)
        binarize = Binarize(own.order, MARK, own.horizontal, own.vertical)
        binary = binarize.apply(CompleteHeads().apply(tree))
        return binary.replace(sentence=self._split_tags(tree))

    def _split_tags(self, tree: Tree) -> tuple[Token, ...]:
        tags = {token: _escape_tag(one.tag) for token, one in enumerate(tree.sentence)}
        if self.settings.tag_parents:
            for node in tree.nodes:
                for child in node.children:
                    if isinstance(child, int):
                        tags[child] += ABOVE + node.label
        return tuple(Token(one.form, tags[i]) for i, one in enumerate(tree.sentence))


def tag_of(symbol: str) -> str:
    """Return the tag of the treebank for the symbol of a token."""
    return unescape(label_of(symbol).partition(ABOVE)[0])


class TreeBuilder:
    """Makes treebank trees of derivations: without temporary nodes, and with the old labels."""

    def __init__(self, grammar: AgendaParser, settings: PlcfrsSettings) -> None:
        """Take the rules of a grammar that was read off trees with these settings."""
        naming = names(MARK, settings.horizontal, settings.vertical)
        self._rank = [rule.rank for rule in grammar.rules]
        self._labels: list[str | None] = []  # by rule; None: the node is not part of the tree
        for rule in grammar.rules:
            label = label_of(rule.left)
            is_left_out = is_hidden(rule.left) or naming.is_temporary(label)
            self._labels.append(None if is_left_out else naming.restore(label))

    def label(self, step: int) -> str | None:
        """Return the label of the node that a rule makes; None if the tree does not have it."""
        return self._labels[step]

    def build(self, steps: Sequence[int], axioms: Sequence[Axiom]) -> Node:
        """Return the root of the tree."""
        stack: list[list[Node | int]] = []
        for step in reversed(steps):
            if step < 0:
                stack.append([axioms[~step][0]])
                continue
            children = stack.pop()
            if self._rank[step] == 2:
                children = children + stack.pop()
            label = self._labels[step]
            stack.append(children if label is None else [Node(label, children)])
        (parts,) = stack
        if len(parts) == 1 and isinstance(parts[0], Node):
            return parts[0]
        return Node(ROOT, parts)

    def brackets(self, steps: Sequence[int], axioms: Sequence[Axiom]) -> Brackets:
        """Return what tells the trees of derivations apart, without making the trees.

        Brackets with the same span stay in their order: from the lowest to the highest one.
        """
        found: list[tuple[int, str]] = []
        stack: list[int] = []  # spans
        for step in reversed(steps):
            if step < 0:
                stack.append(1 << axioms[~step][0])
                continue
            span = stack.pop()
            if self._rank[step] == 2:
                span |= stack.pop()
            stack.append(span)
            label = self._labels[step]
            if label is not None:
                found.append((span, label))
        found.sort(key=itemgetter(0))
        (whole,) = stack
        if not found or found[-1][0] != whole:
            found.append((whole, ROOT))  # as `build` does
        return tuple(found)

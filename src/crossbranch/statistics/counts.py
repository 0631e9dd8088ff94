"""Statistics of a treebank, counted in one pass; they can be added.

A *constituent* is a node with tokens, except the virtual root. *Without punctuation* means: as if
the punctuation tokens were deleted. Then a gap that consists only of punctuation is not a gap, and
a node that consists only of punctuation is not a constituent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from crossbranch.doors import door
from crossbranch.punctuation import is_punctuation
from crossbranch.statistics.discontinuity import DiscontinuityCounts, without
from crossbranch.statistics.distribution import Counts, Distribution, by_count, by_number
from crossbranch.tree import ROOT, Node, Tree


@dataclass
class Statistics(Counts):
    """Counts of a treebank. The sum of two is the same as counting both files as one.

    Memory grows with the vocabulary and the label sets, not with the number of sentences.
    """

    lengths: Distribution = field(default_factory=Counter)
    """Sentences by number of tokens."""

    sizes: Distribution = field(default_factory=Counter)
    """Sentences by number of constituents."""

    forms: Counter[str] = field(default_factory=Counter)
    """Words."""

    tags: Counter[str] = field(default_factory=Counter)
    """Tags of the tokens; an absent tag counts as the tag ""."""

    labels: Counter[str] = field(default_factory=Counter)
    """Labels of the constituents."""

    edge_labels: Counter[str] = field(default_factory=Counter)
    """Edge labels of tokens and constituents, where there are any."""

    secondary_edges: Counter[str] = field(default_factory=Counter)
    """Labels of the secondary edges."""

    unary_chains: Distribution = field(default_factory=Counter)
    """Unary chains by length: so many constituents in a row, each with an only child."""

    punctuation: int = 0
    """Punctuation tokens."""

    with_punctuation: DiscontinuityCounts = field(default_factory=DiscontinuityCounts)
    """What crosses in the trees as they are."""

    without_punctuation: DiscontinuityCounts = field(default_factory=DiscontinuityCounts)
    """What crosses once the punctuation is deleted."""

    @classmethod
    @door
    def of(cls, trees: Iterable[Tree]) -> Statistics:
        """Count all trees of a stream."""
        found = cls()
        for tree in trees:
            found.count(tree)
        return found

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return self.lengths.total()

    @property
    def tokens(self) -> int:
        """The number of tokens."""
        return self.tags.total()

    @property
    def types(self) -> int:
        """The number of distinct words."""
        return len(self.forms)

    @property
    def mean_length(self) -> float:
        """Tokens per sentence."""
        return self.tokens / self.sentences if self.sentences else 0.0

    @property
    def max_length(self) -> int:
        """Tokens of the longest sentence."""
        return max(self.lengths, default=0)

    @property
    def constituents(self) -> int:
        """The number of constituents."""
        return self.labels.total()

    @property
    def max_constituents(self) -> int:
        """The largest number of constituents in a tree."""
        return max(self.sizes, default=0)

    @property
    def unary_constituents(self) -> int:
        """The number of constituents with a single child, a node or a token."""
        return sum(length * count for length, count in self.unary_chains.items())

    @door
    def count(self, tree: Tree) -> None:
        """Count one more tree."""
        nodes: Sequence[Node] = tree.nodes
        if tree.root.label == ROOT or not tree.sentence:
            nodes = nodes[1:]
        self.lengths[len(tree.sentence)] += 1
        self.sizes[len(nodes)] += 1
        self.forms.update([token.form for token in tree.sentence])
        self.tags.update([token.tag for token in tree.sentence])
        self.labels.update([node.label for node in nodes])
        edge_labels = [token.edge_label for token in tree.sentence if token.edge_label]
        edge_labels += [node.edge_label for node in nodes if node.edge_label]
        if edge_labels:
            self.edge_labels.update(edge_labels)
        if tree.secondary_edges:
            self.secondary_edges.update([edge.label for edge in tree.secondary_edges])
        self._count_unary_chains(nodes)
        self._count_gaps(tree, nodes)

    def _count_unary_chains(self, nodes: Sequence[Node]) -> None:
        # In preorder, the only child of a node comes next.
        length = 0
        for node in nodes:
            if len(node.children) == 1:
                length += 1
                if node.children[0].__class__ is not int:
                    continue
            if length:
                self.unary_chains[length] += 1
                length = 0

    def _count_gaps(self, tree: Tree, nodes: Sequence[Node]) -> None:
        deleted = [i for i, token in enumerate(tree.sentence) if is_punctuation(token)]
        self.punctuation += len(deleted)
        spans = [node.span for node in nodes]
        degrees = [(span & ~(span << 1)).bit_count() - 1 for span in spans]
        ill_nested = degrees.count(0) < len(degrees) - 1 and tree.shape.is_ill_nested()
        self.with_punctuation.count(nodes, degrees, ill_nested)
        if deleted:
            nodes, degrees = without(nodes, degrees, deleted)
            ill_nested = ill_nested and tree.shape.is_ill_nested(deleted)
        self.without_punctuation.count(nodes, degrees, ill_nested)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dict for JSON; docs/statistics.md explains the keys."""
        return {
            "sentences": self.sentences,
            "tokens": self.tokens,
            "types": self.types,
            "punctuation_tokens": self.punctuation,
            "tokens_per_sentence": {
                "mean": round(self.mean_length, 4),
                "max": self.max_length,
                "distribution": by_number(self.lengths),
            },
            "constituents": self.constituents,
            "constituents_per_sentence": {
                "max": self.max_constituents,
                "distribution": by_number(self.sizes),
            },
            "unary_constituents": self.unary_constituents,
            "unary_chains_by_length": by_number(self.unary_chains),
            "labels": by_count(self.labels),
            "tags": by_count(self.tags),
            "edge_labels": by_count(self.edge_labels),
            "secondary_edges": by_count(self.secondary_edges),
            "with_punctuation": self.with_punctuation.to_dict(),
            "without_punctuation": self.without_punctuation.to_dict(),
        }

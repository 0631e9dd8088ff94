"""Discontinuity in a treebank: gap degrees, fan-outs, ill-nested trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from crossbranch.doors import door
from crossbranch.span import Span, fan_out, span_of
from crossbranch.statistics.distribution import Counts, Distribution, by_count, by_number
from crossbranch.tree import Node


@dataclass
class DiscontinuityCounts(Counts):
    """Discontinuity in a treebank, with or without punctuation."""

    constituents: Distribution = field(default_factory=Counter)
    """Constituents by gap degree."""

    sentences: Distribution = field(default_factory=Counter)
    """Sentences by gap degree, the largest one of a constituent."""

    labels: Counter[str] = field(default_factory=Counter)
    """Labels of the discontinuous constituents."""

    ill_nested: int = 0
    """Sentences in which two constituents each have tokens in a gap of the other."""

    @property
    def fan_outs(self) -> Distribution:
        """Constituents by fan-out, which is one more than the gap degree."""
        return Counter({degree + 1: count for degree, count in self.constituents.items()})

    @property
    def max_fan_out(self) -> int:
        """The largest fan-out; 0 if there are no constituents."""
        return max(self.fan_outs, default=0)

    @property
    def discontinuous_constituents(self) -> int:
        """The number of constituents with a gap."""
        return self.labels.total()

    @property
    def discontinuous_sentences(self) -> int:
        """The number of sentences with such a constituent."""
        return self.sentences.total() - self.sentences[0]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dict for JSON; docs/statistics.md explains the keys."""
        return {
            "discontinuous_sentences": self.discontinuous_sentences,
            "discontinuous_constituents": self.discontinuous_constituents,
            "discontinuous_labels": by_count(self.labels),
            "constituents_by_gap_degree": by_number(self.constituents),
            "sentences_by_gap_degree": by_number(self.sentences),
            "constituents_by_fan_out": by_number(self.fan_outs),
            "max_fan_out": self.max_fan_out,
            "ill_nested_sentences": self.ill_nested,
        }

    @door
    def count(self, nodes: Sequence[Node], degrees: Sequence[int], ill_nested: bool) -> None:
        """Count one more tree by its constituents and their gap degrees."""
        highest = max(degrees, default=0)
        self.sentences[highest] += 1
        self.ill_nested += ill_nested
        if highest:
            self.constituents.update(degrees)
            pairs = zip(nodes, degrees, strict=True)
            self.labels.update([node.label for node, degree in pairs if degree])
        elif degrees:
            self.constituents[0] += len(degrees)


def without(
    nodes: Sequence[Node], degrees: Sequence[int], deleted: Sequence[int]
) -> tuple[list[Node], list[int]]:
    """Return the nodes that still have tokens after some are deleted, and their gap degrees."""
    left = ~span_of(deleted)
    nodes = [node for node in nodes if node.span & left]
    if not any(degrees):
        return nodes, [0] * len(nodes)
    return nodes, [_degree_without(node.span, deleted) for node in nodes]


def _degree_without(span: Span, deleted: Sequence[int]) -> int:
    """The gap degree of a span after these tokens are deleted."""
    if not span & (span + (span & -span)):  # one block stays one block
        return 0
    for token in reversed(deleted):
        below = (1 << token) - 1
        span = span & below | span >> 1 & ~below
    return fan_out(span) - 1

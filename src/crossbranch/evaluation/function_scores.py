"""Function scores: the functions of nodes with the right bracket and tokens with the right tag.

A node's function is its edge label. Other nodes and tokens, and empty functions, do not count.
There are also scores of all brackets: here, a bracket is only right if its function is right, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from crossbranch.evaluation.confusions import Confusions, Names, pair_up
from crossbranch.evaluation.counted_nodes import counted_nodes
from crossbranch.evaluation.counts import MatchCounts, Tally, with_percentages
from crossbranch.evaluation.pairs import Pair
from crossbranch.tree import Tree


class NodeFunctions(Confusions):
    """The functions of nodes with a right bracket."""

    __slots__ = ()

    @staticmethod
    def meetings(pair: Pair) -> Iterable[tuple[str, str]]:
        """Return gold and predicted function of each of these nodes."""
        if pair.predicted is None:
            return []
        return pair_up(
            functions_by_bracket(pair, pair.gold), functions_by_bracket(pair, pair.predicted)
        )


class TokenFunctions(Confusions):
    """The functions of tokens that count and have the right tag."""

    __slots__ = ()

    @staticmethod
    def meetings(pair: Pair) -> Iterable[tuple[str, str]]:
        """Return gold and predicted function of each of these tokens."""
        if pair.predicted is None:
            return []
        deleted = set(pair.deleted)
        tokens = zip(pair.gold.sentence, pair.predicted.sentence, strict=True)
        return [
            (one.edge_label, other.edge_label)
            for index, (one, other) in enumerate(tokens)
            if one.tag == other.tag and index not in deleted
        ]


@dataclass(slots=True)
class FunctionScores(Tally):
    """The functions of nodes and of tokens. "" means no function."""

    of_nodes: NodeFunctions = field(default_factory=NodeFunctions)
    of_tokens: TokenFunctions = field(default_factory=TokenFunctions)
    gold_brackets: int = 0
    predicted_brackets: int = 0

    def add(self, pair: Pair) -> None:
        """Score one more sentence."""
        self.of_nodes.add(pair)
        self.of_tokens.add(pair)
        self.gold_brackets += pair.gold_brackets.total()
        self.predicted_brackets += pair.predicted_brackets.total()

    @property
    def brackets(self) -> MatchCounts:
        """All brackets. One is right if its label, its span and its function are right."""
        matched = sum(n for (one, other), n in self.of_nodes.counts.items() if one == other)
        return MatchCounts(self.gold_brackets, self.predicted_brackets, matched)

    @property
    def node_accuracy(self) -> float:
        """The share of correctly bracketed nodes with the right function.

        Nodes that have a function in neither tree do not count.
        """
        return _accuracy(self.of_nodes)

    @property
    def token_accuracy(self) -> float:
        """The share of correctly tagged tokens with the right function.

        Tokens that have a function in neither tree do not count.
        """
        return _accuracy(self.of_tokens)

    @property
    def nodes(self) -> MatchCounts:
        """The functions of correctly bracketed nodes."""
        return sum((counts for _, counts in _filled(self.of_nodes)), MatchCounts())

    @property
    def tokens(self) -> MatchCounts:
        """The functions of correctly tagged tokens."""
        return sum((counts for _, counts in _filled(self.of_tokens)), MatchCounts())

    @property
    def all(self) -> MatchCounts:
        """The functions of nodes and tokens together."""
        return self.nodes + self.tokens

    @property
    def _both(self) -> Confusions:
        return NodeFunctions(self.of_nodes.counts + self.of_tokens.counts)

    def rows(self) -> list[tuple[str, MatchCounts]]:
        """Return the counts of each function, the most frequent in gold first."""
        return _filled(self._both)

    def errors(self) -> list[tuple[str, str, int]]:
        """Return gold function, predicted function and count, the most frequent first."""
        return self._both.errors()

    def to_dict(self) -> dict[str, Any]:
        """Return counts and figures for JSON."""
        return {
            "all": self.all.to_dict(),
            "nodes": self.nodes.to_dict(),
            "tokens": self.tokens.to_dict(),
            "brackets": self.brackets.to_dict(),
            **with_percentages(
                {"node_accuracy": self.node_accuracy, "token_accuracy": self.token_accuracy}
            ),
            "functions": {name: counts.to_dict() for name, counts in self.rows()},
            "errors": self._both.to_dict()["errors"],
        }


def _accuracy(functions: Confusions) -> float:
    pairs = [(names, count) for names, count in functions.counts.items() if any(names)]
    right = sum(count for (one, other), count in pairs if one == other)
    total = sum(count for _, count in pairs)
    return right / total if total else 1.0


def _filled(functions: Confusions) -> list[tuple[str, MatchCounts]]:
    return [(name, counts) for name, counts in functions.rows() if name]


def functions_by_bracket(pair: Pair, tree: Tree) -> Names:
    """Return the functions of the nodes of a tree that count, by bracket."""
    found: Names = {}
    for node, bracket, _ in counted_nodes(pair, tree):
        found.setdefault(bracket, []).append(node.edge_label)
    return found

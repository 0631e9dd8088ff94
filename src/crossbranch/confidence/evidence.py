"""Confidence: what a wide search has to say for and against a tree and its constituents.

The trees that a search kept share out probability by their scores. A constituent has that of all
the trees it is in. Since a search keeps trees that are much alike, and keeps the more of them the
wider it is, these numbers are evidence only; a `Calibration` says what they are worth.

Trees and constituents are compared as evaluation does it: a bracket that it would not count, such
as the root's, has no confidence, and punctuation makes no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING

from crossbranch.constituent import CONFIDENCE
from crossbranch.evaluation.counted_nodes import Counting, by_levels
from crossbranch.evaluation.parameters import PARAMETERS
from crossbranch.span import Span, is_discontinuous
from crossbranch.tree import Bracket, Node, Sentence, Tree, with_feature

if TYPE_CHECKING:
    from crossbranch.confidence.calibration import BeamCalibration

Key = tuple[str, Span, int]
"""A bracket that counts, over the tokens that count, and which of several equal ones it is."""
Row = tuple[float, ...]

TREE_ROW = ("one", "log odds", "log length", "is best", "log rank")
CONSTITUENT_ROW = (
    *("one", "log odds", "log length", "log size", "is discontinuous"),
    *("in best", "in none", "in all", "log odds if discontinuous"),
)
"""What the numbers of the evidence are, in order."""

_PARAMETERS = PARAMETERS["proper"]
_LEAST = 1e-3  # probabilities nearer to 0 or 1 are evidence of the same weight


class Counted:
    """Which brackets of a sentence's trees count."""

    def __init__(self, sentence: Sentence) -> None:
        self.length = len(sentence)
        self._counting = Counting(Tree(sentence, Node("", range(self.length))), _PARAMETERS)

    def nodes(self, root: Node) -> list[tuple[Node, Key]]:
        """Return the nodes of a tree that count, parents first, with what they count as."""
        return self._numbered(root.preorder())

    def keys(self, root: Node) -> frozenset[Key]:
        """Return what counts of a tree: equal for trees that evaluation takes for the same."""
        return frozenset([key for _, key in self._numbered(by_levels(root))])

    def _numbered(self, nodes: Iterable[Node]) -> list[tuple[Node, Key]]:
        seen: dict[Bracket, int] = {}
        found: list[tuple[Node, Key]] = []
        for node, bracket in self._counting.brackets(nodes):
            number = seen.get(bracket, 0)
            found.append((node, (*bracket, number)))
            seen[bracket] = number + 1
        return found

    def is_discontinuous(self, span: Span) -> bool:
        """Say whether a bracket has a gap other than of punctuation."""
        return is_discontinuous(span)


class Alternatives:
    """The trees that a wide search kept of a sentence, with their probabilities."""

    def __init__(
        self, trees: Sequence[tuple[float, frozenset[Key]]], counted: Counted, temperature: float
    ) -> None:
        """Take trees as scores and brackets, the best one first."""
        self._counted = counted
        self._best = trees[0][1]
        self._size = len(trees)
        self._trees: dict[frozenset[Key], float] = {}
        self._brackets: dict[Key, float] = {}
        self._holders: Counter[Key] = Counter()
        for share, (_, keys) in zip(shares([s for s, _ in trees], temperature), trees, strict=True):
            self._trees[keys] = self._trees.get(keys, 0.0) + share
            self._holders.update(keys)
            for key in keys:
                self._brackets[key] = self._brackets.get(key, 0.0) + share

    def tree_row(self, keys: frozenset[Key], rank: int) -> Row:
        """Return the evidence on a tree, which was the `rank`th best of its own search."""
        odds = _log_odds(self._trees.get(keys, 0.0))
        return 1.0, odds, log(self._counted.length), float(keys == self._best), log(rank)

    def constituent_row(self, key: Key) -> Row:
        """Return the evidence on a constituent."""
        odds = _log_odds(self._brackets.get(key, 0.0))
        gappy = float(self._counted.is_discontinuous(key[1]))
        holders = self._holders[key]
        return (
            *(1.0, odds, log(self._counted.length), log(key[1].bit_count()), gappy),
            *(float(key in self._best), float(not holders), float(holders == self._size)),
            gappy * odds,
        )


def shares(scores: Sequence[float], temperature: float) -> list[float]:
    """Share probability out by scores; the higher the temperature, the more evenly."""
    best = max(scores)
    parts = [exp((score - best) / temperature) for score in scores]
    total = sum(parts)
    return [part / total for part in parts]


def with_confidence(
    trees: Sequence[Tree], wide: Sequence[tuple[float, Node]], calibration: BeamCalibration
) -> list[Tree]:
    """Return the best trees of a sentence with confidence, given what a wide search kept.

    The same constituent has the same confidence in all of them.
    """
    sentence = trees[0].sentence
    if not sentence:  # nothing to be wrong about
        return list(trees)
    counted = Counted(sentence)
    kept = [(score, counted.keys(root)) for score, root in wide]
    kept = kept or [(0.0, counted.keys(trees[0].root))]  # a fall-back tree is all there is
    alternatives = Alternatives(kept, counted, calibration.temperature)
    known: dict[Key, str] = {}
    found = []
    for rank, tree in enumerate(trees, 1):
        nodes = counted.nodes(tree.root)
        for _, key in nodes:
            if key not in known:
                known[key] = written(calibration.constituent(alternatives.constituent_row(key)))
        row = alternatives.tree_row(frozenset([key for _, key in nodes]), rank)
        values = {id(node): known[key] for node, key in nodes}
        found.append(mark(tree, values, written(calibration.tree(row, rank))))
    return found


def mark(tree: Tree, values: Mapping[int, str], whole: str | None) -> Tree:
    """Return a tree with the confidence of nodes, given by their `id`, and of the whole tree."""
    features = with_feature(tree.features, CONFIDENCE, whole)
    return tree.replace(root=_renewed(tree.root, values), features=features)


def without_confidence(tree: Tree) -> Tree:
    """Return a tree as it was before it had confidence."""
    return mark(tree, {}, None)


def _renewed(root: Node, values: Mapping[int, str]) -> Node:
    """Set the confidence of nodes, by their `id`, and remove it from all others."""
    new: dict[int, Node] = {}
    for node in root.postorder():
        new[id(node)] = node.replace(
            children=[c if isinstance(c, int) else new[id(c)] for c in node.children],
            features=with_feature(node.features, CONFIDENCE, values.get(id(node))),
        )
    return new[id(root)]


def _log_odds(probability: float) -> float:
    sure = min(max(probability, _LEAST), 1.0 - _LEAST)
    return log(sure / (1.0 - sure))


def written(probability: float) -> str:
    """Return a probability as features have it."""
    return f"{probability:.3f}"

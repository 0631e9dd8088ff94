"""Evidence for and against a tree and its constituents, from a wide search.

The trees that a search keeps are weighted by their scores (a softmax). The weight of a constituent
is the total weight of the trees that contain it. These weights are not yet probabilities: a search
keeps many similar trees, and a wider search keeps more of them. A `Calibration` turns the weights
into probabilities.

Two more facts tell how unfamiliar a sentence is: the share of words that the model does not know,
and the score of the best tree for each token. On text of another kind, scores are lower.

Only brackets that evaluation counts have a confidence. The bracket of the root has none, and
punctuation makes no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING

from crossbranch.confidence.doubt import KnownWords, doubt_confidence
from crossbranch.constituent import CONFIDENCE
from crossbranch.evaluation.counted_nodes import Counting, by_levels
from crossbranch.evaluation.parameters import PARAMETERS
from crossbranch.span import Span, is_discontinuous, span_of
from crossbranch.tree import Bracket, Node, Sentence, Tree, with_feature

if TYPE_CHECKING:
    from crossbranch.confidence.calibration import BeamCalibration

Key = tuple[str, Span, int]
"""A bracket that counts: label, span without punctuation, and its number among equal ones."""
Row = tuple[float, ...]

OLD_TREE_ROW = ("one", "log odds", "log length", "is best", "log rank")
OLD_CONSTITUENT_ROW = (
    *("one", "log odds", "log length", "log size", "is discontinuous"),
    *("in best", "in none", "in all", "log odds if discontinuous"),
)
"""Old calibrations have weights only for these numbers, so they come first in a row."""

_SENTENCE = ("unknown words", "log odds by unknown words", "score")
TREE_ROW = (*OLD_TREE_ROW, *_SENTENCE)
CONSTITUENT_ROW = (*OLD_CONSTITUENT_ROW, *_SENTENCE, "unknown words inside")
"""The names of the numbers in a row of evidence."""

_PARAMETERS = PARAMETERS["proper"]
_LEAST = 1e-3  # the smallest distance of a weight from 0 and from 1
_USUAL_SCORE = 10.0  # of a token, at temperature 1: brings scores near to 1


class Counted:
    """Finds the brackets that count in the trees of a sentence."""

    def __init__(self, sentence: Sentence, known_words: KnownWords | None = None) -> None:
        """Prepare for a sentence. Without `known_words`, no word counts as unknown."""
        self.length = len(sentence)
        self._counting = Counting(Tree(sentence, Node("", range(self.length))), _PARAMETERS)
        self._unknown: Span = 0
        self.unknown_share = 0.0
        """The share of unknown words among the words of the sentence."""
        if known_words is not None:
            count, words = known_words.count(sentence)
            self.unknown_share = count / max(words, 1)
            found = known_words.unknown(sentence) if count else []
            self._unknown = self._counting.bracketed(
                span_of([i for i, is_so in enumerate(found) if is_so])
            )

    def unknown_share_in(self, span: Span) -> float:
        """Return the share of unknown words in a bracket."""
        return (span & self._unknown).bit_count() / span.bit_count()

    def nodes(self, root: Node) -> list[tuple[Node, Key]]:
        """Return the nodes of a tree that count, parents first, with their brackets."""
        return self._numbered(root.preorder())

    def keys(self, root: Node) -> frozenset[Key]:
        """Return the brackets of a tree that count."""
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
        """Return whether a bracket has a gap that is not only punctuation."""
        return is_discontinuous(span)


class Alternatives:
    """The trees that a wide search kept for a sentence, with their weights."""

    def __init__(
        self, trees: Sequence[tuple[float, frozenset[Key]]], counted: Counted, temperature: float
    ) -> None:
        """Weight the trees, which are given as scores and brackets, the best one first."""
        self._counted = counted
        self._best = trees[0][1]
        self._score = trees[0][0] / (temperature * counted.length * _USUAL_SCORE)
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
        """Return the evidence for a tree. `rank` is its rank in the search that found it."""
        odds = _log_odds(self._trees.get(keys, 0.0))
        return (
            *(1.0, odds, log(self._counted.length), float(keys == self._best), log(rank)),
            *self._sentence_row(odds),
        )

    def constituent_row(self, key: Key) -> Row:
        """Return the evidence for a constituent."""
        odds = _log_odds(self._brackets.get(key, 0.0))
        gappy = float(self._counted.is_discontinuous(key[1]))
        holders = self._holders[key]
        return (
            *(1.0, odds, log(self._counted.length), log(key[1].bit_count()), gappy),
            *(float(key in self._best), float(not holders), float(holders == self._size)),
            gappy * odds,
            *self._sentence_row(odds),
            self._counted.unknown_share_in(key[1]),
        )

    def _sentence_row(self, odds: float) -> Row:
        share = self._counted.unknown_share
        return share, share * odds, self._score


def shares(scores: Sequence[float], temperature: float) -> list[float]:
    """Return the softmax of scores. A higher temperature gives more similar weights."""
    best = max(scores)
    parts = [exp((score - best) / temperature) for score in scores]
    total = sum(parts)
    return [part / total for part in parts]


def with_confidence(
    trees: Sequence[Tree],
    wide: Sequence[tuple[float, Node]],
    calibration: BeamCalibration,
    known_words: KnownWords | None = None,
) -> list[Tree]:
    """Return the best trees of a sentence with confidence.

    A constituent that is in several trees has the same confidence in all of them.

    Args:
        trees: The best trees.
        wide: The scores and trees that a wide search kept.
        calibration: Turns evidence into probabilities.
        known_words: The words that the model knows.
    """
    sentence = trees[0].sentence
    if not sentence:  # nothing can be wrong
        return list(trees)
    counted = Counted(sentence, known_words)
    kept = [(score, counted.keys(root)) for score, root in wide]
    kept = kept or [(0.0, counted.keys(trees[0].root))]  # there is only a fall-back tree
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
    """Return a tree with confidence for nodes (by their `id()`) and for the whole tree.

    If the confidence of the nodes is low, the tree is doubtful.
    """
    features = with_feature(tree.features, CONFIDENCE, whole)
    features = doubt_confidence(features, [float(value) for value in values.values()])
    return tree.replace(root=_renewed(tree.root, values), features=features)


def without_confidence(tree: Tree) -> Tree:
    """Return a tree without its confidence features."""
    return mark(tree, {}, None)


def _renewed(root: Node, values: Mapping[int, str]) -> Node:
    """Set the confidence of nodes (by their `id()`), and remove it from all others."""
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
    """Return a probability as it is written in features."""
    return f"{probability:.3f}"

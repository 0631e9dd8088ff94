"""How calibrations are learned: dev trees are compared with what a parser finds for them.

The reliability of a calibration is measured with two folds: it is learned from one half of the
sentences and measured on the other half, and vice versa. The final calibration is learned from all
sentences.

Half of the sentences are learned from twice: as they are, and with hidden words, as if the text
were of another kind. Reliability is measured only on sentences as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, cycle
from math import exp, log
from typing import Any, NamedTuple

from crossbranch.confidence.calibration import (
    BeamCalibration,
    Calibration,
    calibrated_beams,
    wide_beam,
)
from crossbranch.confidence.doubt import KnownWords
from crossbranch.confidence.evidence import (
    CONSTITUENT_ROW,
    TREE_ROW,
    Alternatives,
    Counted,
    Key,
    Row,
    shares,
)
from crossbranch.confidence.hiding import with_hidden_words
from crossbranch.confidence.logistic import Weights, fit, probability
from crossbranch.confidence.reliability import Reliability, measure
from crossbranch.tree import Tree

MOST_SENTENCES = 1000  # more sentences take long and hardly help
_HIDDEN = (True, True, False, False)  # which sentences are learned from with hidden words, too
_MOST_RANKS = 8  # the trees of a k-best list that are learned from
_PROPORTION = (5**0.5 - 1) / 2
_COLDEST, _HOTTEST = 1e-3, 1e3  # temperatures, relative to the mean distance from the worst score
_NARROWINGS = 24
_DIGITS = 6


class Look(NamedTuple):
    """The trees that a search kept for a sentence, as brackets that count, the best one first."""

    scores: list[float]
    trees: list[list[Key]]


class DevSentence(NamedTuple):
    """A dev sentence: its brackets that count, and those of the gold tree."""

    counted: Counted
    gold: frozenset[Key]


class Case(NamedTuple):
    """The evidence for a tree or constituent, and whether it is right."""

    row: Row
    right: bool
    rank: int  # of the tree; for a constituent, of the best tree that contains it


class Cases(NamedTuple):
    """The cases of one sentence."""

    trees: list[Case]
    constituents: list[Case]


class Lesson(NamedTuple):
    """What a sentence teaches: as it is, and perhaps with hidden words."""

    real: Cases
    hidden: Cases | None = None


class LearnedWeights(NamedTuple):
    """The weights learned from all sentences."""

    best_tree: Weights
    other_trees: Weights
    constituents: Weights


def calibrate(parser: Any, dev: Sequence[Tree], *, threads: int = 1) -> Calibration:
    """Learn from dev trees how reliable a parser is."""
    trees = sampled(dev, MOST_SENTENCES)
    to_hide = [tree for tree, is_hidden in zip(trees, cycle(_HIDDEN), strict=False) if is_hidden]
    if not parser.takes_any_sentence:
        to_hide = []
    real = _Searched(parser, trees, threads)
    hidden = _Searched(parser, with_hidden_words(parser, to_hide), threads)
    beams = []
    for beam in calibrated_beams(parser.options({}).beam):
        temperature = best_temperature(real.sentences, real.looks(wide_beam(beam)))
        more = iter(hidden.cases(beam, temperature))
        lessons = [
            Lesson(cases, next(more, None) if is_hidden else None)
            for cases, is_hidden in zip(real.cases(beam, temperature), cycle(_HIDDEN), strict=False)
        ]
        beams.append(_calibration(beam, temperature, lessons))
    return Calibration(sentences=len(trees), beams=tuple(beams))


class _Searched:
    """Dev trees, and what the parser finds for them with several beams."""

    def __init__(self, parser: Any, trees: Sequence[Tree], threads: int) -> None:
        self.sentences = [sentence_of(tree, parser.known_words) for tree in trees]
        self._parser, self._trees, self._threads = parser, trees, threads
        self._looks: dict[int, list[Look]] = {}

    def looks(self, beam: int) -> list[Look]:
        """Return the trees that a search with this beam keeps for each sentence."""
        if beam not in self._looks:
            found = self._parser.parse_k_best(
                self._trees, beam, beam=beam, threads=self._threads, functions=False
            )
            self._looks[beam] = [
                _look(one, [(each.score or 0.0, each.tree) for each in best])
                for one, best in zip(self.sentences, found, strict=True)
            ]
        return self._looks[beam]

    def cases(self, beam: int, temperature: float) -> list[Cases]:
        """Return the cases of each sentence for a search with this beam."""
        looks = zip(self.sentences, self.looks(beam), self.looks(wide_beam(beam)), strict=True)
        return [_cases(*each, temperature) for each in looks]


def sampled(trees: Sequence[Tree], most: int) -> list[Tree]:
    """Return at most `most` trees that have tokens, evenly from all parts of the treebank."""
    some = [tree for tree in trees if tree.sentence]
    count = min(len(some), most)
    return [some[index * len(some) // count] for index in range(count)]


def balanced(sources: Sequence[Sequence[Tree]], most: int = MOST_SENTENCES) -> list[Tree]:
    """Return at most `most` trees: the same number from each source, if it has so many."""
    found: dict[int, list[Tree]] = {}
    for number in sorted(range(len(sources)), key=lambda number: len(sources[number])):
        share = (most - sum(map(len, found.values()))) // (len(sources) - len(found))
        found[number] = sampled(sources[number], share)
    return [tree for number in range(len(sources)) for tree in found[number]]


def best_temperature(sentences: Sequence[DevSentence], looks: Sequence[Look]) -> float:
    """Return the temperature at which the right trees, if they were kept, are most likely."""
    lists: list[tuple[list[float], list[bool]]] = []
    for sentence, look in zip(sentences, looks, strict=True):
        right = [frozenset(tree) == sentence.gold for tree in look.trees]
        if any(right) and not all(right):
            lists.append((look.scores, right))
    distances = [score - scores[-1] for scores, _ in lists for score in scores]
    scale = sum(distances) / len(distances) if distances else 0.0
    if scale <= 0.0:  # nothing to learn from
        return 1.0

    def surprise(exponent: float) -> float:
        total = 0.0
        for scores, right in lists:
            parts = shares(scores, scale * exp(exponent))
            likely = sum([part for part, is_right in zip(parts, right, strict=True) if is_right])
            total -= log(max(likely, 1e-300))
        return total

    return round(scale * exp(lowest(surprise, log(_COLDEST), log(_HOTTEST))), _DIGITS)


def lowest(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function with one valley is lowest: a golden-section search."""
    left, right = high - _PROPORTION * (high - low), low + _PROPORTION * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(_NARROWINGS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _PROPORTION * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _PROPORTION * (high - low)
            at_right = function(right)
    return (low + high) / 2


def sentence_of(tree: Tree, known_words: KnownWords | None = None) -> DevSentence:
    """Return a dev tree as brackets that count."""
    counted = Counted(tree.sentence, known_words)
    return DevSentence(counted, counted.keys(tree.root))


def _look(sentence: DevSentence, best: Sequence[tuple[float, Tree]]) -> Look:
    nodes = sentence.counted.nodes
    return Look(
        [score for score, _ in best], [[key for _, key in nodes(tree.root)] for _, tree in best]
    )


def _cases(sentence: DevSentence, look: Look, wide: Look, temperature: float) -> Cases:
    """Return the evidence that the wide search gives for the trees of the other search."""
    kept = list(zip(wide.scores, map(frozenset, wide.trees), strict=True))
    alternatives = Alternatives(kept, sentence.counted, temperature)
    trees: list[Case] = []
    constituents: dict[Key, Case] = {}
    for rank, keys in enumerate(look.trees[:_MOST_RANKS], 1):
        whole = frozenset(keys)
        trees.append(Case(alternatives.tree_row(whole, rank), whole == sentence.gold, rank))
        for key in keys:
            if key not in constituents:
                row = alternatives.constituent_row(key)
                constituents[key] = Case(row, key in sentence.gold, rank)
    return Cases(trees, list(constituents.values()))


def _calibration(beam: int, temperature: float, lessons: Sequence[Lesson]) -> BeamCalibration:
    learned = _learn(lessons)
    trees, constituents = _reliabilities(lessons)
    return BeamCalibration(
        beam=beam,
        temperature=temperature,
        best_tree=learned.best_tree,
        other_trees=learned.other_trees,
        constituents=learned.constituents,
        tree_reliability=trees,
        constituent_reliability=constituents,
    )


def _learn(lessons: Sequence[Lesson]) -> LearnedWeights:
    cases = [cases for lesson in lessons for cases in lesson if cases is not None]
    trees = list(_all_trees(cases))
    return LearnedWeights(
        _fit([case for case in trees if case.rank == 1], len(TREE_ROW)),
        _fit([case for case in trees if case.rank > 1], len(TREE_ROW)),
        _fit(list(_all_constituents(cases)), len(CONSTITUENT_ROW)),
    )


def _fit(cases: Sequence[Case], size: int) -> Weights:
    return fit([case.row for case in cases], [case.right for case in cases], size)


def _reliabilities(lessons: Sequence[Lesson]) -> tuple[Reliability, Reliability]:
    """Measure the confidence in best trees and their constituents, with two folds."""
    folds = lessons[::2], lessons[1::2]
    trees: list[tuple[float, bool]] = []
    constituents: list[tuple[float, bool]] = []
    for seen, unseen in (folds, folds[::-1]):
        learned = _learn(seen)
        cases = [lesson.real for lesson in unseen]
        trees += _stated(learned.best_tree, _all_trees(cases))
        constituents += _stated(learned.constituents, _all_constituents(cases))
    return _measure(trees), _measure(constituents)


def _stated(weights: Weights, cases: Iterator[Case]) -> list[tuple[float, bool]]:
    return [(probability(weights, case.row), case.right) for case in cases if case.rank == 1]


def _measure(pairs: Sequence[tuple[float, bool]]) -> Reliability:
    return measure([stated for stated, _ in pairs], [right for _, right in pairs])


def _all_trees(cases: Sequence[Cases]) -> Iterator[Case]:
    return chain.from_iterable(one.trees for one in cases)


def _all_constituents(cases: Sequence[Cases]) -> Iterator[Case]:
    return chain.from_iterable(one.constituents for one in cases)

"""Charts that a grammar prunes: only constituents that good trees of the grammar may have.

The grammar is read off a treebank in the form of charts, so its labels are those of the charts.
Its block grammar, which is context-free, says which blocks a label may have in a sentence.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from crossbranch.errors import UsageError
from crossbranch.escape import unescape
from crossbranch.grammar.deduction import Deduction
from crossbranch.grammar.files import read
from crossbranch.parsers.neural_span.engine import FoundTree, Search, SpanNumbers, make_charts
from crossbranch.parsers.neural_span.gold import NEVER
from crossbranch.parsers.neural_span.labels import SpanLabels
from crossbranch.parsers.neural_span.spaces import space_numbers

Ranges = set[tuple[int, int]]
"""Blocks: the first token, and the one after the last."""


class GrammarPruning:
    """Prunes the charts of sentences."""

    def __init__(self, path: str | Path, labels: SpanLabels) -> None:
        """Read a grammar.

        Raises:
            UsageError: It has none of the labels.
        """
        grammar = read(path)
        self._deduction = Deduction(grammar)
        self._charts = make_charts(labels, threads=1)
        known = self._deduction.nodes()
        chains = [tuple(map(unescape, chain)) for chain in labels.chains]
        inside, start = len(labels.names.inside), labels.continuous_count
        self._continuous = _known(chains[:inside], known, 1)
        self._discontinuous = _known(chains[start:], known, 2)
        if not self._continuous:
            raise UsageError(f"the grammar {path} has none of the labels of the model")

    def trees(
        self,
        words: Sequence[str],
        tags: Sequence[str],
        scores: SpanNumbers,
        search: Search,
        *,
        margin: float,
    ) -> list[FoundTree]:
        """Return the best trees of one sentence.

        Args:
            words: Its words.
            tags: Its tags.
            scores: The scores of all spans.
            search: What is searched for, with one space.
            margin: How much worse than the best tree of the grammar a tree may be.
        """
        self._prune(words, tags, scores, margin)
        (found,) = self._charts.trees(
            array("i", [len(words)]),
            *scores,
            spaces=space_numbers(search.spaces),
            k_best=search.k_best,
            probabilities=search.probabilities,
            minimum_risk=search.minimum_risk,
        )
        return found

    def _prune(
        self, words: Sequence[str], tags: Sequence[str], scores: SpanNumbers, margin: float
    ) -> None:
        """Give spans a very low score. Nothing is changed if the grammar has no tree."""
        found: defaultdict[tuple[str, int, int], Ranges] = defaultdict(set)
        for label, fan_out, block, first, end in self._deduction.blocks(words, tags, margin):
            found[label, fan_out, block].add((first, end))
        if not found:
            return
        continuous, outer, gap = scores
        places = list(product(range(len(words)), repeat=2))
        for number, chain in self._continuous.items():
            allowed = _common(found[label, 1, 0] for label in chain)
            for first, last in places:
                if (first, last + 1) not in allowed:
                    _forbid(continuous, first, last, number, len(words))
        for number, chain in self._discontinuous.items():
            left = _common(found[label, 2, 0] for label in chain)
            right = _common(found[label, 2, 1] for label in chain)
            starts, gaps = {one[0] for one in left}, {one[1] for one in left}
            ends, resumes = {one[1] for one in right}, {one[0] for one in right}
            for first, last in places:
                if first not in starts or last + 1 not in ends:
                    _forbid(outer, first, last, number, len(words))
                if first not in gaps or last + 1 not in resumes:
                    _forbid(gap, first, last, number, len(words))


def _known(
    chains: Sequence[tuple[str, ...]], known: set[tuple[str, int]], fan_out: int
) -> dict[int, tuple[str, ...]]:
    """Return the labels that a grammar knows. It says nothing about the others."""
    return {
        number: chain
        for number, chain in enumerate(chains)
        if all((label, fan_out) in known for label in chain)
    }


def _common(ranges: Iterator[Ranges]) -> Ranges:
    return set.intersection(*ranges)


def _forbid(scores: array[float], first: int, last: int, label: int, tokens: int) -> None:
    scores[(first * tokens + last) * (len(scores) // tokens**2) + label] = NEVER

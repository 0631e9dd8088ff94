"""Beam search with a linear scorer, in the core."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from crossbranch import _core
from crossbranch.search.analysis import Analysis
from crossbranch.search.trace import Trace
from crossbranch.structure import NodeBuilder
from crossbranch.transitions import TransitionSystem

STOPS = {"all": _core.Stop.ALL, "first": _core.Stop.FIRST}
"""When a search ends: when all items on the beam are whole trees, or when the best one is."""

ScoredCodes = tuple[float, bytes]
"""A tree as the core writes it, and its score."""


class BeamSearch:
    """Finds the best trees of sentences, many at a time."""

    def __init__(
        self,
        system: TransitionSystem,
        templates: _core.Templates,
        weights: _core.Weights,
        *,
        stop: str = "all",
    ) -> None:
        """Prepare a search; `stop` is one of STOPS."""
        self._core = _core.BeamParser(system.core, templates, weights, stop=STOPS[stop])
        self._builder = NodeBuilder(map(system.labels.chain, range(len(system.labels))))

    def search(
        self,
        rows: array[int],
        offsets: Sequence[int],
        *,
        beam: int,
        threads: int = 1,
        k_best: int = 1,
    ) -> Iterator[list[Analysis]]:
        """Yield up to `k_best` different trees for each sentence, the best one first.

        If the search stops at the first tree, there may be fewer.

        Sentence i has the tokens from offsets[i] to offsets[i + 1] - 1; there is at least one. The
        result does not depend on the number of threads. Other Python threads can run during the
        search.
        """
        # Several derivations may build the same tree, so all derivations in the beam are needed.
        wanted = 1 if k_best == 1 else beam
        found = self._core.parse(rows, list(offsets), beam=beam, threads=threads, k_best=wanted)
        build = self._builder.build
        if k_best == 1:
            return ([Analysis(build(trees[0][1]), trees[0][0])] for trees in found)
        return (
            [Analysis(build(codes), score) for score, codes in _different(trees, k_best)]
            for trees in found
        )

    def trace(self, rows: array[int], *, beam: int) -> Trace:
        """Return how the best tree of one sentence is found."""
        return Trace.of(*self._core.trace(rows, beam=beam))


def _different(trees: Sequence[ScoredCodes], count: int) -> list[ScoredCodes]:
    kept: dict[bytes, ScoredCodes] = {}
    for tree in trees:
        if len(kept) < count:
            kept.setdefault(tree[1], tree)
    return list(kept.values())

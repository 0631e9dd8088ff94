"""Beam search: the core's, with a linear scorer."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from crossbranch import _core
from crossbranch.structure import NodeBuilder
from crossbranch.transitions import TransitionSystem
from crossbranch.tree import Node


class Found(NamedTuple):
    """A tree that was found, as the core writes it, and its score."""

    score: float
    codes: Sequence[int]


class BeamSearch:
    """Finds the best trees of sentences, many at a time."""

    def __init__(
        self, system: TransitionSystem, templates: _core.Templates, weights: _core.Weights
    ) -> None:
        self._core = _core.BeamParser(system.core, templates, weights)
        self._builder = NodeBuilder(map(system.labels.chain, range(len(system.labels))))

    def search(
        self,
        rows: array[int],
        offsets: Sequence[int],
        *,
        beam: int,
        threads: int = 1,
        k_best: int = 1,
    ) -> list[list[Found]]:
        """Return up to `k_best` different trees of each sentence, the best one first.

        Sentence i has the tokens offsets[i] up to offsets[i + 1], at least one. What is returned
        does not depend on the number of threads. Other Python threads can run meanwhile.
        """
        # Several derivations may make the same tree, so all that the beam holds are looked at.
        wanted = 1 if k_best == 1 else beam
        found = self._core.parse(rows, list(offsets), beam=beam, threads=threads, k_best=wanted)
        return [_different(trees, k_best) for trees in found]

    def root(self, found: Found) -> Node:
        """Return the root of a tree that was found."""
        return self._builder.build(found.codes)


def _different(trees: Sequence[tuple[float, Sequence[int]]], count: int) -> list[Found]:
    if count == 1:
        return [Found(*trees[0])]
    kept: dict[tuple[int, ...], Found] = {}
    for score, codes in trees:
        if len(kept) < count:
            kept.setdefault(tuple(codes), Found(score, codes))
    return list(kept.values())

"""What runs the network of a transition parser; see `neural_shared.engine`."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from crossbranch import _core
from crossbranch.parsers.neural_shared.engine import StoredNetwork, refused_weights
from crossbranch.parsers.neural_shared.settings import Precision
from crossbranch.search import Trace
from crossbranch.tree import Sentence

if TYPE_CHECKING:
    from crossbranch.parsers.neural_transition.parser import NeuralTransitionParser

ScoredCodes = tuple[float, list[int]]
"""The log-probability of a derivation, and its tree as the core writes it."""

Found = tuple[list[list[ScoredCodes]], Mapping[str, Sequence[int]]]
"""The best trees of each sentence, and for each task the label of each token."""


class Engine(Protocol):
    """Finds trees, and the labels of tasks."""

    def parse(
        self,
        sentences: Sequence[Sentence],
        *,
        beam: int,
        k_best: int,
        features: array[float] | None = None,
    ) -> Found:
        """Return the best trees of each sentence; for each task, the labels of all tokens.

        `features` has the numbers of other programs, a row for each token.
        """
        ...

    def trace(
        self, sentences: Sequence[Sentence], *, beam: int, features: array[float] | None = None
    ) -> list[Trace]:
        """Return how the best tree of each sentence is found."""
        ...


class CoreEngine:
    """Parses in the core. Several threads may use it at once."""

    def __init__(self, parser: NeuralTransitionParser, precision: Precision = "float32") -> None:
        """Take the weights of a parser. Raises InputError if they do not fit."""
        stored = StoredNetwork.of(parser, precision)
        self._vocabulary = parser.words
        self._tasks = list(parser.task_labels)
        with refused_weights(stored.where):
            self._core = _core.NeuralParser(
                stored.tensors, parser.writer, residuals=stored.residuals, tasks=stored.tasks
            )

    def parse(
        self,
        sentences: Sequence[Sentence],
        *,
        beam: int,
        k_best: int,
        features: array[float] | None = None,
    ) -> Found:
        """Return the best trees of each sentence; for each task, the labels of all tokens."""
        trees, classes = self._core.parse(
            **self._vocabulary.inputs(sentences), features=features, beam=beam, k_best=k_best
        )
        labels = {name: array("I", one) for name, one in zip(self._tasks, classes, strict=True)}
        return trees, labels

    def trace(
        self, sentences: Sequence[Sentence], *, beam: int, features: array[float] | None = None
    ) -> list[Trace]:
        """Return how the best tree of each sentence is found."""
        found = self._core.trace(**self._vocabulary.inputs(sentences), features=features, beam=beam)
        return [Trace.of(score, steps) for score, steps in found]

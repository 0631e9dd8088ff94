"""What runs the network and the charts: the core on a CPU; torch, with charts in the core."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from crossbranch import _core
from crossbranch.parsers.neural_shared.engine import StoredNetwork, refused_weights
from crossbranch.parsers.neural_shared.settings import Precision
from crossbranch.parsers.neural_span.labels import SpanLabels
from crossbranch.parsers.neural_span.spaces import Space, space_numbers
from crossbranch.tree import Sentence

if TYPE_CHECKING:
    from crossbranch.parsers.neural_span.parser import NeuralSpanParser

FoundTree = tuple[float, list[int], float, list[float]]
"""The score, the tree as the core writes it, its probability and those of its constituents."""

Found = tuple[list[list[FoundTree]], Mapping[str, Sequence[int]]]
"""The best trees of each sentence, and for each task the label of each token."""


SpanNumbers = tuple["array[float]", "array[float]", "array[float]"]
"""The scores of all spans of a sentence, as `_core.SpanScores` takes them."""


class Search(NamedTuple):
    """What is searched for."""

    spaces: Sequence[Space]
    """Of each sentence; if there are none, only the labels of tasks are found."""
    k_best: int = 1
    probabilities: bool = False
    minimum_risk: bool = False
    """The tree with the best expected F1, which is its score; instead of the best tree."""


def make_charts(labels: SpanLabels, threads: int) -> _core.SpanCharts:
    """Return charts for many sentences at once."""
    return _core.SpanCharts(
        is_root=labels.is_root, discontinuous_labels=labels.discontinuous_count, threads=threads
    )


class Engine(Protocol):
    """Finds trees, and the labels of tasks."""

    def parse(
        self, sentences: Sequence[Sentence], search: Search, features: array[float] | None = None
    ) -> Found:
        """Return the best trees of each sentence; for each task, the labels of all tokens.

        `features` has the numbers of other programs, a row for each token.
        """
        ...

    def score(self, sentence: Sentence, features: array[float] | None = None) -> SpanNumbers:
        """Return the scores of all spans of a sentence."""
        ...


class CoreEngine:
    """Parses in the core. Several threads may use it at once."""

    def __init__(self, parser: NeuralSpanParser, precision: Precision = "float32") -> None:
        """Take the weights of a parser. Raises InputError if they do not fit."""
        stored = StoredNetwork.of(parser, precision)
        self._vocabulary = parser.words
        self._tasks = list(parser.task_labels)
        with refused_weights(stored.where):
            self._core = _core.NeuralSpanParser(
                stored.tensors,
                residuals=stored.residuals,
                tasks=stored.tasks,
                is_root=parser.labels_by_number.is_root,
            )
            expected = parser.labels_by_number.discontinuous_count
            if self._core.discontinuous_labels != expected:
                raise ValueError(
                    f"the network scores {self._core.discontinuous_labels} labels of discontinuous"
                    f" constituents, expected {expected}"
                )

    def parse(
        self, sentences: Sequence[Sentence], search: Search, features: array[float] | None = None
    ) -> Found:
        """Return the best trees of each sentence; for each task, the labels of all tokens."""
        trees, classes = self._core.parse(
            **self._vocabulary.inputs(sentences),
            features=features,
            spaces=space_numbers(search.spaces),
            k_best=search.k_best,
            probabilities=search.probabilities,
            minimum_risk=search.minimum_risk,
        )
        labels = {name: array("I", one) for name, one in zip(self._tasks, classes, strict=True)}
        return trees, labels

    def score(self, sentence: Sentence, features: array[float] | None = None) -> SpanNumbers:
        """Return the scores of all spans of a sentence."""
        (found,) = self._core.score(**self._vocabulary.inputs([sentence]), features=features)
        continuous, outer, gap = (array("f", one) for one in found)
        return continuous, outer, gap

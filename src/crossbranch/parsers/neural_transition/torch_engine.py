"""The network of a transition parser with torch: on a GPU, and for training."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import torch

from crossbranch import _core
from crossbranch.neural.encoder import TaskShape
from crossbranch.neural.network import NetworkShape, ParserNetwork
from crossbranch.neural.pretrained import PretrainedInput
from crossbranch.neural.vocabulary import Vocabulary
from crossbranch.parsers.neural_shared.settings import Precision
from crossbranch.parsers.neural_shared.torch_engine import NetworkEngine, feature_shape
from crossbranch.parsers.neural_transition.engine import Found
from crossbranch.parsers.neural_transition.searching import ChoiceScorer, find_traces, find_trees
from crossbranch.parsers.neural_transition.settings import NeuralTransitionSettings
from crossbranch.search import Trace
from crossbranch.tree import Sentence

if TYPE_CHECKING:
    from crossbranch.parsers.neural_transition.parser import NeuralTransitionParser


def make_network(
    settings: NeuralTransitionSettings,
    vocabulary: Vocabulary,
    writer: _core.ChoiceWriter,
    tasks: Mapping[str, TaskShape],
    pretrained: PretrainedInput | None = None,
) -> ParserNetwork:
    """Return a network with random weights."""
    shape = NetworkShape(
        writer.items,
        writer.places,
        len(writer.moves),
        writer.output_count,
        tasks,
        feature_shape(settings),
    )
    return ParserNetwork(settings.network, settings.scorer, vocabulary, shape, pretrained)


class TorchEngine:
    """Finds trees and the labels of tasks with torch."""

    def __init__(
        self, parser: NeuralTransitionParser, device: str, precision: Precision = "float32"
    ) -> None:
        """Take the weights of a parser. Raises InputError if they do not fit."""

        def make(tasks: Mapping[str, TaskShape], added: PretrainedInput | None) -> ParserNetwork:
            return make_network(parser.settings, parser.words, parser.writer, tasks, added)

        self._engine = NetworkEngine(parser, make, device, precision)
        self._vocabulary = parser.words
        self._writer = parser.writer

    @torch.inference_mode()
    def parse(
        self,
        sentences: Sequence[Sentence],
        *,
        beam: int,
        k_best: int,
        features: array[float] | None = None,
    ) -> Found:
        """Return the best trees of each sentence; for each task, the labels of all tokens."""
        encoded = self._vocabulary.encode(sentences)
        engine = self._engine
        with engine.places, engine.precision():
            levels = engine.encode(encoded, sentences, features)
            prepared = engine.network.prepare(levels)
            scorer = ChoiceScorer(engine.network, prepared, self._writer, engine.device)
            found = find_trees(scorer, self._writer, encoded.lengths, beam=beam)
            labels = engine.task_classes(levels)
        return [_different(trees, k_best) for trees in found], labels

    @torch.inference_mode()
    def trace(
        self, sentences: Sequence[Sentence], *, beam: int, features: array[float] | None = None
    ) -> list[Trace]:
        """Return how the best tree of each sentence is found."""
        encoded = self._vocabulary.encode(sentences)
        engine = self._engine
        with engine.places, engine.precision():
            prepared = engine.network.prepare(engine.encode(encoded, sentences, features))
            scorer = ChoiceScorer(engine.network, prepared, self._writer, engine.device)
            return find_traces(scorer, self._writer, encoded.lengths, beam=beam)


def _different(
    trees: Sequence[tuple[float, list[int]]], count: int
) -> list[tuple[float, list[int]]]:
    """Return the first `count` trees that are different."""
    kept: dict[tuple[int, ...], tuple[float, list[int]]] = {}
    for score, codes in trees:
        if len(kept) < count:
            kept.setdefault(tuple(codes), (score, codes))
    return list(kept.values())
